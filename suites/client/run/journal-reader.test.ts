import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryPath } from '../../../evaluation/testing/clients/recorded.ts';
import { completeBody } from '../../../kernel/exchanges/body.ts';
import type { ClientJournalLine } from '../model/journal.ts';
import { isClientJournal, readClientJournal } from './journal-reader.ts';

const at = { wall: 1, mono: 1 };
const head: ClientJournalLine = {
  kind: 'client-run',
  journalVersion: 1,
  suite: { name: 'petstore-conformance', version: '0.0.0' },
  spec: { version: '1.0.0', digest: `sha256:${'0'.repeat(64)}` },
  client: { kind: 'command', words: ['node', 'client.mjs'], where: 'this host' },
  starts: [{ start: 1, scenario: 'wait-seconds', repetition: 1 }],
  startedAt: '2026-11-22T00:00:00.000Z',
};
const lines: readonly ClientJournalLine[] = [
  head,
  { kind: 'start', start: 1, scenario: 'wait-seconds', repetition: 1, at },
  {
    kind: 'arrival',
    n: 1,
    start: 1,
    at,
    connection: { id: 1, fresh: true },
    inFlight: 1,
    method: 'GET',
    target: '/v1/categories',
    headers: [['Host', 'a']],
  },
  { kind: 'response', n: 1, at, requestBody: null, status: 200, headers: [], body: completeBody('[]') },
  { kind: 'exit', start: 1, at, how: { kind: 'exited', code: 0 }, output: '', leftBehind: ['node'] },
  {
    kind: 'end',
    how: 'finished',
    because: 'Every scenario was played.',
    finishedAt: '2026-11-22T00:00:01.000Z',
  },
];
const ndjson = (all: readonly unknown[]): string => all.map((line) => `${JSON.stringify(line)}\n`).join('');

test('what was written is read', (t) => {
  const path = temporaryPath(t, 'journal.ndjson');
  writeFileSync(path, ndjson(lines));
  assert.equal(isClientJournal(path), true);
  const { digest, ...read } = readClientJournal(path);
  assert.deepEqual(read, { lines, damage: [] });
  assert.equal(digest, `sha256:${createHash('sha256').update(ndjson(lines)).digest('hex')}`);
});

for (const [name, damaged] of [
  ['a cut line', '{"kind":"arrival","n":\n'],
  ['a kind of another journal', '{"kind":"exchange"}\n'],
  ['an arrival without a header list', '{"kind":"arrival","n":1,"start":1}\n'],
  ['a line that is too long', `{"kind":"${'x'.repeat(2_000_000)}"}\n`],
] as const) {
  test(`${name} is left out and named`, (t) => {
    const path = temporaryPath(t, 'journal.ndjson');
    writeFileSync(path, ndjson(lines.slice(0, 2)) + damaged + ndjson(lines.slice(2)));
    const read = readClientJournal(path);
    assert.deepEqual(read.lines, lines);
    assert.deepEqual(read.damage, [`Line 3 of ${path} is damaged and was left out.`]);
  });
}

for (const [name, text, sentence] of [
  ['the journal of a service', '{"kind":"run","journalVersion":3}\n', /is not the journal of a client/],
  ['an empty file', '', /is not the journal of a client/],
  [
    'another version',
    ndjson([{ ...head, journalVersion: 2 }]),
    /journal version 2; this program reads version 1/,
  ],
  ['too many lines', ndjson([...lines, ...lines.slice(1)]), /has more than 8 lines/],
] as const) {
  test(`${name}: one sentence`, (t) => {
    const path = temporaryPath(t, 'journal.ndjson');
    writeFileSync(path, text);
    assert.throws(() => readClientJournal(path, { lineBytes: 1000, lines: 8, bytes: 10_000 }), sentence);
  });
}

test('no file: one sentence', () => {
  assert.throws(() => readClientJournal('/no/such/journal.ndjson'), /there is no such file/);
  assert.throws(() => isClientJournal('/no/such/journal.ndjson'), /there is no such file/);
});
