import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { Change } from '../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { observed, testJudges } from '../../../evaluation/testing/suites/verdict-rows.ts';
import type { PublishedDocument } from '../model/journal.ts';

const { lines } = await virtualRun();
const { documents, each, fail, inconclusive, notTested, pass, rowsOf, warn } = edit;
const published = readFileSync(new URL('../../../spec/openapi.yaml', import.meta.url), 'utf8');
const address = (baseUrl: string) => edit.run((run) => ({ ...run, target: { ...run.target, baseUrl } }));
const document = (text: string): edit.Change => documents({ source: 'openapi.yaml', text });

type Json = Record<string, unknown>;
type Paths = Record<string, Json>;
const description = parse(published) as Json & { paths: Paths };

const ADDRESS = 'https://api.example.com/docs/openapi.json';

/** The description of the specification with these fields, as a document from an address, and the documents that it refers to. */
const described = (fields: Json, ...parts: readonly PublishedDocument[]): Change =>
  documents(part(ADDRESS, { ...description, ...fields }), ...parts);

function part(name: string, value: unknown): PublishedDocument {
  const address = new URL(name, ADDRESS).href;
  return { source: address, address, text: JSON.stringify(value) };
}

/** The paths of the specification, each with another name or another Path Item. */
const paths = (change: (path: string, item: Json) => readonly [path: string, item: Json]): Paths =>
  Object.fromEntries(Object.entries(description.paths).map(([path, item]) => change(path, item)));
const prefixed = (prefix: string): Paths => paths((path, item) => [prefix + path, item]);

const served = (...servers: readonly unknown[]): Change => described({ servers });

/** Paths that begin with a version, beneath this server. */
const versioned = (prefix: string, url: string): Change =>
  described({ paths: prefixed(prefix), servers: [{ url }] });

/** Every Path Item is a reference to one of its own beneath this place, beside these fields and documents. */
const referring = (place: string, beside: Json = {}, ...parts: readonly PublishedDocument[]): Change => {
  const items = paths((path) => [path, { $ref: place + encodeURIComponent(path.replaceAll('/', '~1')) }]);
  return described({ ...beside, paths: { ...Object(beside['paths']), ...items } }, ...parts);
};

/** Path Items of another document refer to the components of the first. */
const moved: Paths = JSON.parse(
  JSON.stringify(description.paths).replaceAll('"#/components', '"openapi.json#/components'),
);

/** Every reference to the schema of an Error leads here. */
const withErrorAt = (reference: string): Change =>
  described(JSON.parse(JSON.stringify(description).replaceAll('#/components/schemas/Error', reference)));

const HOST = 'https://api.example.com';
const v1 = { url: `${HOST}/v1` };
const ELSEWHERE = 'https://else.example.com/paths.json';

/** Conforming descriptions of every shape (VER-2). */
const conforming: Readonly<Record<string, Change>> = {
  'the version in the server': served(v1),
  'the version in the server, with a slash at its end': served({ url: `${HOST}/v1/` }),
  'the version in the paths': versioned('/v1', HOST),
  'the version as a parameter of the paths': described({
    servers: [{ url: HOST }],
    paths: paths((path, item) => [
      `/v{version}${path}`,
      { ...item, parameters: [{ name: 'version', in: 'path', required: true, schema: { type: 'string' } }] },
    ]),
  }),
  'a server relative to the document': served({ url: '../v1' }),
  'a server relative to the document, which is a file': document(
    JSON.stringify({ ...description, servers: [{ url: './' }] }),
  ),
  'a variable whose default is the version': served({
    url: 'https://{host}/{version}',
    variables: { host: { default: 'api.example.com' }, version: { default: 'v1' } },
  }),
  'a variable of which one value is the version': served({
    url: `${HOST}/{version}`,
    variables: { version: { default: 'v2', enum: ['v1', 'v2'] } },
  }),
  'several servers, of which one is the base address': served({ url: 'https://old.example.com' }, v1),
  'servers of the Path Items': described({
    servers: [{ url: 'https://www.example.com' }],
    paths: paths((path, item) => [path, { ...item, servers: [v1] }]),
  }),
  'servers of the operations': described({
    servers: [{ url: 'https://www.example.com' }],
    paths: paths((path, item) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, one]) => [method, { ...Object(one), servers: [v1] }]),
      ),
    ]),
  }),
  'Path Items that refer to other paths': referring('#/paths/~1old', { paths: prefixed('/old') }),
  'Path Items in an extension': referring('#/x-items/', { 'x-items': description.paths }),
  'Path Items in one other document': referring('paths.json#/', {}, part('paths.json', moved)),
  'Path Items through a chain of documents': referring(
    'a.json#/all/',
    {},
    part('a.json', { all: { $ref: 'b.json#/paths' } }),
    part('b.json', { paths: moved }),
  ),
  'a parameter of another name': described({
    paths: JSON.parse(JSON.stringify(description.paths).replaceAll('petId', 'id')),
  }),
  'a schema in a document of another origin, which is not followed': withErrorAt(
    'https://else.example.com/e.json#/Error',
  ),
  'a schema by a name of JSON Schema, which is not followed': withErrorAt('#Error'),
};

