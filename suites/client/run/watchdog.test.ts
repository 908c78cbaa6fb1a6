import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { nodeClient, processesWith, temporaryPath } from '../../../evaluation/testing/clients/recorded.ts';
import type { StallLine } from '../model/journal.ts';
import { readClientJournal } from './journal-reader.ts';
import { watchStalls } from './watchdog.ts';

/** A program that plays a long scenario to a client of ours, in a process that the test can kill. */
const runner = (journal: string, words: readonly string[]): string => `
import { brief, record } from ${JSON.stringify(new URL('../../../evaluation/testing/clients/recorded.ts', import.meta.url).href)};
await record(${JSON.stringify(journal)}, ${JSON.stringify(words)}, [{ ...brief, repetitions: 3, watchSeconds: 60 }], {
  observe: ({ kind }) => console.log(kind),
});`;

for (const detached of [false, true]) {
  test(`kill -9 of the run ends its clients, ${detached ? 'also in sessions of their own' : 'with their children'}`, async (t) => {
    if (!existsSync('/proc')) return t.skip('this system does not show its processes');
    const id = randomUUID();
    const journal = temporaryPath(t, 'journal.ndjson');
    const program = temporaryPath(t, 'runner.mts');
    const client = nodeClient(`
      import { spawn } from 'node:child_process';
      process.on('SIGTERM', () => {});
      const again = ['--eval', "setInterval(() => '${id}', 1000)"];
      spawn(process.execPath, again, { stdio: 'ignore', detached: ${detached} });
      await list();
      setInterval(() => {}, 1000);`);
    writeFileSync(program, runner(journal, client));
    const run = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => run.kill('SIGKILL'));
    let responses = 0;
    for await (const chunk of run.stdout.setEncoding('utf8')) {
      responses += String(chunk).split('response').length - 1;
      if (responses >= 3) break;
    }
    assert.equal(processesWith(id).length >= 3, true);
    run.kill('SIGKILL');
    await once(run, 'exit');
    for (let waited = 0; waited < 10_000 && processesWith(id).length > 0; waited += 50) await delay(50);
    assert.deepEqual(processesWith(id), []);
    const { lines, damage } = readClientJournal(journal);
    assert.deepEqual(damage, []);
    assert.equal(lines.filter(({ kind }) => kind === 'response').length, 3);
  });
}

test('a moment in which this program did not run is recorded with its length', async () => {
  const stalls: StallLine[] = [];
  const stop = watchStalls((line) => stalls.push(line));
  await delay(60);
  const from = performance.now();
  while (performance.now() - from < 600);
  await delay(60);
  stop();
  const longest = Math.max(...stalls.map(({ milliseconds }) => milliseconds));
  assert.ok(longest >= 500, `${longest} ms`);
});
