import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientJournalLine } from '../model/journal.ts';
import { scenarios } from '../scenarios/index.ts';
import { planStarts } from './plan.ts';
import { SeriesLines } from './series-lines.ts';

const plan = planStarts(scenarios, { only: undefined, thorough: false });
const at = { wall: 0, mono: 0 };
const exitOf = (start: number): ClientJournalLine => ({
  kind: 'exit',
  start,
  at,
  how: { kind: 'exited', code: 0 },
  output: '',
});

test('whether the backoff is unclear is decided once, when the series and the waits have ended', () => {
  const lines = new SeriesLines(plan);
  const seen: (readonly ClientJournalLine[])[] = [];
  const isUnclear = (some: readonly ClientJournalLine[]): boolean => seen.push(some) > 0;
  const awaited = plan.starts.filter(({ played: { decides } }) =>
    decides.some((id) => id === 'CLIENT-1' || id === 'CLIENT-2'),
  );
  const scenarioIds = awaited.map(({ scenario }) => scenario);
  // A wait of seconds shows whether a constant pause is the announced wait or ignores it.
  for (const id of ['wait-seconds', 'backoff-after-seconds', 'backoff-after-zero'])
    assert.ok(scenarioIds.includes(id), id);
  for (const { start } of awaited) {
    assert.deepEqual(lines.furtherStarts(isUnclear), []);
    lines.observe(exitOf(start));
  }
  assert.deepEqual(lines.furtherStarts(isUnclear), plan.ifUnclear);
  assert.deepEqual(seen, [awaited.map(({ start }) => exitOf(start))]);
  assert.deepEqual(lines.furtherStarts(isUnclear), []);
});
