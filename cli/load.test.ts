import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plansFile, run, temporaryFolder } from '../evaluation/testing/cli/command.ts';
import { serve, serveReference } from '../evaluation/testing/cli/target.ts';
import { Ledger } from '../usage-ledger/ledger.ts';

const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const STAGING = ['--target', 'https://staging.example.com/v1'];
const withKey = { PETSTORE_API_KEY: KEY };

test('a dry run against the bundled server says what would be sent, and sends nothing', async (t) => {
  const { code, out, err } = await run(t, ['load', 'over-limit', '--dry-run']);
  assert.equal(code, 0, err);
  assert.match(out, /^Profile +over-limit: Sends the limit and a few requests more/);
  assert.match(out, /^Plan +free: 60 requests in a minute of 4 s, 1,000 in a day$/m);
  assert.match(out, /^Remains +nothing/m);
  assert.match(out, /^key +65 +65 +108 % +6\.5 % +6 at once$/m);
  assert.match(out, /^in all +65 /m);
  assert.doesNotMatch(out, /Ledger|Refused/);
});

test('a dry run against a shared target says what stands in the way, exit 0', async (t) => {
  const { code, out } = await run(t, ['load', 'day-quota', ...STAGING, '--dry-run'], { env: withKey });
  assert.equal(code, 0, out);
  assert.match(out, /^Refused +Nobody has said that staging\.example\.com may be loaded: .*--i-may-load/m);
  assert.match(out, /^Refused +The key may send 1,000 requests a day.*--spend-day/m);
  assert.match(out, /^Ledger +nothing used within a day, as far as this machine knows$/m);
});

test('the same as JSON, with nothing in the way of what the user allowed', async (t) => {
  const args = ['load', 'day-quota', ...STAGING, '--dry-run', '--json', '--spend-day'];
  const { code, out } = await run(t, [...args, '--i-may-load', 'staging.example.com'], { env: withKey });
  assert.equal(code, 0, out);
  const { profile, target, plan, requests, needs, obstacles, ledger } = JSON.parse(out);
  assert.deepEqual(
    { profile, target, plan, requests, needs, obstacles, ledger },
    {
      profile: 'day-quota',
      target: STAGING[1],
      plan: 'free',
      requests: 1003,
      needs: ['a day to spend'],
      obstacles: [],
      ledger: { key: { used: 0, left: 900 } },
    },
  );
});

test('a host in the user’s configuration is confirmed; a run elsewhere is refused before anything is sent', async (t) => {
  const home = temporaryFolder(t);
  mkdirSync(join(home, 'petstore-conformance'));
  writeFileSync(join(home, 'petstore-conformance', 'load.json'), '{"mayLoad": ["staging.example.com"]}');
  const env = { ...withKey, XDG_CONFIG_HOME: home, CI: 'true' };
  const dry = await run(t, ['load', 'smoke', ...STAGING, '--dry-run'], { env });
  assert.doesNotMatch(dry.out, /Refused/);
  let asked = 0;
  const origin = await serve(t, (_, response) => {
    asked += 1;
    response.end();
  });
  const elsewhere = origin.replace('127.0.0.1', '0.0.0.0');
  const wet = await run(t, ['load', 'smoke', '--target', `${elsewhere}/v1`], { env });
  assert.equal(wet.code, 2);
  assert.match(wet.err, /^petstore-conformance: Nobody has said that 0\.0\.0\.0 may be loaded/);
  assert.equal(asked, 0);
});

test('mistakes of the command line are one sentence, exit 2', async (t) => {
  const rows = [
    [['load', 'at-limt'], /There is no profile "at-limt"; .* Did you mean "at-limit"\?$/],
    [['load'], /^petstore-conformance: load needs a profile: smoke, .* says what each does/],
    [['load', 'smoke', '--json'], /--json goes with --dry-run/],
  ] as const;
  for (const [args, says] of rows) {
    const { code, err } = await run(t, args);
    assert.equal(code, 2);
    assert.match(err.trim(), says);
    assert.equal(err.trim().split('\n').length, 1);
  }
});

