import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSignsOfLife } from './signs-of-life.ts';

test('long work is reported every half minute until it ends, also where it fails', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const lines: string[] = [];
  const report = (line: string): void => void lines.push(line);
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_, no) => {
    reject = no;
  });
  const work = withSignsOfLife('building it', report, promise);
  t.mock.timers.tick(70_000);
  assert.deepEqual(lines, ['k6: still building it (30 s)', 'k6: still building it (60 s)']);
  reject(new Error('failed'));
  await assert.rejects(work, /failed/);
  t.mock.timers.tick(60_000);
  assert.equal(lines.length, 2);
});
