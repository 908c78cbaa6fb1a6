import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { documents } from './description-rows.ts';
import type { VerdictRow } from './rows.ts';

// biome-ignore lint/suspicious/noExplicitAny: a description in whose parts the rows reach without reading their types
type Any = any;

const published = readFileSync(new URL('../../../spec/openapi.yaml', import.meta.url), 'utf8');

const row = (
  description: string,
  verdict: VerdictRow['verdict'],
  change: (shape: Any, list: Any, create: Any) => unknown,
): VerdictRow => {
  const shape = parse(published) as Any;
  change(shape, shape.paths['/categories'].get, shape.paths['/categories'].post);
  return {
    id: 'VER-2',
    description,
    journal: documents({ source: 'openapi.json', text: JSON.stringify(shape) }),
    verdict,
  };
};

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const schemas = (shape: Any): Any => shape.components.schemas;

/** What the operations of a published description say: ids, statuses, bodies, security, parameters (VER-2). */
export const descriptionContentRows: readonly VerdictRow[] = [
  row('no operationId', 'warn', (_, list) => delete list.operationId),
  row('another operationId', 'fail', (_, list) => (list.operationId = 'getCategories')),
  row('another operationId of an operation that is only named', 'pass', (shape) => {
    shape.paths['/store/orders'].get.operationId = 'orders';
  }),
  row('one operationId twice', 'fail', (shape) => {
    shape.paths['/store/orders'].get.operationId = 'listCategories';
  }),
  row('no 401', 'fail', (_, list) => delete list.responses['401']),
  row('no 401, but a 4XX', 'pass', (_, list) => {
    list.responses['4XX'] = list.responses['401'];
    delete list.responses['401'];
  }),
  row('no 400 and no 401, but a default', 'pass', (_, __, create) => {
    create.responses.default = create.responses['400'];
    delete create.responses['400'];
    delete create.responses['401'];
  }),
  row('a default for the success', 'fail', (_, list) => {
    list.responses.default = list.responses['200'];
    delete list.responses['200'];
  }),
  row('no 429', 'warn', (_, list) => delete list.responses['429']),
  row('no 401 of an operation that is only named', 'warn', (shape) => {
    // The two share their responses.
    const { '401': _, default: __, ...responses } = shape.paths['/store/orders'].get.responses;
    shape.paths['/store/orders'].get.responses = responses;
  }),
  row('further statuses', 'pass', (_, __, create) => {
    create.responses['409'] = { description: 'The name exists.' };
  }),
  row('200 for a creation', 'fail', (_, __, create) => {
    create.responses['200'] = create.responses['201'];
    delete create.responses['201'];
  }),
  row('one category for the list', 'fail', (_, list) =>
    Object.assign(list.responses['200'], json(ref('Category'))),
  ),
  row('the list in an object', 'fail', (_, list) =>
    Object.assign(
      list.responses['200'],
      json({ type: 'object', properties: { items: { type: 'array', items: ref('Category') } } }),
    ),
  ),
  row('a list of new categories', 'fail', (_, list) =>
    Object.assign(list.responses['200'], json({ type: 'array', items: ref('NewCategory') })),
  ),
  row('a list of anything', 'warn', (_, list) =>
    Object.assign(list.responses['200'], json({ type: 'array', items: {} })),
  ),
  row('a list without content', 'fail', (_, list) => delete list.responses['200'].content),
  row('a list without a schema', 'warn', (_, list) => Object.assign(list.responses['200'], json(undefined))),
  row('any media type', 'warn', (_, list) => {
    list.responses['200'].content = { '*/*': list.responses['200'].content['application/json'] };
  }),
  row('XML', 'fail', (_, list) => {
    list.responses['200'].content = { 'application/xml': list.responses['200'].content['application/json'] };
  }),
  row('XML beside JSON', 'pass', (_, list) => {
    list.responses['200'].content['application/xml'] = {};
  }),
  row('an id as text', 'fail', (shape) => {
    schemas(shape).Category.allOf[1].properties.id = { type: 'string' };
  }),
  row(
    'an id without a format',
    'warn',
    (shape) => delete schemas(shape).Category.allOf[1].properties.id.format,
  ),
  row('an id of 32 bits', 'fail', (shape) => {
    schemas(shape).Category.allOf[1].properties.id.format = 'int32';
  }),
  row('an optional id', 'fail', (shape) => delete schemas(shape).Category.allOf[1].required),
  row('an optional name', 'fail', (shape) => delete schemas(shape).NewCategory.required),
  row('a required description', 'fail', (shape) => schemas(shape).NewCategory.required.push('description')),
  row('no description', 'fail', (shape) => delete schemas(shape).NewCategory.properties.description),
  row('a further required field of a creation', 'fail', (shape) => {
    schemas(shape).NewCategory.properties.colour = { type: 'string' };
    schemas(shape).NewCategory.required.push('colour');
  }),
  row('further fields, required in responses alone', 'pass', (shape) => {
    schemas(shape).NewCategory.properties.colour = { type: 'string' };
    schemas(shape).Category.allOf[1].properties.createdAt = { type: 'string' };
    schemas(shape).Category.allOf[1].required.push('createdAt');
    schemas(shape).Error.properties.details = { type: 'array', items: {} };
  }),
  row('one schema for both, whose id is read-only', 'pass', (_, __, create) => {
    const both = {
      type: 'object',
      required: ['id', 'name'],
      properties: {
        id: { type: 'integer', format: 'int64', readOnly: true },
        name: { type: 'string', minLength: 1, maxLength: 80 },
        description: { type: 'string', nullable: true },
      },
    };
    Object.assign(create.requestBody, json(both));
    Object.assign(create.responses['201'], json(both));
  }),
  row('an Error without a status', 'fail', (shape) => delete schemas(shape).Error.properties.status),
  row('an Error whose code is a number', 'fail', (shape) => {
    schemas(shape).Error.properties.code.type = 'integer';
  }),
  row('alternatives, which may be anything', 'pass', (shape) => {
    schemas(shape).Error = { oneOf: [{ type: 'object' }, { type: 'object', properties: {} }] };
  }),
  row('a creation without a body', 'fail', (_, __, create) => delete create.requestBody),
  row('a creation with an optional body', 'fail', (_, __, create) => delete create.requestBody.required),
  row('a creation as a form', 'fail', (_, __, create) => {
    create.requestBody.content = {
      'application/x-www-form-urlencoded': create.requestBody.content['application/json'],
    };
  }),
  row('no security', 'fail', (shape) => delete shape.security),
  row('an open list', 'fail', (_, list) => (list.security = [])),
  row('optional security', 'fail', (shape) => shape.security.push({})),
  row('security at each operation', 'pass', (shape) => {
    for (const item of Object.values<Any>(shape.paths))
      for (const method of ['get', 'post']) if (item[method]) item[method].security = shape.security;
    delete shape.security;
  }),
  row('the scheme in capitals', 'pass', (shape) => {
    shape.components.securitySchemes.apiKey.scheme = 'Bearer';
  }),
  row('Basic', 'fail', (shape) => {
    shape.components.securitySchemes.apiKey.scheme = 'basic';
  }),
  row('a key in another header', 'fail', (shape) => {
    shape.components.securitySchemes.apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
  }),
  row('a key in another header as an alternative', 'warn', (shape) => {
    shape.components.securitySchemes.other = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
    shape.security.push({ other: [] });
  }),
  row('a scheme that is not defined', 'fail', (shape) => (shape.security = [{ nowhere: [] }])),
  row(
    'a pet lookup that is not deprecated',
    'fail',
    (shape) => delete shape.paths['/pets/{petId}'].get.deprecated,
  ),
  row(
    'a parameter that is not declared',
    'fail',
    (shape) => delete shape.paths['/pets/{petId}'].get.parameters,
  ),
  row('a parameter of the Path Item', 'pass', (shape) => {
    const item = shape.paths['/pets/{petId}'];
    item.parameters = item.get.parameters;
    delete item.get.parameters;
  }),
];
