import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import { documents } from './description.rows.ts';

const published = readFileSync(new URL('../../../../spec/openapi.yaml', import.meta.url), 'utf8');

/** A change of a description: the place, its names separated by dots, and the new value; undefined removes it. */
type Place = readonly [path: string, value: unknown];

const LIST = 'paths./categories.get';
const CREATE = 'paths./categories.post';
const PET = 'paths./pets/{petId}.get';
const ORDERS = 'paths./store/orders.get';
const SCHEMAS = 'components.schemas';
const SCHEME = 'components.securitySchemes.apiKey';

function withPlace(description: unknown, [path, value]: Place): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>((part, name) => Reflect.get(Object(part), name), description);
  if (value === undefined) Reflect.deleteProperty(Object(holder), last);
  else Reflect.set(Object(holder), last, value);
}

/** What stands at a place of the description of the specification. */
const standing = (path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => Reflect.get(Object(part), name), parse(published));

const row = (
  description: string,
  verdict: VerdictRow['verdict'],
  ...places: readonly Place[]
): VerdictRow => {
  // Through JSON, so that what YAML shares by an anchor is changed in one place only.
  const shape: unknown = JSON.parse(JSON.stringify(parse(published)));
  for (const place of places) withPlace(shape, place);
  return {
    id: 'VER-2',
    description,
    journal: documents({ source: 'openapi.json', text: JSON.stringify(shape) }),
    verdict,
  };
};

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: unknown) => ({ 'application/json': { schema } });
const LIST_CONTENT = `${LIST}.responses.200.content`;
const listed = standing(`${LIST_CONTENT}.application/json`);
const sent = standing(`${CREATE}.requestBody.content.application/json`);
const text = { type: 'string' };
const both = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', format: 'int64', readOnly: true },
    name: { type: 'string', minLength: 1, maxLength: 80 },
    description: { type: 'string', nullable: true },
  },
};
const elsewhere = { type: 'apiKey', in: 'header', name: 'X-API-Key' };

const ids = [
  row('no operationId', 'warn', [`${LIST}.operationId`, undefined]),
  row('another operationId', 'fail', [`${LIST}.operationId`, 'getCategories']),
  row('another operationId where none is shown', 'pass', [`${ORDERS}.operationId`, 'orders']),
  row('one operationId twice', 'fail', [`${ORDERS}.operationId`, 'listCategories']),
];

const unauthorized = standing(`${LIST}.responses.401`);
const statuses = [
  row('no 401', 'fail', [`${LIST}.responses.401`, undefined]),
  row(
    'no 401, but a 4XX',
    'pass',
    [`${LIST}.responses.401`, undefined],
    [`${LIST}.responses.4XX`, unauthorized],
  ),
  row(
    'no 400 and no 401, but a default',
    'pass',
    [`${CREATE}.responses.400`, undefined],
    [`${CREATE}.responses.401`, undefined],
    [`${CREATE}.responses.default`, unauthorized],
  ),
  row(
    'a default for the success',
    'fail',
    [`${LIST}.responses.200`, undefined],
    [`${LIST}.responses.default`, standing(`${LIST}.responses.200`)],
  ),
  row('no 429', 'warn', [`${LIST}.responses.429`, undefined]),
  row(
    'no 401 where only the name is shown',
    'warn',
    [`${ORDERS}.responses.401`, undefined],
    [`${ORDERS}.responses.default`, undefined],
  ),
  row('further statuses', 'pass', [`${CREATE}.responses.409`, { description: 'The name exists.' }]),
  row(
    '200 for a creation',
    'fail',
    [`${CREATE}.responses.201`, undefined],
    [`${CREATE}.responses.200`, standing(`${CREATE}.responses.201`)],
  ),
];

