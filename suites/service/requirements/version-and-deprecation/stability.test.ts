import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { virtualRun } from '../../../../evaluation/simulation/virtual-run.ts';
import type { Change } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { loadSpecification } from '../../../../spec/specification.ts';
import { judge } from '../../judge/judge.ts';
import { documents } from './description.rows.ts';

const published = readFileSync(new URL('../../../../spec/openapi.yaml', import.meta.url), 'utf8');
const { lines } = await virtualRun();
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
  const plain = documents({ source: 'openapi.yaml', text: published.replaceAll(/stability/gi, 'kind') });
  assert.match(
    observed(plain),
    /^No operation of the OpenAPI document has an extension with such a marker\./,
  );
});
