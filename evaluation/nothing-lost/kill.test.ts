import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startServer } from '../../reference-server/index.ts';
import { plansFile, plansOf, start, temporaryFolder } from '../testing/cli/command.ts';
import { afterwards } from './accidents.ts';
import { assertKept } from './kept.ts';

// kill -9 at random moments: whatever a run has announced is in its journal, whole, and judgeable. Ten times in
// a test run; PROVE_KILLS says how often else, PROVE_SEED which moments.

const KILLS = Number(process.env['PROVE_KILLS'] ?? 10);
const SEED = Number(process.env['PROVE_SEED'] ?? 1);

/** Later than a run with a minute of a second ends on a quiet machine, in milliseconds after it said what it will do. */
const LATEST_MS = 3500;

/** A number from 0 to 1 for each kill, the same for the same seed (a multiplicative congruential generator). */
function* moments(seed: number): Generator<number> {
  for (let state = (seed * 48_271) % 2_147_483_647; ; state = (state * 48_271) % 2_147_483_647) {
    yield state / 2_147_483_647;
  }
}

afterwards('kill', () => {
  const random = moments(SEED);
  for (let n = 1; n <= KILLS; n += 1) {
    const ms = Math.round(Number(random.next().value) * LATEST_MS);
    test(`kill ${n} of ${KILLS} (seed ${SEED}), after ${ms} ms`, async (t) => {
      const server = await startServer({ plans: plansOf(1) });
      t.after(() => server.close());
      const cwd = temporaryFolder(t);
      const args = ['certify', '--target', server.baseUrl, '--plans', plansFile(cwd, 1), '--out', 'run'];
      const [key = '', other = ''] = server.keys.free;
      const running = start(t, args, { cwd, env: { PETSTORE_API_KEY: key, PETSTORE_OTHER_KEY: other } });
      await running.until('Folder');
      await Promise.race([delay(ms), running.ended()]);
      running.child.kill('SIGKILL');
      const { code, err } = await running.ended();
      assert.ok(code === null || code === 0, `exit ${code}: ${err}`);
      assertKept(join(cwd, 'run', 'journal.ndjson'), err);
    });
  }
});
