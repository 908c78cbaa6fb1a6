import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startServer } from '../../reference-server/http/server.ts';
import { numbersTo, sampleOf } from '../../tools/sample.ts';
import { plansFile, plansOf, start, temporaryFolder } from '../testing/cli/command.ts';
import { describeAccident } from './accidents.ts';
import { assertNothingLost } from './recorded-run.ts';

// kill -9 at random moments: everything that the progress output showed is in the journal, complete and judgeable.
// PROVE_KILLS is the number of kills (by default 10), PROVE_SEED seeds the moments.

const KILLS = Number(process.env['PROVE_KILLS'] ?? 10);
const SEED = Number(process.env['PROVE_SEED'] ?? 1);

/** Longer than a run with a window of a second takes on an idle machine, in milliseconds from the first output. */
const LATEST_MS = 3500;

/** A number from 0 to 1 for each kill, the same for the same seed (a multiplicative congruential generator). */
function* moments(seed: number): Generator<number> {
  for (let state = (seed * 48_271) % 2_147_483_647; ; state = (state * 48_271) % 2_147_483_647) {
    yield state / 2_147_483_647;
  }
}

describeAccident('kill', () => {
  const random = moments(SEED);
  const kills = numbersTo(KILLS).map(
    (n) => [n, Math.round(Number(random.next().value) * LATEST_MS)] as const,
  );
  for (const [n, ms] of sampleOf(kills)) {
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
      assertNothingLost(join(cwd, 'run', 'journal.ndjson'), err);
    });
  }
});
