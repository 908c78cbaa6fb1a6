import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { Change } from '../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { fail, pass, rowsOf, testRows } from '../../../evaluation/testing/suites/edits.ts';
import { ownFixOf } from '../../../kernel/findings/finding.ts';
import { findVariant } from '../../../reference-server/catalogue/variants/index.ts';
import { register } from '../../../spec/register.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judge } from '../judge/judge.ts';
import { creations } from '../probes/creations.ts';
import { secondWindow } from '../probes/later-windows.ts';
import { observables, requirements } from './index.ts';
import { furtherWindowRows } from './limit-enforcement/further-windows.rows.ts';

// What a sentence description beyond the verdict, where the stacks of others showed that a reader needs it.

const { lines } = await virtualRun();
const specification = await loadSpecification();
const { at, asked, answered, both } = edit;
const limited = both(asked('exhaust-quota'), answered(429));

const hints: readonly (readonly [id: string, description: string, journal: Change, words: RegExp])[] = [
  [
    'RATE-4',
    'a gateway’s own page refuses',
    at(limited, edit.header('X-RateLimit-Limit'), edit.header('Content-Type', 'text/html')),
    /a gateway in front of the service may have answered/,
  ],
  [
    'LIST-1',
    'a router adds a slash',
    at(asked('preflight'), edit.status(301), edit.header('Location', '/v1/categories/')),
    /received 301 with Location "\/v1\/categories\/"/,
  ],
  [
    'CREATE-9',
    'a parser stops after the first value',
    at(asked('rejections', 'text after the JSON'), edit.status(201)),
    /RFC 8259 §9 lets a parser accept.* Clients act on .* read the body to its end\./,
  ],
  [
    'CREATE-4',
    'a framework has a status of its own for invalid bodies',
    at(asked('rejections', 'no name'), edit.status(422)),
    /received 422 in .*\. Clients act on the documented status/,
  ],
  [
    'CREATE-5',
    'a reader turns numbers into strings',
    at(asked('rejections', 'name is a number'), edit.status(201)),
    /Switch type conversion off/,
  ],
  [
    'CAT-4',
    'two workers give the same id',
    at(
      asked('list-after-creations'),
      edit.rewrite((body) => body.replaceAll(/"name":"(?:[^"\\]|\\.)*"/g, '"name":"another"')),
    ),
    /If that is another category, two have the same id/,
  ],
  [
    'CAT-2',
    'a name is a number',
    at(
      asked(creations.id, creations.steps.nameAlone),
      edit.rewrite((body) => body.replace(/"name":"[^"]*"/, '"name":123')),
    ),
    /received 123 as `name`/,
  ],
  [
    'CAT-3',
    'a serialiser writes null for an absent text',
    at(
      asked(creations.id, creations.steps.nameAlone),
      edit.rewrite((body) => body.replace(/\}$/, ',"description":null}')),
    ),
    /`description` as a string or not at all/,
  ],
];

for (const [id, description, journal, words] of hints) {
  test(`${id} description what to look at where ${description}`, () => {
    const record = judge({ lines: journal(lines), damage: [] }, specification, { strict: false });
    const finding = record.requirements.find((one) => one.id === id);
    assert.ok(finding !== undefined);
    const cause = record.causes.find(({ requirements }) => requirements.some((one) => one === id));
    assert.match(`${finding.because} ${cause?.fix ?? ownFixOf(finding) ?? ''}`, words);
  });
}

// A sentence of a pass states what was checked, and nothing that was not.

const { lines: passSentencesLines } = await virtualRun();
const bounded = await virtualRun({ fault: findVariant('names-of-sixteen') });
const passSentencesSpecification = await loadSpecification();
const { at: passSentencesAt, asked: passSentencesAsked } = edit;
const notList = passSentencesAsked('list-after-creations');

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
    passSentencesAt(notList, edit.limited),
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
    const record = judge({ lines: journal(passSentencesLines), damage: [] }, passSentencesSpecification, {
      strict: false,
    });
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

const judged = register.filter((one) => one.judged === 'by certify');

test('every id that certify judges has exactly one judge, and no judge is without an id', () => {
  const ids = [...requirements, ...observables].map(({ id }) => id);
  assert.deepEqual([...ids].sort(), judged.map(({ id }) => id).sort());
});

test('every chapter has its table of verdicts', () => {
  const chapters = new Set(judged.map(({ chapter }) => chapter));
  for (const chapter of chapters) {
    const file =
      chapter === 'Category and Error schemas'
        ? 'schemas'
        : chapter.toLowerCase().replace(' a ', ' ').replaceAll(' ', '-');
    assert.ok(existsSync(new URL(`./${file}.test.ts`, import.meta.url)), `${chapter} has no ${file}.test.ts`);
  }
});

const { lines: furtherWindowsLines } = await virtualRun({ thorough: true });
const { at: furtherWindowsAt, asked: furtherWindowsAsked } = edit;
const similar = furtherWindowsAsked(secondWindow.id, secondWindow.steps.similarKey);

testRows(furtherWindowsLines, [
  ...furtherWindowRows,
  ...rowsOf('AUTH-3', {
    'a similar key returns 401': pass(edit.unchanged),
    'a similar key is limited': pass(furtherWindowsAt(similar, edit.limited)),
    'a similar key is accepted': fail(furtherWindowsAt(similar, edit.status(200))),
  }),
]);