/** An address of this machine that is no loopback by its name, and reaches a server on loopback all the same. */
const elsewhere = (baseUrl: string): string => baseUrl.replace('127.0.0.1', '0.0.0.0');

const reachable = process.platform === 'win32' ? 'Windows does not connect to 0.0.0.0' : false;

test('certify writes down what it sent, load reads it, and neither shows the key', {
  skip: reachable,
}, async (t) => {
  const folder = temporaryFolder(t);
  const { baseUrl, keys } = await serveReference(t, 3);
  const [key = '', other = ''] = keys.free;
  const state = join(folder, 'state');
  const env = { PETSTORE_API_KEY: key, PETSTORE_OTHER_KEY: other, XDG_STATE_HOME: state };
  const target = ['--target', elsewhere(baseUrl), '--plans', plansFile(folder, 3)];
  const certified = await run(t, ['certify', ...target, '--out', 'run'], { cwd: folder, env });
  assert.equal(certified.code, 0, certified.out + certified.err);
  assert.doesNotMatch(certified.out, /^Ledger/m);
  const journal = readFileSync(join(folder, 'run', 'journal.ndjson'), 'utf8');
  // A presentation that the specification leaves open may count, whatever was answered.
  const sent = journal.match(/"caller":"(?:key|odd)"/g)?.length;

  const files = join(state, 'petstore-conformance');
  const known = (one: string) => new Ledger(files).known(one, new URL(elsewhere(baseUrl)).origin).runs;
  assert.deepEqual(
    known(key).map((one) => [one.by, one.requests]),
    [['certify', sent]],
  );
  assert.equal(known(other)[0]?.requests, 1);
  const text = readdirSync(files)
    .map((name) => readFileSync(join(files, name), 'utf8'))
    .join('');
  assert.ok(!text.includes(key) && !text.includes(other));

  const dry = await run(t, ['load', 'soak', ...target, '--minutes', '16', '--dry-run'], { cwd: folder, env });
  assert.match(dry.out, /^Ledger +fleet-1: 63 of 1,000 used within a day.* 837 left below nine tenths/m);
  assert.match(dry.out, /^Refused +Key 1 of the fleet has used 63 of its 1,000 requests a day/m);
  const again = await run(t, ['certify', ...target, '--dry-run'], { cwd: folder, env });
  assert.match(again.out, /^Ledger +63 of 1,000 used within a day/m);
});

test('loopback is not written down', async (t) => {
  const folder = temporaryFolder(t);
  const { baseUrl, keys } = await serveReference(t, 2);
  const env = { PETSTORE_API_KEY: keys.free[0] ?? '', XDG_STATE_HOME: join(folder, 'state') };
  const plans = plansFile(folder, 2);
  await run(t, ['certify', '--target', baseUrl, '--plans', plans, '--out', 'run'], { cwd: folder, env });
  assert.deepEqual(readdirSync(folder).sort(), ['plans.json', 'run']);
});

test('certify goes on where the ledger cannot be kept, and says so', { skip: reachable }, async (t) => {
  const folder = temporaryFolder(t);
  const { baseUrl, keys } = await serveReference(t, 2);
  writeFileSync(join(folder, 'state'), 'a file where the folder belongs');
  const env = { PETSTORE_API_KEY: keys.free[0] ?? '', XDG_STATE_HOME: join(folder, 'state') };
  const args = ['certify', '--target', elsewhere(baseUrl), '--plans', plansFile(folder, 2), '--out', 'run'];
  const { code, err } = await run(t, args, { cwd: folder, env });
  assert.ok(code === 0 || code === 3, `${code}: ${err}`);
  assert.match(err, /^What this day has used cannot be written down in .*ENOTDIR/m);
});
