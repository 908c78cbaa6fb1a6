import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { commandBeside, commandIn } from '../../evaluation/testing/cli/command.ts';
import { forwardingTo, selfSigned, serve, serveEitherHttp } from '../../evaluation/testing/cli/target.ts';
import { assertConformsOrBusy } from '../../evaluation/testing/tools/busy-machine.ts';
import { k6Path, withoutK6 } from '../../evaluation/testing/tools/k6.ts';
import { freePort } from '../../evaluation/testing/tools/listening.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import { readReport } from '../../reports/read.ts';

function loadRecordIn(folder: string): LoadRecord {
  const record = readReport(folder);
  assert.ok(record.subject === 'load');
  return record;
}

const skip = withoutK6;
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

describe('where else a load run goes', { skip, concurrency: 2 }, () => {
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
    assert.match(loadRecordIn(here.path('run')).remarks?.[0] ?? '', /Failed to send the time series/);
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
    const { requirements: findings } = loadRecordIn(here.path('run'));
    const judged = findings.filter(({ id }) => id.startsWith('THRESHOLD'));
    assert.deepEqual(
      judged.map(({ id }) => id),
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
    assert.equal(loadRecordIn(here.path('run')).environment.http, 'HTTP/1.1');
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
