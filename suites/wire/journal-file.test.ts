import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { JournalLine, RunLine } from '../model/journal.ts';
import { JournalError, JournalFile, readJournal } from './journal-file.ts';

const head: RunLine = {
  kind: 'run',
  journalVersion: 1,
  suite: { name: 'petstore-conformance', version: '0.0.0' },
  spec: { version: '1.0.0', digest: `sha256:${'0'.repeat(64)}` },
  target: { baseUrl: 'http://127.0.0.1:1/v1', plan: 'free' },
  limits: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 },
  furtherPlans: {},
  given: { otherKey: false, spentKey: false, sacrificialKey: false, openapi: false },
  probes: [],
  startedAt: '2026-11-21T00:00:00.000Z',
};

const note = (text: string): JournalLine => ({ kind: 'note', probe: 'drain', text, at: 1 });

function journalOf(t: TestContext, lines: readonly JournalLine[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-journal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = new JournalFile(join(folder, 'journal.ndjson'));
  for (const line of lines) file.append(line);
  file.close();
  return file.path;
}

test('what was appended is read again, whatever the length of its lines', (t) => {
  // The reader takes a mebibyte at a time: these lines end before, on and after its edge, in the middle of a character.
  const mebibyte = 1024 * 1024;
  const lines = [
    head,
    ...[0, 1, 2, 3, 4, 5].map((more) => note('é🐈'.repeat(mebibyte / 6) + 'x'.repeat(more))),
    note('last'),
  ];
  assert.deepEqual(readJournal(journalOf(t, lines)), { lines, damage: [] });
});

test('a line that was cut off, and one that is no exchange, are left out and told of by number', (t) => {
  const path = journalOf(t, [head, note('kept')]);
  appendFileSync(path, '{"kind":"exchange","n":1}\n\n{"kind":"note","pro');
  const { lines, damage } = readJournal(path);
  assert.deepEqual(lines, [head, note('kept')]);
  assert.deepEqual(damage, [
    `Line 3 of ${path} is damaged and was left out.`,
    `Line 5 of ${path} is damaged and was left out.`,
  ]);
});

test('a file that is not there, a folder and a file of something else are refused in a sentence', (t) => {
  const path = journalOf(t, [head]);
  assert.throws(() => readJournal(`${path}.none`), JournalError);
  assert.throws(() => readJournal(join(path, '..')), JournalError);
  writeFileSync(path, '');
  assert.throws(() => readJournal(path), /is not a journal of this program/);
  writeFileSync(path, '{"openapi":"3.0.3"}');
  assert.throws(() => readJournal(path), /is not a journal of this program/);
  writeFileSync(path, JSON.stringify({ ...head, journalVersion: 2 }));
  assert.throws(() => readJournal(path), /has journal version 2/);
});
