import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { virtualRun } from '../../../../evaluation/simulation/virtual-run.ts';
import type { Change } from '../../../../evaluation/testing/suites/edits.ts';
import { documents, fail, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import { testJudges } from '../../../../evaluation/testing/suites/verdict-rows.ts';

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

/** The description of the specification with these changes. */
function changed(...places: readonly Place[]): Change {
  // Through JSON, so that what YAML shares by an anchor is changed in one place only.
  const shape: unknown = JSON.parse(JSON.stringify(parse(published)));
  for (const place of places) withPlace(shape, place);
  return documents({ source: 'openapi.json', text: JSON.stringify(shape) });
}

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

const ids = {
  'no operationId': warn(changed([`${LIST}.operationId`, undefined])),
  'another operationId': fail(changed([`${LIST}.operationId`, 'getCategories'])),
  'one operationId twice': fail(changed([`${ORDERS}.operationId`, 'listCategories'])),
};

const unauthorized = standing(`${LIST}.responses.401`);
const statuses = {
  'no 401': fail(changed([`${LIST}.responses.401`, undefined])),
  'no 401, but a 4XX': pass(
    changed([`${LIST}.responses.401`, undefined], [`${LIST}.responses.4XX`, unauthorized]),
  ),
  'a 4XX beside the 401, which is about other statuses': pass(
    changed([`${LIST}.responses.4XX`, { description: 'Any other mistake.', content: json(text) }]),
  ),
  'no 400 and no 401, but a default': pass(
    changed(
      [`${CREATE}.responses.400`, undefined],
      [`${CREATE}.responses.401`, undefined],
      [`${CREATE}.responses.default`, unauthorized],
    ),
  ),
  'no 429': warn(changed([`${LIST}.responses.429`, undefined])),
  'no 401 where only the name is shown': warn(
    changed([`${ORDERS}.responses.401`, undefined], [`${ORDERS}.responses.default`, undefined]),
  ),
  '200 for a creation': fail(
    changed(
      [`${CREATE}.responses.201`, undefined],
      [`${CREATE}.responses.200`, standing(`${CREATE}.responses.201`)],
    ),
  ),
};

const bodies = {
  'the list in an object': fail(
    changed([
      LIST_CONTENT,
      json({ type: 'object', properties: { items: { type: 'array', items: ref('Category') } } }),
    ]),
  ),
  'a list of no type': warn(changed([LIST_CONTENT, json({ items: ref('Category') })])),
  'a list of anything': warn(changed([LIST_CONTENT, json({ type: 'array', items: {} })])),
  'a list without content': fail(changed([LIST_CONTENT, undefined])),
  'a list without a schema': warn(changed([LIST_CONTENT, json(undefined)])),
  'any media type': warn(changed([LIST_CONTENT, { '*/*': listed }])),
  XML: fail(changed([LIST_CONTENT, { 'application/xml': listed }])),
  'XML beside JSON': pass(changed([`${LIST_CONTENT}.application/xml`, {}])),
  'a creation without a body': fail(changed([`${CREATE}.requestBody`, undefined])),
  'a creation with an optional body': fail(changed([`${CREATE}.requestBody.required`, undefined])),
  'a creation as a form': fail(
    changed([`${CREATE}.requestBody.content`, { 'application/x-www-form-urlencoded': sent }]),
  ),
};

const fields = {
  'an id as text': fail(changed([`${SCHEMAS}.Category.allOf.1.properties.id`, text])),
  'an id without a format': warn(changed([`${SCHEMAS}.Category.allOf.1.properties.id.format`, undefined])),
  'an id of 32 bits': fail(changed([`${SCHEMAS}.Category.allOf.1.properties.id.format`, 'int32'])),
  'an optional id': fail(changed([`${SCHEMAS}.Category.allOf.1.required`, undefined])),
  'an optional name': fail(changed([`${SCHEMAS}.NewCategory.required`, undefined])),
  'a required description': fail(changed([`${SCHEMAS}.NewCategory.required`, ['name', 'description']])),
  'a further required field of a creation': fail(
    changed(
      [`${SCHEMAS}.NewCategory.properties.colour`, text],
      [`${SCHEMAS}.NewCategory.required`, ['name', 'colour']],
    ),
  ),
  'further fields, required in responses alone': pass(
    changed(
      [`${SCHEMAS}.NewCategory.properties.colour`, text],
      [`${SCHEMAS}.Category.allOf.1.properties.createdAt`, text],
      [`${SCHEMAS}.Category.allOf.1.required`, ['id', 'createdAt']],
      [`${SCHEMAS}.Error.properties.details`, { type: 'array', items: {} }],
    ),
  ),
  'one schema for both, whose id is read-only': pass(
    changed([`${CREATE}.requestBody.content`, json(both)], [`${CREATE}.responses.201.content`, json(both)]),
  ),
  'an Error without a status': fail(changed([`${SCHEMAS}.Error.properties.status`, undefined])),
  'alternatives, which may have any fields': pass(changed([`${SCHEMAS}.Error`, { oneOf: [{}, both] }])),
};

const security = {
  'no security': fail(changed(['security', undefined])),
  'an open list': fail(changed([`${LIST}.security`, []])),
  'optional security': fail(changed(['security', [{ apiKey: [] }, {}]])),
  'security of an operation': pass(changed([`${LIST}.security`, [{ apiKey: [] }]])),
  'the scheme in capitals': pass(changed([`${SCHEME}.scheme`, 'Bearer'])),
  Basic: fail(changed([`${SCHEME}.scheme`, 'basic'])),
  'a key in another header': fail(changed([SCHEME, elsewhere])),
  'a key in another header as an alternative': warn(
    changed(['components.securitySchemes.other', elsewhere], ['security', [{ apiKey: [] }, { other: [] }]]),
  ),
  'a scheme that is not defined': fail(changed(['security', [{ nowhere: [] }]])),
};

const others = {
  'a pet lookup that is not deprecated': fail(changed([`${PET}.deprecated`, undefined])),
  'a parameter that is not declared': fail(changed([`${PET}.parameters`, undefined])),
  'a parameter of the Path Item': pass(
    changed(
      [`${PET}.parameters`, undefined],
      ['paths./pets/{petId}.parameters', standing(`${PET}.parameters`)],
    ),
  ),
};

/** What the operations of a published description say: ids, statuses, bodies, security, parameters (VER-2). */
testJudges(
  'version-and-deprecation/description-content',
  (await virtualRun()).lines,
  rowsOf('VER-2', {
    ...ids,
    ...statuses,
    ...bodies,
    ...fields,
    ...security,
    ...others,
  }),
);
