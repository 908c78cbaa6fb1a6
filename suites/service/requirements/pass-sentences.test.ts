import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { Change } from '../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { findVariant } from '../../../reference-server/catalogue/variants/index.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judge } from '../judge/judge.ts';

// A sentence of a pass states what was checked, and nothing that was not.

const { lines } = await virtualRun();
const bounded = await virtualRun({ fault: findVariant('names-of-sixteen') });
const specification = await loadSpecification();
const { at, asked } = edit;
const notList = asked('list-after-creations');

const sentences: readonly (readonly [id: string, description: string, journal: Change, words: RegExp])[] = [
  [
    'LIST-3',
    'which categories were compared, and with which lists',
    edit.unchanged,
    /^\d+ categories were compared \(created in exchanges 3, 7, 8, 9, .*\): every later list contains each of them with the id of its 201 and, .*, the name and description that were sent or that the 201 showed\.$/,
  ],
  [
    'LIST-1',
    'that a list was not answered',
    at(notList, edit.limited),
    /\(\d+ exchanges; 1 other proved nothing\)\.$/,
  ],
  [
    'CREATE-11',
    'how many creations were compared',
    edit.unchanged,
    /^\d\d creations of this run returned 201 with an id/,
  ],
  [
    'CREATE-12',
    'which ids were sent and what came back',
    edit.unchanged,
    /sent the id 1 and got 7; .* sent the id \d{10} and got 8\.$/,
  ],
  [
    'CREATE-10',
    'how many creations could be found',
    edit.unchanged,
    /^\d\d creations with a text unique to this run returned 400 or 401/,
  ],
];

for (const [id, description, journal, words] of sentences) {
  test(`${id} description ${description}`, () => {
    const record = judge({ lines: journal(lines), damage: [] }, specification, { strict: false });
    const found = record.requirements.find((one) => one.id === id);
    assert.equal(found?.verdict, 'pass');
    assert.match(found.because, words);
  });
}

test('a bound of names shows in CREATE-1 and CREATE-13, with both sides of it', () => {
  const { requirements, observations } = bounded.record;
  assert.match(
    requirements.find(({ id }) => id === 'CREATE-1')?.because ?? '',
    /a creation with name and description, returned 201 \(name "pc[a-z]{6}" of 8 characters.*returned 400 \(name "pc-virtual1-full-1" of 18 characters/,
  );
  assert.match(
    observations.find(({ id }) => id === 'CREATE-13')?.value ?? '',
    /name "pc-virtual1-full-1" of 18 characters.*: 400; name "pc[a-z]{6}" of 8 characters.*: 201/,
  );
});
