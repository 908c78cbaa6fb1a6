import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { rowsOf, sectionsOf } from '../evaluation/testing/documents.ts';
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import { lintDescription } from '../tools/lint-spec.ts';
import { SCHEMAS } from './schemas.ts';

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly description?: string;
}
interface Media {
  readonly 'application/json': { readonly schema: Schema };
}
interface Answer {
  readonly headers: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  readonly content?: Media;
}
interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly tags?: readonly string[];
  readonly security?: unknown;
  readonly parameters?: readonly unknown[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Media };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly 'x-stability'?: string;
  readonly 'x-not-shown'?: readonly string[];
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly security: unknown;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly type: string; readonly scheme: string }>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly schemas: { readonly Category: Schema; readonly NewCategory: Schema; readonly Error: Schema };
  };
}

const path = fileURLToPath(new URL('./openapi.yaml', import.meta.url));
const document: Document = JSON.parse(JSON.stringify(await SwaggerParser.validate(path)));
const { schemas } = document.components;
const prose = readFileSync(new URL('./interface-specification.md', import.meta.url), 'utf8');
const sections = sectionsOf(prose);
const table = (slug: string) => rowsOf(sections.get(slug) ?? assert.fail(`no section #${slug}`));

const operations = new Map<string, Operation>(
  Object.entries(document.paths).flatMap(([route, item]) =>
    Object.entries(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${route}`, operation] as const,
    ),
  ),
);
const answers = [...operations].flatMap(([operation, { responses }]) =>
  Object.entries(responses).map(([status, answer]) => ({ where: `${operation} ${status}`, status, answer })),
);

/** The two operations whose tables the specification gives: id, operation, success, with the schema it names. */
const shown = ['list-categories', 'create-a-category'].map((slug) => {
  const items = new Map(table(slug).map(([item = '', value = '']) => [item, value.replaceAll('`', '')]));
  const [status = '', form = ''] = (items.get('Success') ?? '').split(': ');
  return {
    id: items.get('Operation id'),
    operation: items.get('Method and path') ?? '',
    body: items.get('Request body') ?? '',
    status,
    form,
  };
});

test('the document states the versions that the specification states', () => {
  assert.equal(document.openapi, '3.0.3');
  assert.equal(document.info.version, '1.0.0');
  assert.ok(prose.includes('The interface description is version 1.0.0 and uses OpenAPI 3.0.3.'));
});

test('the operations are those that the specification names, and no other', () => {
  const named = [...prose.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)`/g)].map(([, name]) => name);
  assert.deepEqual([...operations.keys()].sort(), [...new Set(named)].sort());
  assert.equal(operations.size, 4);
});

for (const { id, operation, body, status, form } of shown) {
  test(`${operation} is ${id}, takes and gives what its table says`, () => {
    const described = operations.get(operation) ?? assert.fail();
    assert.equal(described.operationId, id);
    assert.equal(described.parameters, undefined);
    const success = described.responses[status]?.content?.['application/json'].schema;
    assert.deepEqual(
      success,
      form.startsWith('JSON array') ? { type: 'array', items: schemas.Category } : schemas.Category,
    );
    const wanted = body.startsWith('required, JSON NewCategory')
      ? { required: true, content: { 'application/json': { schema: schemas.NewCategory } } }
      : undefined;
    assert.deepEqual(described.requestBody, wanted);
  });
}

for (const [operation, { responses }] of operations) {
  test(`${operation} has the statuses of the specification, and no other`, () => {
    const errors = table('errors').filter(
      ([, , , where = '']) => where === 'all operations' || where.includes(operation),
    );
    // What the two named operations answer besides is not shown, which OpenAPI writes as "default".
    const success = shown.find((one) => one.operation === operation)?.status ?? 'default';
    assert.deepEqual(Object.keys(responses).sort(), [success, ...errors.map(([status]) => status)].sort());
    for (const [status = '', , body] of errors) {
      const schema = responses[status]?.content?.['application/json'].schema;
      assert.deepEqual(schema, body === 'Error' ? schemas.Error : undefined, status);
    }
    assert.deepEqual(responses['default']?.content, undefined);
  });
}

test('every answer carries the three rate-limit headers, and only a 429 one more', () => {
  const three = table('rate-limit-headers').map(([name = '']) => name);
  assert.equal(three.length, 3);
  assert.deepEqual(Object.keys(document.components.headers).sort(), ['Retry-After', ...three]);
  for (const { where, status, answer } of answers) {
    const wanted = status === '429' ? [...three, 'Retry-After'] : three;
    assert.deepEqual(Object.keys(answer.headers), wanted, where);
    for (const name of wanted) {
      const header = answer.headers[name];
      assert.equal(header?.required, true, `${where} ${name}`);
      const schema = name === 'Retry-After' ? { type: 'string' } : { type: 'integer', minimum: 0 };
      assert.deepEqual(header.schema, schema, `${where} ${name}`);
    }
  }
});

test('the fields of the schemas are those of the tables, no less and no more', () => {
  const fields = (slug: string, withFormat: boolean) =>
    table(slug).map(([name = '', type, ...rest]) => {
      const [format, required] = withFormat ? rest : ['none', ...rest];
      return [name, { type, ...(format === 'none' ? {} : { format }), required: required === 'yes' }];
    });
  const described = ({ properties = {}, required = [] }: Schema) =>
    Object.entries(properties).map(([name, { description: _, ...schema }]) => [
      name,
      { ...schema, required: required.includes(name) },
    ]);
  assert.deepEqual(
    described(schemas.NewCategory),
    fields('newcategory-sent-by-the-client-on-creation', false),
  );
  assert.deepEqual(described(schemas.Error), fields('error-body-of-error-responses', false));
  const [base, added = {}, ...more] = schemas.Category.allOf ?? [];
  assert.deepEqual(base, schemas.NewCategory);
  assert.deepEqual(more, []);
  const category = [...described(added), ...described(schemas.NewCategory)];
  assert.deepEqual(category, fields('category-returned-by-the-service', true));
  const inTable = (...all: readonly Schema[]) =>
    Object.fromEntries(
      all.flatMap(({ properties = {}, required = [] }) =>
        Object.entries(properties).map(([name, { type }]) => [
          name,
          { type, required: required.includes(name) },
        ]),
      ),
    );
  assert.deepEqual(SCHEMAS, {
    Category: inTable(added, schemas.NewCategory),
    NewCategory: inTable(schemas.NewCategory),
    Error: inTable(schemas.Error),
  });
});

test('no schema says more than type, format, required and fields', () => {
  const words = new Set<string>();
  const walk = (schema: Schema): void => {
    for (const word of Object.keys(schema)) words.add(word);
    for (const part of [...Object.values(schema.properties ?? {}), ...(schema.allOf ?? [])]) walk(part);
  };
  for (const schema of Object.values(schemas)) walk(schema);
  assert.deepEqual([...words].sort(), ['allOf', 'description', 'format', 'properties', 'required', 'type']);
});

test('every operation asks for a bearer key', () => {
  const [[name = '', scheme] = [], ...others] = Object.entries(document.components.securitySchemes);
  assert.deepEqual(others, []);
  assert.equal(scheme?.type, 'http');
  assert.equal(scheme.scheme, 'bearer');
  assert.deepEqual(document.security, [{ [name]: [] }]);
  for (const [operation, { security }] of operations) assert.equal(security, undefined, operation);
});

test('both base addresses end in /v1', () => {
  assert.deepEqual(
    document.servers.map(({ url }) => url),
    ['{production}/v1', '{staging}/v1'],
  );
});

test('what is only named is marked as not shown, under its tag, the lookup alone as deprecated', () => {
  const named = [...operations].filter(([operation]) => !shown.some((one) => one.operation === operation));
  assert.deepEqual(
    named.map(([operation, it]) => [operation, it.tags, it.deprecated, it.requestBody, it['x-stability']]),
    [
      ['GET /pets/{petId}', ['Pets'], true, undefined, 'not shown'],
      ['GET /store/orders', ['Store'], undefined, undefined, 'not shown'],
    ],
  );
  for (const [operation, it] of named) {
    assert.deepEqual(it['x-not-shown'], ['operationId', 'request', 'response'], operation);
  }
  for (const { operation } of shown) assert.equal(operations.get(operation)?.deprecated, undefined);
  assert.deepEqual(
    document.tags.map(({ name }) => name),
    ['Pets', 'Store'],
  );
});

test('the linter has nothing to say', async () => {
  assert.deepEqual(await lintDescription(), []);
});

test('the linter names the line and the rule of what it finds', async () => {
  const folder = temporaryFolder({ after });
  const spoilt = join(folder, 'openapi.yaml');
  const lines = readFileSync(path, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes('summary: List categories'));
  writeFileSync(spoilt, lines.filter((_, index) => index !== at).join('\n'));
  const findings = await lintDescription(spoilt);
  const rules = findings.map(({ severity, rule }) => `${severity} ${rule}`);
  assert.deepEqual(rules, ['error operation-summary']);
  const line = findings[0]?.line ?? 0;
  assert.ok(line >= at - 1 && line <= at + 1, `line ${line} is not near ${at}`);
});
