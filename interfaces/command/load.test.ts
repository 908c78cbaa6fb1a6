import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exits, plansFile, run } from '../../evaluation/testing/cli/command.ts';
import { serve, serveReference } from '../../evaluation/testing/cli/target.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { UsageLedger } from '../../kernel/usage-ledger/ledger.ts';

const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const STAGING = ['--target', 'https://staging.example.com/v1'];
const withKey = { PETSTORE_API_KEY: KEY };

test('a dry run against the bundled server prints what would be sent, and sends nothing', async (t) => {
  const { out } = await exits(0, t, ['load', 'over-limit', '--dry-run']);
  assert.match(out, /^Profile +over-limit: Sends the limit and a few requests more/);
  assert.match(out, /^Plan +free: 60 requests in a minute of 4 s, 1,000 in a day$/m);
  assert.match(out, /^Creates +nothing/m);
  assert.match(out, /^key +65 +65 +108 % +6\.5 % +6 in flight$/m);
  assert.match(out, /^total +65 /m);
  assert.doesNotMatch(out, /Used|Blocked/);
});

test('a dry run against a shared target prints what blocks the run, exit 0', async (t) => {
  const { out } = await exits(0, t, ['load', 'day-quota', ...STAGING, '--dry-run'], { env: withKey });
  assert.match(out, /^Blocked +Load on staging\.example\.com is not confirmed: .*--allow-host/m);
  assert.match(out, /^Blocked +The key may send 1,000 requests a day.*--use-full-day/m);
  assert.match(out, /^Used +nothing in the last day, as recorded on this machine$/m);
});

test('the same as JSON, not blocked when the user allows it', async (t) => {
  const args = ['load', 'day-quota', ...STAGING, '--dry-run', '--json', '--use-full-day'];
  const { out } = await exits(0, t, [...args, '--allow-host', 'staging.example.com'], { env: withKey });
  const { profile, target, plan, requests, needs, obstacles, usage } = JSON.parse(out);
  assert.deepEqual(
    { profile, target, plan, requests, needs, obstacles, usage },
    {
      profile: 'day-quota',
      target: STAGING[1],
      plan: 'free',
      requests: 1003,
      needs: ['whole day'],
      obstacles: [],
      usage: { key: { used: 0, available: 900 } },
    },
  );
});

test('a host in the user’s configuration is confirmed; a run against another host is blocked before anything is sent', async (t) => {
  const home = temporaryFolder(t);
  mkdirSync(join(home, 'petstore-conformance'));
  writeFileSync(join(home, 'petstore-conformance', 'load.json'), '{"allowedHosts": ["staging.example.com"]}');
  const env = { ...withKey, XDG_CONFIG_HOME: home, CI: 'true' };
  const dry = await run(t, ['load', 'smoke', ...STAGING, '--dry-run'], { env });
  assert.doesNotMatch(dry.out, /Blocked/);
  let received = 0;
  const origin = await serve(t, (_, response) => {
    received += 1;
    response.end();
  });
  const elsewhere = origin.replace('127.0.0.1', '0.0.0.0');
  const wet = await exits(2, t, ['load', 'smoke', '--target', `${elsewhere}/v1`], { env });
  assert.match(wet.err, /^petstore-conformance: Load on 0\.0\.0\.0 is not confirmed/);
  assert.equal(received, 0);
});

/** An address of this machine that is not a loopback address but reaches a server on loopback. */
const elsewhere = (baseUrl: string): string => baseUrl.replace('127.0.0.1', '0.0.0.0');

const reachable = process.platform === 'win32' ? 'Windows does not connect to 0.0.0.0' : false;

test('certify records what it sent, load reads it, and neither shows the key', {
  skip: reachable,
}, async (t) => {
  const folder = temporaryFolder(t);
  const { baseUrl, keys } = await serveReference(t, 3);
  const [key = '', other = ''] = keys.free;
  const state = join(folder, 'state');
  const env = { PETSTORE_API_KEY: key, PETSTORE_OTHER_KEY: other, XDG_STATE_HOME: state };
  const target = ['--target', elsewhere(baseUrl), '--plans', plansFile(folder, 3)];
  const certified = await exits(0, t, ['certify', ...target, '--out', 'run'], { cwd: folder, env });
  assert.doesNotMatch(certified.out, /^Ledger/m);
  const journal = readFileSync(join(folder, 'run', 'journal.ndjson'), 'utf8');
  // A request with an unspecified form of the key may count, whatever the response was.
  const sent = journal.match(/"caller":"(?:key|unspecified)"/g)?.length;

  const files = join(state, 'petstore-conformance');
  const known = (one: string) =>
    new UsageLedger(files).historyOf(one, new URL(elsewhere(baseUrl)).origin).runs;
  assert.deepEqual(
    known(key).map((one) => [one.command, one.requests]),
    [['certify', sent]],
  );
  assert.equal(known(other)[0]?.requests, 1);
  const text = readdirSync(files)
    .map((name) => readFileSync(join(files, name), 'utf8'))
    .join('');
  assert.ok(!text.includes(key) && !text.includes(other));

  const dry = await run(t, ['load', 'soak', ...target, '--minutes', '16', '--dry-run'], { cwd: folder, env });
  const used = `${sent} of 1,000 requests used in the last day`;
  assert.ok(dry.out.includes(`fleet-1: ${used}`), dry.out);
  assert.ok(dry.out.includes(`${900 - Number(sent)} more fit into nine tenths`), dry.out);
  assert.match(dry.out, /^Used +fleet-1: /m);
  assert.match(dry.out, /^Blocked +Key fleet-1 has used \d+ of its 1,000 requests a day/m);
  const again = await run(t, ['certify', ...target, '--dry-run'], { cwd: folder, env });
  assert.ok(again.out.includes(used), again.out);
});

test('certify continues when the ledger cannot be written, and says so', { skip: reachable }, async (t) => {
  const folder = temporaryFolder(t);
  const { baseUrl, keys } = await serveReference(t, 2);
  writeFileSync(join(folder, 'state'), 'a file where the folder belongs');
  const env = { PETSTORE_API_KEY: keys.free[0] ?? '', XDG_STATE_HOME: join(folder, 'state') };
  const args = ['certify', '--target', elsewhere(baseUrl), '--plans', plansFile(folder, 2), '--out', 'run'];
  const { code, err } = await run(t, args, { cwd: folder, env });
  assert.ok(code === 0 || code === 3, `${code}: ${err}`);
  assert.match(err, /^The usage ledger in .* cannot be written: a part of the path is a file/m);
});