const bodies = [
  row('one category for the list', 'fail', [LIST_CONTENT, json(ref('Category'))]),
  row('the list in an object', 'fail', [
    LIST_CONTENT,
    json({ type: 'object', properties: { items: { type: 'array', items: ref('Category') } } }),
  ]),
  row('a list of new categories', 'fail', [LIST_CONTENT, json({ type: 'array', items: ref('NewCategory') })]),
  row('a list of no type', 'warn', [LIST_CONTENT, json({ items: ref('Category') })]),
  row('a list of anything', 'warn', [LIST_CONTENT, json({ type: 'array', items: {} })]),
  row('a list without content', 'fail', [LIST_CONTENT, undefined]),
  row('a list without a schema', 'warn', [LIST_CONTENT, json(undefined)]),
  row('any media type', 'warn', [LIST_CONTENT, { '*/*': listed }]),
  row('XML', 'fail', [LIST_CONTENT, { 'application/xml': listed }]),
  row('XML beside JSON', 'pass', [`${LIST_CONTENT}.application/xml`, {}]),
  row('a creation without a body', 'fail', [`${CREATE}.requestBody`, undefined]),
  row('a creation with an optional body', 'fail', [`${CREATE}.requestBody.required`, undefined]),
  row('a creation as a form', 'fail', [
    `${CREATE}.requestBody.content`,
    { 'application/x-www-form-urlencoded': sent },
  ]),
];

const fields = [
  row('an id as text', 'fail', [`${SCHEMAS}.Category.allOf.1.properties.id`, text]),
  row('an id without a format', 'warn', [`${SCHEMAS}.Category.allOf.1.properties.id.format`, undefined]),
  row('an id of 32 bits', 'fail', [`${SCHEMAS}.Category.allOf.1.properties.id.format`, 'int32']),
  row('an optional id', 'fail', [`${SCHEMAS}.Category.allOf.1.required`, undefined]),
  row('an optional name', 'fail', [`${SCHEMAS}.NewCategory.required`, undefined]),
  row('a required description', 'fail', [`${SCHEMAS}.NewCategory.required`, ['name', 'description']]),
  row('no description', 'fail', [`${SCHEMAS}.NewCategory.properties.description`, undefined]),
  row(
    'a further required field of a creation',
    'fail',
    [`${SCHEMAS}.NewCategory.properties.colour`, text],
    [`${SCHEMAS}.NewCategory.required`, ['name', 'colour']],
  ),
  row(
    'further fields, required in responses alone',
    'pass',
    [`${SCHEMAS}.NewCategory.properties.colour`, text],
    [`${SCHEMAS}.Category.allOf.1.properties.createdAt`, text],
    [`${SCHEMAS}.Category.allOf.1.required`, ['id', 'createdAt']],
    [`${SCHEMAS}.Error.properties.details`, { type: 'array', items: {} }],
  ),
  row(
    'one schema for both, whose id is read-only',
    'pass',
    [`${CREATE}.requestBody.content`, json(both)],
    [`${CREATE}.responses.201.content`, json(both)],
  ),
  row('an Error without a status', 'fail', [`${SCHEMAS}.Error.properties.status`, undefined]),
  row('an Error whose code is a number', 'fail', [`${SCHEMAS}.Error.properties.code.type`, 'integer']),
  row('alternatives, which may have any fields', 'pass', [`${SCHEMAS}.Error`, { oneOf: [{}, both] }]),
];

const security = [
  row('no security', 'fail', ['security', undefined]),
  row('an open list', 'fail', [`${LIST}.security`, []]),
  row('optional security', 'fail', ['security', [{ apiKey: [] }, {}]]),
  row('security of an operation', 'pass', [`${LIST}.security`, [{ apiKey: [] }]]),
  row('the scheme in capitals', 'pass', [`${SCHEME}.scheme`, 'Bearer']),
  row('Basic', 'fail', [`${SCHEME}.scheme`, 'basic']),
  row('a key in another header', 'fail', [SCHEME, elsewhere]),
  row(
    'a key in another header as an alternative',
    'warn',
    ['components.securitySchemes.other', elsewhere],
    ['security', [{ apiKey: [] }, { other: [] }]],
  ),
  row('a scheme that is not defined', 'fail', ['security', [{ nowhere: [] }]]),
];

const others = [
  row('a pet lookup that is not deprecated', 'fail', [`${PET}.deprecated`, undefined]),
  row('a parameter that is not declared', 'fail', [`${PET}.parameters`, undefined]),
  row(
    'a parameter of the Path Item',
    'pass',
    [`${PET}.parameters`, undefined],
    ['paths./pets/{petId}.parameters', standing(`${PET}.parameters`)],
  ),
];

/** What the operations of a published description say: ids, statuses, bodies, security, parameters (VER-2). */
export const descriptionContentRows: readonly VerdictRow[] = [
  ...ids,
  ...statuses,
  ...bodies,
  ...fields,
  ...security,
  ...others,
];
