import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { StallLine } from '../model/journal.ts';
import { watchStalls } from './stall-watch.ts';

test('a moment in which this program did not run is recorded with its length', async () => {
  const stalls: StallLine[] = [];
  const stop = watchStalls((line) => stalls.push(line));
  await delay(60);
  const from = performance.now();
  while (performance.now() - from < 600);
  await delay(60);
  stop();
  assert.ok(
    stalls.some(({ milliseconds }) => milliseconds >= 500),
    JSON.stringify(stalls),
  );
});
