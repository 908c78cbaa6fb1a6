import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { Change } from '../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { fail, inconclusive, notTested, pass, rowsOf } from '../../../evaluation/testing/suites/edits.ts';
import { testChapter } from '../../../evaluation/testing/suites/verdict-rows.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judge } from '../judge/judge.ts';
import { descriptionRows, documents } from './version-and-deprecation/description.rows.ts';
import { descriptionContentRows } from './version-and-deprecation/description-content.rows.ts';

const { lines } = await virtualRun();
const published = readFileSync(new URL('../../../spec/openapi.yaml', import.meta.url), 'utf8');
const address = (baseUrl: string) => edit.run((run) => ({ ...run, target: { ...run.target, baseUrl } }));
const document = (text: string): edit.Change => documents({ source: 'openapi.yaml', text });

testChapter('Version and deprecation', lines, [
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
        JSON.stringify(parse(published)).replace(
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
  ...descriptionContentRows,
]);

const specification = await loadSpecification();

function observed(journal: Change): string {
  const record = judge({ lines: journal(lines), damage: [] }, specification, { strict: false });
  return record.observations.find(({ id }) => id === 'STAB-1')?.value ?? '';
}

test('the markers of a published document are listed with their operations', () => {
  const value = observed(documents({ source: 'openapi.yaml', text: published }));
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
    text: published.replaceAll(/stability/gi, 'kind'),
  });
  assert.match(
    observed(plain),
    /^No operation of the OpenAPI document has an extension with such a marker\./,
  );
});
