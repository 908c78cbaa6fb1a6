import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { Change } from '../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { testChapter } from '../../../evaluation/testing/suites/edits.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judge } from '../judge/judge.ts';
import { descriptionRows, documents } from './version-and-deprecation/description.rows.ts';
import { descriptionContentRows } from './version-and-deprecation/description-content.rows.ts';

const { lines } = await virtualRun();
const published = readFileSync(new URL('../../../spec/openapi.yaml', import.meta.url), 'utf8');
const address = (baseUrl: string) => edit.run((run) => ({ ...run, target: { ...run.target, baseUrl } }));
const document = (text: string): edit.Change => documents({ source: 'openapi.yaml', text });

testChapter('Version and deprecation', lines, [
  { id: 'VER-1', description: '/v1', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'VER-1',
    description: 'behind a gateway, with a slash',
    journal: address('https://example.com/gateway/v1/'),
    verdict: 'pass',
  },
  { id: 'VER-1', description: '/v11', journal: address('https://example.com/v11'), verdict: 'fail' },
  { id: 'VER-1', description: 'the root', journal: address('https://v1.example.com'), verdict: 'fail' },
  {
    id: 'VER-2',
    description: 'the description of the specification',
    journal: document(published),
    verdict: 'pass',
  },
  ...descriptionRows,
  ...descriptionContentRows,
  {
    id: 'VER-2',
    description: 'another version',
    journal: document(published.replace('version: 1.0.0', 'version: 1.0.1')),
    verdict: 'fail',
  },
  {
    id: 'VER-2',
    description: 'OpenAPI 3.1',
    journal: document(published.replace('3.0.3', '3.1.0')),
    verdict: 'fail',
  },
  {
    id: 'VER-2',
    description: 'an operation is missing',
    journal: document(published.replace('/store/orders', '/store/order')),
    verdict: 'fail',
  },
  {
    id: 'VER-2',
    description: 'a reference that leads nowhere',
    journal: document(published.replace('#/components/schemas/Category', '#/components/schemas/Species')),
    verdict: 'fail',
  },
  {
    id: 'VER-2',
    description: 'what looks like a reference in an extension',
    journal: document(`${published}\nx-note: { $ref: '#/nowhere' }\n`),
    verdict: 'pass',
  },
  {
    id: 'VER-2',
    description: 'a reference to a path, escaped as a pointer in an address',
    journal: document(
      published.replace('paths:\n', "paths:\n  /pets/again:\n    $ref: '#/paths/~1pets~1%7BpetId%7D'\n"),
    ),
    verdict: 'pass',
  },
  {
    id: 'VER-2',
    description: 'a YAML key twice',
    journal: document(`${published}\nopenapi: 3.0.3\n`),
    verdict: 'fail',
  },
  {
    id: 'VER-2',
    description: 'too much YAML',
    journal: document('- 1\n'.repeat(150_000)),
    verdict: 'inconclusive',
  },
  {
    id: 'VER-2',
    description: 'schemas nested without end',
    journal: document(
      JSON.stringify(parse(published)).replace(
        '"schemas":{',
        `"schemas":{"Deep":${'{"properties":{"a":'.repeat(20_000)}{}${'}}'.repeat(20_000)},`,
      ),
    ),
    verdict: 'inconclusive',
  },
  {
    id: 'VER-2',
    description: 'brackets without end, at which the reader of YAML would reach the end of the stack',
    journal: document('['.repeat(100_000)),
    verdict: 'inconclusive',
  },
  {
    id: 'VER-2',
    description: 'blocks without end, each on a line of its own and all on one',
    journal: document(
      `${Array.from({ length: 500 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')}\n${'- '.repeat(5000)}`,
    ),
    verdict: 'inconclusive',
  },
  { id: 'VER-2', description: 'no YAML', journal: document('{"openapi": '), verdict: 'fail' },
  {
    id: 'VER-2',
    description: 'references that never end',
    journal: document('&a [*a, *a]'),
    verdict: 'fail',
  },
  { id: 'VER-2', description: 'none was given', journal: edit.unchanged, verdict: 'not-tested' },
]);

const stabilityPublished = readFileSync(new URL('../../../spec/openapi.yaml', import.meta.url), 'utf8');
const { lines: stabilityLines } = await virtualRun();
const specification = await loadSpecification();

function observed(journal: Change): string {
  const record = judge({ lines: journal(stabilityLines), damage: [] }, specification, { strict: false });
  return record.observations.find(({ id }) => id === 'STAB-1')?.value ?? '';
}

test('the markers of a published document are listed with their operations', () => {
  const value = observed(documents({ source: 'openapi.yaml', text: stabilityPublished }));
  assert.match(
    value,
    /^In the OpenAPI document: x-stability "not shown" \(GET "\/pets\/\{petId\}"\); .*orders"\)\. No response/,
  );
});

test('the markers in headers are listed with their operations', () => {
  const value = observed(edit.at(edit.asked('other-operations'), edit.header('X-Stability', 'beta')));
  assert.match(
    value,
    /In headers of responses: "X-Stability": "beta" \(GET \/v1\/store\/orders\); .*\/pets\/1\)\.$/,
  );
});

test('what is absent is said', () => {
  assert.equal(
    observed(edit.unchanged),
    'No OpenAPI document was read (--openapi). No response carries a header with such a marker.',
  );
  const plain = documents({
    source: 'openapi.yaml',
    text: stabilityPublished.replaceAll(/stability/gi, 'kind'),
  });
  assert.match(
    observed(plain),
    /^No operation of the OpenAPI document has an extension with such a marker\./,
  );
});
