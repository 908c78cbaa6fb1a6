import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandBeside, commandIn } from '../../evaluation/testing/cli/command.ts';
import { serve } from '../../evaluation/testing/cli/target.ts';
import { UsageLedger } from '../../kernel/usage-ledger/ledger.ts';

/** An address of this machine that is not a loopback address but reaches a server on loopback. */
const elsewhere = (baseUrl: string): string => baseUrl.replace('127.0.0.1', '0.0.0.0');

const reachable = process.platform === 'win32' ? 'Windows does not connect to 0.0.0.0' : false;

test('a host in the user’s configuration is confirmed; a run against another host is blocked before anything is sent', async (t) => {
  const home = commandIn(t);
  home.write('petstore-conformance/load.json', { allowedHosts: ['staging.example.com'] });
  const env = { PETSTORE_API_KEY: 'pk-Zx81aQm4Lw0vT9sRe3', XDG_CONFIG_HOME: home.folder, CI: 'true' };
  const here = commandIn(t, env);
  const dry = await here.run('load smoke --target https://staging.example.com/v1 --dry-run');
  assert.doesNotMatch(dry.out, /Blocked/);
  let received = 0;
  const origin = await serve(t, (_, response) => {
    received += 1;
    response.end();
  });
  const wet = await here.exits(2, `load smoke --target ${elsewhere(origin)}/v1`);
  assert.match(wet.err, /^petstore-conformance: Load on 0\.0\.0\.0 is not confirmed/);
  assert.equal(received, 0);
});

test('certify records what it sent, load reads it, and neither shows the key', {
  skip: reachable,
}, async (t) => {
  const { baseUrl, key, other, ...here } = await commandBeside(t, 3);
  const state = here.path('state');
  const env = { PETSTORE_OTHER_KEY: other, XDG_STATE_HOME: state };
  const target = `--target ${elsewhere(baseUrl)} --plans plans.json`;
  const certified = await here.exits(0, `certify ${target} --out run`, { env });
  assert.doesNotMatch(certified.out, /^Ledger/m);
  // A request with an unspecified form of the key may count, whatever the response was.
  const sent = here.read('run/journal.ndjson').match(/"caller":"(?:key|unspecified)"/g)?.length;

  const files = join(state, 'petstore-conformance');
  const known = (one: string) =>
    new UsageLedger(files).historyOf(one, new URL(elsewhere(baseUrl)).origin).runs;
  assert.deepEqual(
    known(key).map((one) => [one.command, one.requests]),
    [['certify', sent]],
  );
  assert.equal(known(other)[0]?.requests, 1);
  const text = readdirSync(files).map((name) => readFileSync(join(files, name), 'utf8'));
  assert.ok(!text.join().includes(key) && !text.join().includes(other));

  const dry = await here.run(`load soak ${target} --minutes 16 --dry-run`, { env });
  const used = `${sent} of 1,000 requests used in the last day`;
  assert.ok(dry.out.includes(`fleet-1: ${used}`), dry.out);
  assert.ok(dry.out.includes(`${900 - Number(sent)} more fit into nine tenths`), dry.out);
  assert.match(dry.out, /^Used +fleet-1: /m);
  assert.match(dry.out, /^Blocked +Key fleet-1 has used \d+ of its 1,000 requests a day/m);
  const again = await here.run(`certify ${target} --dry-run`, { env });
  assert.ok(again.out.includes(used), again.out);
});

test('certify continues when the ledger cannot be written, and says so', { skip: reachable }, async (t) => {
  const { baseUrl, ...here } = await commandBeside(t, 2);
  here.write('state', 'a file where the folder belongs');
  const certify = `certify --quick --target ${elsewhere(baseUrl)} --plans plans.json --out run`;
  const { err } = await here.exits(0, certify, { env: { XDG_STATE_HOME: here.path('state') } });
  assert.match(err, /^The usage ledger in .* cannot be written: a part of the path is a file/m);
});

const MANIFEST =
  'load manifest --target https://staging.example.com/v1 --samples-claim petstore-samples --out manifests';

test('load manifest writes a script, a run of all runners, and what the judge needs; no key is in them', async (t) => {
  const here = commandIn(t);
  here.write('keys.csv', 'key,plan\npk_live_4711_a,free\npk_live_4711_b,pro\npk_live_4711_c\n');
  const fleet = '--keys-file keys.csv --keys-secret petstore-keys --parallelism 2';
  const { out } = await here.exits(0, `${MANIFEST} ${fleet} soak`);
  const names = ['petstore-load-soak.configmap.yaml', 'petstore-load-soak.testrun.yaml'];
  assert.deepEqual(here.names('manifests'), [...names, 'run']);
  for (const text of [out, ...[...names, 'run/load-run.json'].map((name) => here.read(`manifests/${name}`))])
    assert.ok(!text.includes('4711'));
  assert.match(here.read(`manifests/${names[1]}`), /parallelism: 2\n/);
  const { runners, inputs } = here.json('manifests/run/load-run.json');
  assert.equal(runners, 2);
  assert.deepEqual(
    inputs.fleetPlans.map(({ plan, keys }: { plan: string; keys: number }) => `${keys} ${plan}`),
    ['1 free', '1 pro', '1 free'],
  );
});

test('load manifest of several keys names their Secrets', async (t) => {
  const here = commandIn(t);
  await here.exits(0, `${MANIFEST} isolation --keys key=petstore-free-a,other=petstore-free-b/token`);
  const testRun = here.read('manifests/petstore-load-isolation.testrun.yaml');
  assert.match(testRun, /secretKeyRef:\n\s+name: petstore-free-b\n\s+key: token/);
});
