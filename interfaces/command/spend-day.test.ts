import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { exits, verdictIn } from '../../evaluation/testing/cli/command.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { startServer } from '../../reference-server/http/server.ts';
import { loadPlans } from '../../spec/plans.ts';

const KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3=';

describe('--spend-day', { concurrency: 2 }, () => {
  const STAGING = ['certify', '--target', 'https://staging.invalid/v1', '--spend-day'];

  test('states before the first request how many it sends and how long that takes', async (t) => {
    const { out } = await exits(0, t, [...STAGING, '--dry-run'], { env: { PETSTORE_API_KEY: KEY } });
    assert.match(out, /With the key +1,001 requests \(100 % /);
    assert.match(out, /Daily quota +used completely: after the other probes, 939 requests, one every 1\.1 s/);
    assert.match(
      out,
      /Duration +about 18 min \d+ s, .* up to 3\d min \d+ s if the target does not enforce it/,
    );
  });

  test('starts only with an unused day, and enters its use', async (t) => {
    const cwd = temporaryFolder(t);
    const plans = { free: { perMinute: 60, perDay: 200 } };
    writeFileSync(join(cwd, 'plans.json'), JSON.stringify({ minuteSeconds: 4, daySeconds: 3600, plans }));
    const server = await startServer({ plans: loadPlans(join(cwd, 'plans.json')) });
    t.after(() => server.close());
    const env = { PETSTORE_API_KEY: server.keys.free[0] ?? '' };
    const target = ['--target', server.baseUrl, '--plans', 'plans.json'];
    const args = ['certify', ...target, '--spend-day', '--out', 'run'];
    const first = await exits(0, t, args, { cwd, env });
    assert.equal(verdictIn(join(cwd, 'run'), 'LIMIT-9'), 'pass');
    assert.match(first.out, /4 MUST requirements were not tested: LIMIT-7, BAN-1, BAN-2, VER-2\./);
    assert.match(first.err, /spend-day: the rest of the daily quota/);
    const second = await exits(2, t, args, { cwd, env });
    assert.match(second.err, /needs a key that was not used for a day, and the key sent 2\d\d requests/);
    const judged = await exits(0, t, ['judge', 'run/journal.ndjson', '--out', 'again'], { cwd });
    assert.match(judged.out, /conforms: core/);
  });
});
