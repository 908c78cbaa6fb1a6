import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { commandBeside, commandIn } from '../../evaluation/testing/cli/command.ts';
import { forwardingTo, selfSigned, serve, serveEitherHttp } from '../../evaluation/testing/cli/target.ts';
import { assertConformsOrBusy } from '../../evaluation/testing/tools/busy-machine.ts';
import { k6Path, withoutK6 } from '../../evaluation/testing/tools/k6.ts';
import { freePort } from '../../evaluation/testing/tools/listening.ts';
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

const K6_BIN = k6Path;
const SCRIPT = fileURLToPath(new URL('../../load/script/main.ts', import.meta.url));

/** A receiver on this machine that keeps what it is sent, by path. */
async function receiver(t: TestContext) {
  const bodies = new Map<string, Buffer[]>();
  const origin = await serve(t, (asked, response) => {
    const parts: Buffer[] = [];
    asked.on('data', (part: Buffer) => parts.push(part));
    asked.on('end', () => {
      const path = (asked.url ?? '').replace(/\?.*/, '');
      const body = Buffer.concat(parts);
      const plain = asked.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      bodies.set(path, [...(bodies.get(path) ?? []), plain]);
      response.writeHead(path === '/write' ? 204 : 200).end();
    });
  });
  return { origin, text: (path: string) => Buffer.concat(bodies.get(path) ?? []).toString('latin1') };
}

describe('where else a load run goes', { skip: withoutK6, concurrency: 2 }, () => {
  test('InfluxDB and OpenTelemetry receive every metric and no key, as the document describes', async (t) => {
    const { origin, text } = await receiver(t);
    const { baseUrl, key, ...here } = await commandBeside(t, 2, {
      K6_BIN,
      K6_OTEL_EXPORTER_PROTOCOL: 'http/protobuf',
      K6_OTEL_HTTP_EXPORTER_ENDPOINT: new URL(origin).host,
      K6_OTEL_HTTP_EXPORTER_INSECURE: 'true',
      K6_OTEL_METRIC_PREFIX: 'k6_',
    });
    const outputs = `--k6-out influxdb=${origin}/petstore --k6-out opentelemetry`;
    const ended = await here.run(`load smoke --target ${baseUrl} --plans plans.json --out run ${outputs}`);
    assertConformsOrBusy(ended);
    assert.match(text('/write'), /^petstore_request,.*key=key.* value=/m);
    assert.match(text('/v1/metrics'), /k6_petstore_request/);
    for (const path of ['/write', '/v1/metrics']) assert.ok(!text(path).includes(key), path);
    assert.doesNotMatch(ended.out, /Measurements are missing/);
  });

  test('a failed remote write is said on the console and in every report, and changes no verdict', async (t) => {
    const url = `http://127.0.0.1:${await freePort()}/api/v1/write`;
    const here = commandIn(t, { K6_BIN, K6_PROMETHEUS_RW_SERVER_URL: url });
    here.plans(2);
    const ended = await here.run(
      'load smoke --plans plans.json --out run --k6-out experimental-prometheus-rw',
    );
    assertConformsOrBusy(ended);
    const missing = /Measurements are missing outside this folder/;
    assert.match(ended.out.replaceAll(/\s+/g, ' '), missing);
    assert.match(here.json('run/report.json').remarks[0], /Failed to send the time series/);
    for (const name of ['report.html', 'summary.md']) assert.match(here.read(`run/${name}`), missing);
  });

  test('a broken threshold is exit 1 and an expectation of its own in the report; judging again agrees', async (t) => {
    const here = commandIn(t, { K6_BIN });
    here.plans(2);
    const thresholds = [
      { p99: 30_000, errorRate: 0 },
      { profile: 'smoke', operation: 'list', p50: 0.001 },
      { profile: 'soak', p50: 0.001 },
    ];
    here.write('limits.json', { thresholds });
    const smoke = 'load smoke --plans plans.json --out run --thresholds limits.json';
    const { out } = await here.exits(1, smoke);
    assert.match(out, /1 expectation of load profile smoke: THRESHOLD-3\./);
    const { requirements: findings } = here.json('run/report.json');
    const judged = findings.filter(({ id }: { id: string }) => id.startsWith('THRESHOLD'));
    assert.deepEqual(
      judged.map(({ id }: { id: string }) => id),
      ['THRESHOLD-1', 'THRESHOLD-2', 'THRESHOLD-3'],
    );
    for (const { id, verdict, because } of judged.slice(0, 2))
      assert.ok(verdict === 'pass' || /this machine/.test(because), `${id} ${verdict}: ${because}`);
    assert.equal(judged[2]?.verdict, 'fail');
    await here.exits(1, 'judge run');
  });

  test('the dashboard of k6 is shown during the run where --dashboard says', async (t) => {
    const here = commandIn(t, { K6_BIN });
    here.plans(6);
    const port = await freePort();
    const running = here.start(`load under --plans plans.json --out run --dashboard ${port}`);
    await running.until('sends at an even pace');
    const page = await fetch(`http://127.0.0.1:${port}/`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<html/i);
    running.child.kill('SIGINT');
    const { out } = await running.ended();
    assert.match(out, new RegExp(`Watch +http://127\\.0\\.0\\.1:${port} while the run goes on`));
  });

  test('load speaks HTTP/1.1, as certify does, to a target that offers HTTP/2, and the report says so', async (t) => {
    const { baseUrl, ...here } = await commandBeside(t, 4, { K6_BIN });
    here.write('ca.pem', selfSigned.cert);
    const versions = new Set<string>();
    const origin = await serveEitherHttp(t, (asked, response) => {
      versions.add(asked.httpVersion);
      forwardingTo(baseUrl)(asked, response);
    });
    const smoke = `load smoke --target ${origin}/v1 --plans plans.json --out run --ca ca.pem`;
    assertConformsOrBusy(await here.run(smoke));
    assert.deepEqual([...versions], ['1.1']);
    assert.equal(here.json('run/report.json').environment.http, 'HTTP/1.1');
    assert.match(here.read('run/summary.md'), /over HTTP\/1\.1, as certify/);
  });

  test('k6 by hand without a key: one sentence without a stack trace, and an exit code', () => {
    const { status, stderr } = spawnSync(
      k6Path,
      ['run', '--quiet', '-e', 'TARGET=http://127.0.0.1:9/v1', '-e', 'PROFILE=at-limit', SCRIPT],
      {
        encoding: 'utf8',
        env: { HOME: tmpdir(), K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' },
      },
    );
    assert.equal(status, 107);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.match(
      stderr,
      /msg="The profile at-limit needs the environment variable PETSTORE_API_KEY: export it\./,
    );
    assert.doesNotMatch(stderr, /assignmentOf|\\tat /);
  });
});