/** Descriptions with a mismatch, and descriptions that decide nothing. */
const others = {
  'a server without the version': warn(served({ url: HOST })),
  'a server without a url': fail(served({ description: 'the production' }, v1)),
  'the version in the server and in the paths': warn(versioned('/v1', v1.url)),
  'another version in the paths': warn(versioned('/v2', HOST)),
  'another resource in front of the paths': fail(versioned('/shop', v1.url)),
  'Path Items among the components, a field of OpenAPI 3.1': warn(
    referring('#/components/pathItems/', {
      components: { ...Object(description['components']), pathItems: description.paths },
    }),
  ),
  'a Path Item that refers to itself': fail(
    described({ paths: { ...description.paths, '/categories': { $ref: '#/paths/~1categories' } } }),
  ),
  'a Path Item in a document of another origin': inconclusive(
    referring(
      `${ELSEWHERE}#/`,
      {},
      {
        ...part(ELSEWHERE, ''),
        text: '',
        unread: 'it is at another origin, which is not followed',
      },
    ),
  ),
  'a Path Item in a document that was not recorded': inconclusive(referring('paths.json#/')),
  'Path Items through a document that was not recorded': inconclusive(
    referring('#/x-items/', { 'x-items': { $ref: 'paths.json' } }),
  ),
  'a Path Item in another document that breaks the schema': fail(
    referring('paths.json#/', {}, part('paths.json', { ...moved, '/categories': { get: {}, post: {} } })),
  ),
  'a reference of another document that leads nowhere': fail(
    referring('paths.json#/', {}, part('paths.json', description.paths)),
  ),
};

/** What speaks for and against a published description by the addresses and references in it. */
const descriptionRows = rowsOf('VER-2', {
  ...each(Object.entries(conforming), ([description, journal]) => [description, pass(journal)]),
  ...others,
});

testJudges('version-and-deprecation', lines, [
  ...rowsOf('VER-1', {
    '/v1': pass(edit.unchanged),
    'behind a gateway, with a slash': pass(address('https://example.com/gateway/v1/')),
    '/v11': fail(address('https://example.com/v11')),
    'no address at all': inconclusive(address('nowhere')),
    'the root': fail(address('https://v1.example.com')),
  }),
  ...rowsOf('VER-2', {
    'the description of the specification': pass(document(published)),
    'another version': fail(document(published.replace('version: 1.0.0', 'version: 1.0.1'))),
    'a reference that leads nowhere': fail(
      document(published.replace('#/components/schemas/Category', '#/components/schemas/Species')),
    ),
    'what looks like a reference in an extension': pass(
      document(`${published}\nx-note: { $ref: '#/nowhere' }\n`),
    ),
    'a reference to a path, escaped as a pointer in an address': pass(
      document(
        published.replace('paths:\n', "paths:\n  /pets/again:\n    $ref: '#/paths/~1pets~1%7BpetId%7D'\n"),
      ),
    ),
    'a YAML key twice': fail(document(`${published}\nopenapi: 3.0.3\n`)),
    'too much YAML': inconclusive(document('- 1\n'.repeat(150_000))),
    'schemas nested without end': inconclusive(
      document(
        JSON.stringify(description).replace(
          '"schemas":{',
          `"schemas":{"Deep":${'{"properties":{"a":'.repeat(20_000)}{}${'}}'.repeat(20_000)},`,
        ),
      ),
    ),
    'brackets without end, at which the reader of YAML would reach the end of the stack': inconclusive(
      document('['.repeat(100_000)),
    ),
    'blocks without end, each on a line of its own and all on one': inconclusive(
      document(
        `${Array.from({ length: 500 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')}\n${'- '.repeat(5000)}`,
      ),
    ),
    'no YAML': fail(document('{"openapi": ')),
    'references that never end': fail(document('&a [*a, *a]')),
    'none was given': notTested(edit.unchanged),
  }),
  ...descriptionRows,
]);

test('the markers of a published document are listed with their operations', () => {
  const value = observed('STAB-1', documents({ source: 'openapi.yaml', text: published })(lines));
  assert.match(
    value,
    /^In the OpenAPI document: x-stability "not shown" \(GET "\/pets\/\{petId\}"\); .*orders"\)\. No response/,
  );
});

test('the markers in headers are listed with their operations', () => {
  const value = observed(
    'STAB-1',
    edit.at(edit.asked('other-operations'), edit.header('X-Stability', 'beta'))(lines),
  );
  assert.match(
    value,
    /In headers of responses: "X-Stability": "beta" \(GET \/v1\/store\/orders\); .*\/pets\/1\)\.$/,
  );
});

test('what is absent is said', () => {
  assert.equal(
    observed('STAB-1', lines),
    'No OpenAPI document was read (--openapi). No response carries a header with such a marker.',
  );
  const plain = documents({
    source: 'openapi.yaml',
    text: published.replaceAll(/stability/gi, 'kind'),
  });
  assert.match(
    observed('STAB-1', plain(lines)),
    /^No operation of the OpenAPI document has an extension with such a marker\./,
  );
});
