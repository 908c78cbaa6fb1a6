import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { temporaryPath } from '../../../evaluation/testing/clients/recorded.ts';
import { waits } from '../../../evaluation/testing/clients/scripted.ts';
import { clientJournal } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { isClientJournal, readClientJournal } from './journal-reader.ts';

// What every journal has in common (damage, bounds, versions) is tested with that of a service, in suites/service/wire.

const [head, ...lines] = clientJournal(waits());
const ndjson = (all: readonly unknown[]): string => all.map((line) => `${JSON.stringify(line)}\n`).join('');
const written = (t: TestContext, text: string): string => {
  const path = temporaryPath(t, 'journal.ndjson');
  writeFileSync(path, text);
  return path;
};

test('what was written is read', (t) => {
  const text = ndjson([head, ...lines]);
  const path = written(t, text);
  assert.equal(isClientJournal(path), true);
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  assert.deepEqual(readClientJournal(path), { lines: [head, ...lines], damage: [], digest });
});

test('a line without what its kind has is left out and named', (t) => {
  const path = written(t, ndjson([head, { kind: 'arrival', n: 1, start: 1 }, ...lines]));
  const read = readClientJournal(path);
  assert.deepEqual(read.lines, [head, ...lines]);
  assert.deepEqual(read.damage, [`Line 2 of ${path} is damaged and was left out.`]);
});

for (const [name, first, sentence] of [
  ['the journal of a service', { kind: 'run', journalVersion: 3 }, /is not the journal of a client/],
  ['another version', { ...head, journalVersion: 2 }, /journal version 2; this program reads version 1/],
] as const) {
  test(`${name}: one sentence`, (t) => {
    assert.throws(() => readClientJournal(written(t, ndjson([first]))), sentence);
  });
}
