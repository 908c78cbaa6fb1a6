import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { body as bodyOf, excerptOf, RUN } from '../../../evaluation/testing/suites/synthetic.ts';
import { temporaryFolder } from '../../../evaluation/testing/tools/folder.ts';
import type { Answer, Exchange } from '../../../kernel/exchanges/exchange.ts';
import { JournalError, LineFile } from '../../../kernel/recording/line-file.ts';
import type { JournalLine } from '../model/journal.ts';
import { readJournal } from './journal.ts';

const note = (text: string): JournalLine => ({ kind: 'note', probe: 'exhaust-quota', text, at: 1 });

function journalOf(t: TestContext, lines: readonly JournalLine[]): string {
  const folder = temporaryFolder(t);
  const file = new LineFile<JournalLine>(join(folder, 'journal.ndjson'));
  for (const line of lines) file.append(line);
  file.close();
  return file.path;
}

/** The same as plain data: a journal that was read is a table. */
const plain = (lines: readonly JournalLine[]): unknown => JSON.parse(JSON.stringify(lines));

test('appended lines are read again, whatever their length', (t) => {
  // The reader takes a mebibyte at a time: these lines end before, on and after its edge, in the middle of a character.
  const mebibyte = 1024 * 1024;
  const lines = [
    RUN,
    ...[0, 1, 2, 3, 4, 5].map((more) => note('é🐈'.repeat(mebibyte / 6) + 'x'.repeat(more))),
    note('last'),
  ];
  const path = journalOf(t, lines);
  const digest = `sha256:${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
  assert.deepEqual(readJournal(path), { lines, damage: [], digest });
});

for (const [what, change] of [
  ['is moved', (path: string) => renameSync(path, `${path}.moved`)],
  ['is removed with its folder', (path: string) => rmSync(join(path, '..'), { recursive: true })],
  [
    'is replaced by another one',
    (path: string) => {
      renameSync(path, `${path}.moved`);
      writeFileSync(path, 'another file');
    },
  ],
  ['stays where it is', () => undefined],
] as const) {
  test(`a file that ${what} while it is written has every line at the end`, (t) => {
    const path = join(temporaryFolder(t), 'run', 'journal.ndjson');
    mkdirSync(join(path, '..'));
    const file = new LineFile<JournalLine>(path);
    const lines = [RUN, note('x'.repeat(3 * 1024 * 1024)), note('last')];
    for (const line of lines.slice(0, 2)) file.append(line);
    change(path);
    for (const line of lines.slice(2)) file.append(line);
    file.close();
    assert.deepEqual(readJournal(path).lines, lines);
  });
}

test('a line that was cut off, and one that is no exchange, are left out and reported by number', (t) => {
  const path = journalOf(t, [RUN, note('kept')]);
  appendFileSync(path, '{"kind":"exchange","n":1}\n\n{"kind":"note","pro');
  const { lines, damage } = readJournal(path);
  assert.deepEqual(lines, [RUN, note('kept')]);
  assert.deepEqual(damage, [
    `Line 3 of ${path} is damaged and was left out.`,
    `Line 5 of ${path} is damaged and was left out.`,
  ]);
});

const listed = (n: number, more: Partial<Answer> = {}): Exchange => ({
  kind: 'exchange',
  n,
  probe: 'exhaust-quota',
  step: 'one by one',
  caller: 'key',
  connection: { id: 1, fresh: n === 1 },
  request: { method: 'GET', target: '/v1/categories', headers: [], body: null },
  sent: { wall: n, mono: n },
  received: { wall: n + 1, mono: n + 1 },
  outcome: {
    kind: 'answer',
    status: 200,
    headers: [['X-RateLimit-Remaining', String(60 - n)]],
    body: bodyOf('[{"id":1,"name":"é"}]'),
    ...more,
  },
});

const excerpt = excerptOf('[{"id":1', 23);
const silent: Exchange = {
  ...listed(4),
  outcome: { kind: 'no-response', cause: 'reset', detail: 'ECONNRESET' },
};

test('responses that repeat the previous body are read like any other', (t) => {
  const creation = { ...listed(5).request, body: bodyOf('{}') };
  const lines = [
    RUN,
    listed(1),
    listed(2),
    listed(3, { body: excerpt, broken: 'reset after 23 bytes' }),
    silent,
    { ...listed(5), request: creation },
    { ...silent, request: creation },
    note('a note that says ,"body":'),
    listed(6),
  ];
  const { lines: read, damage } = readJournal(journalOf(t, lines));
  assert.deepEqual({ read: plain(read), damage }, { read: lines, damage: [] });
  const bodies = read.flatMap((line) =>
    line.kind === 'exchange' && 'body' in line.outcome ? [line.outcome.body] : [],
  );
  assert.equal(new Set(bodies).size, 2, 'one whole body, and one excerpt');
});

test('a line with a broken or misplaced part is damaged', (t) => {
  const path = journalOf(t, [RUN, listed(1)]);
  const text = JSON.stringify(listed(2));
  // A body that broke off is never complete.
  const broken = JSON.stringify(listed(2, { broken: 'reset' }));
  const without = text.replace(/"outcome":.*/, '"outcome":null}');
  // JavaScript puts a number before all other names, and a name that stands twice where it stood first.
  const elsewhere = ['more', '1', 'connection'].map((name) =>
    text.replace(',"body":{', `},"${name}":{"id":1,"fresh":false,"body":{`),
  );
  const damaged = [text.slice(9), text.replace('answer', 'guess'), broken, without, ...elsewhere];
  appendFileSync(path, `${damaged.join('\n')}\n`);
  const { lines, damage } = readJournal(path);
  assert.deepEqual([plain(lines), damage.length], [[RUN, listed(1)], 7]);
});

test('a missing file, a folder and another kind of file end in one sentence', (t) => {
  const path = journalOf(t, [RUN]);
  assert.throws(() => readJournal(`${path}.none`), JournalError);
  assert.throws(() => readJournal(join(path, '..')), JournalError);
  writeFileSync(path, '');
  assert.throws(() => readJournal(path), /is not a journal of this program/);
  writeFileSync(path, '{"openapi":"3.0.3"}');
  assert.throws(() => readJournal(path), /is not a journal of this program/);
  writeFileSync(path, JSON.stringify({ ...RUN, journalVersion: 1 }));
  assert.throws(() => readJournal(path), /has journal version 1/);
});

const bounds = { lineBytes: 3000, lines: 100, bytes: 1000 };

test('a line that is too long is damaged, wherever the chunks of the file end, and is not kept', (t) => {
  const long = note('x'.repeat(3 * 1024 * 1024));
  const shorter = note('x'.repeat(bounds.lineBytes));
  const path = journalOf(t, [RUN, long, note('kept'), shorter]);
  const { lines, damage } = readJournal(path, bounds);
  assert.deepEqual(lines, [RUN, note('kept')]);
  assert.deepEqual(
    damage,
    [2, 4].map((line) => `Line ${line} of ${path} is damaged and was left out.`),
  );
});

test('of many damaged lines the first are reported, and how many more there are', (t) => {
  const path = journalOf(t, [RUN]);
  appendFileSync(path, 'x\n'.repeat(107));
  const { damage } = readJournal(path);
  assert.equal(damage.length, 101);
  assert.equal(damage.at(-1), '7 further lines are damaged and were left out, the last of them line 108.');
});

test('more lines or different bodies than fit into memory end in one sentence', (t) => {
  const notes = Array.from({ length: 100 }, () => note('again'));
  const path = journalOf(t, [RUN, ...notes]);
  assert.throws(() => readJournal(path, bounds), {
    name: 'JournalError',
    message: `${path} has more than 100 lines: no run of this program records as much, and more is not read, so that memory stays bounded. Judge a part of it, its first line included.`,
  });
  const body = (text: string) => ({ body: bodyOf(text) });
  const alike = journalOf(t, [RUN, ...[1, 2, 3].map((n) => listed(n, body('a'.repeat(900))))]);
  assert.equal(readJournal(alike, bounds).lines.length, 4);
  const different = journalOf(t, [RUN, ...[1, 2, 3].map((n) => listed(n, body(String(n).repeat(900))))]);
  assert.throws(() => readJournal(different, bounds), /takes more than 1,000 bytes of memory, at line 3:/);
});

test('a file that is no journal is not read to its end', (t) => {
  const path = journalOf(t, [note('no head'), RUN, ...Array.from({ length: 200 }, () => note('more'))]);
  assert.throws(() => readJournal(path, bounds), /is not a journal of this program/);
});
