import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { certificate } from '../../evaluation/testing/cli/attested.ts';
import { exits, journalIn, journalLinesIn, plansFile, run } from '../../evaluation/testing/cli/command.ts';
import {
  rejectEveryKey,
  serve,
  serveHttp2,
  serveProxy,
  serveReference,
  serveTls,
} from '../../evaluation/testing/cli/target.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { REPORTS } from '../../reports/run-folder.ts';

const KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3=';
const FILES = [...REPORTS, 'journal.ndjson'].sort();

describe('an unreachable target: exit 2, one sentence, what to check', { concurrency: 2 }, () => {
  const http = (origin: string): string => origin.replace('https', 'http');
  const https = (origin: string): string => origin.replace('http', 'https');
  type Unreached = readonly [target: (t: TestContext) => string | Promise<string>, expected: RegExp];
  const rows: Readonly<Record<string, Unreached>> = {
    'no server listens': [() => 'http://127.0.0.1:1', /ECONNREFUSED.*Check that the server is running/],
    'the host does not exist': [() => 'http://petstore.invalid', /Check the spelling of the host name/],
    'its certificate is unknown': [
      (t) => serveTls(t, rejectEveryKey),
      /self-signed certificate\. .*that PEM file with --ca/,
    ],
    'it speaks TLS, and the address says http': [
      async (t) => http(await serveTls(t, rejectEveryKey)),
      /right one of http:\/\/ and https:\/\//,
    ],
    'it speaks no TLS, and the address says https': [
      async (t) => https(await serve(t, rejectEveryKey)),
      /does not speak TLS at this address; .*http:\/\//,
    ],
    'it speaks only HTTP/2': [(t) => serveHttp2(t, false), /speaks HTTP\/1\.1 and not only HTTP\/2/],
    'it speaks only HTTP/2 over TLS': [
      (t) => serveHttp2(t, true),
      /does not speak HTTP\/1\.1, which the run uses; enable/,
    ],
  };
  for (const [what, [target, expected]] of Object.entries(rows))
    test(what, async (t) => {
      const cwd = temporaryFolder(t);
      const args = ['certify', '--target', `${await target(t)}/v1`, '--out', 'run'];
      const { code, out, err } = await run(t, args, { cwd, env: { PETSTORE_API_KEY: KEY } });
      assert.deepEqual([code, out], [2, ''], `the preview comes after the target was found: ${err}`);
      const sentence = err.trimEnd().split('\n').at(-1) ?? '';
      assert.match(sentence, /^petstore-conformance: The target could not be reached: .*\.$/);
      assert.match(sentence, expected);
      assert.doesNotMatch(err, /\n {4}at /, 'no stack');
      assert.deepEqual(readdirSync(join(cwd, 'run')), ['journal.ndjson'], 'nothing is judged');
      assert.equal(journalLinesIn(join(cwd, 'run')).at(-1).how, 'failed');
    });

  test('an unreachable proxy is mentioned', async (t) => {
    const cwd = temporaryFolder(t);
    const env = { PETSTORE_API_KEY: KEY, HTTP_PROXY: 'http://127.0.0.1:1' };
    const { err } = await exits(2, t, ['certify', '--target', 'http://petstore.invalid/v1'], { cwd, env });
    assert.match(err, /The proxy of the environment is in use/);
  });
});

test('a target that stops responding: exit 2, and the exchanges before that are judged', async (t) => {
  const cwd = temporaryFolder(t);
  let requests = 0;
  const target = await serve(t, (request, response) => {
    requests += 1;
    if (requests > 2) request.socket.destroy();
    else if (request.headers.authorization === undefined) rejectEveryKey(request, response);
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  });
  const { err } = await exits(2, t, ['certify', '--target', `${target}/v1`, '--out', 'run'], {
    cwd,
    env: { PETSTORE_API_KEY: KEY },
  });
  assert.match(
    err,
    /petstore-conformance: The target stopped .* The reports in run cover the exchanges before that\./,
  );
  assert.deepEqual(readdirSync(join(cwd, 'run')).sort(), FILES);
});

describe('a target that is not the service: exit 2, its response, and the likely base address', {
  concurrency: 2,
}, () => {
  const tested = async (t: TestContext, target: string, key: string) => {
    const cwd = temporaryFolder(t);
    const args = ['certify', '--target', target, '--plans', plansFile(cwd, 1), '--out', 'run'];
    const certified = await run(t, args, { cwd, env: { PETSTORE_API_KEY: key } });
    const judged = await run(t, ['judge', 'run/journal.ndjson', '--out', 'again'], { cwd });
    assert.deepEqual([certified.code, judged.code], [2, 2], certified.err + judged.err);
    const sentence = /^petstore-conformance: GET \S+ answers 404: this does not look like the service\..*$/m;
    assert.match(certified.err, sentence);
    assert.match(judged.err, sentence);
    const report = (folder: string) => readFileSync(join(cwd, folder, 'report.json'), 'utf8');
    assert.equal(report('run'), report('again'));
    assert.deepEqual(readdirSync(join(cwd, 'run')).sort(), FILES);
    const [headline = ''] = judged.out.split('\n\n');
    assert.ok(certified.out.includes(headline), 'both print the same');
    return headline.replaceAll('\n│', '');
  };

  test('a static file server', async (t) => {
    const target = await serve(t, (request, response) => {
      response.writeHead(request.method === 'GET' ? 404 : 501, { 'Content-Type': 'text/html' });
      response.end('<!DOCTYPE HTML><title>Error response</title>');
    });
    const headline = await tested(t, target, KEY);
    assert.ok(
      headline.startsWith(
        `! GET ${target}/categories answers 404: this does not look like the service. With`,
      ),
    );
  });

  test('the service without /v1, and with one segment too many', async (t) => {
    const { baseUrl, keys } = await serveReference(t, 1);
    const headlineOf = (given: string) =>
      `! GET ${given}/categories answers 404: this does not look like the service. Did you mean ${baseUrl}?`;
    for (const given of [baseUrl.replace('/v1', ''), `${baseUrl}/categories`, `${baseUrl}/v1`]) {
      const headline = await tested(t, given, keys.free[0] ?? '');
      assert.ok(headline.startsWith(headlineOf(given)), headline);
    }
  });
});

describe('ways to a target', { concurrency: 2 }, () => {
  /** Runs against a target that sends 401 to every request; the tests check how the requests arrive. */
  const tested = async (
    t: TestContext,
    open: (listener: RequestListener) => Promise<string>,
    { more = [], env = {} }: { more?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
  ) => {
    const cwd = temporaryFolder(t);
    const seen: { url: string; headers: Record<string, unknown> }[] = [];
    const target = await open((request, response) => {
      seen.push({ url: request.url ?? '', headers: request.headers });
      rejectEveryKey(request, response);
    });
    writeFileSync(join(cwd, 'ca.pem'), certificate);
    const args = ['certify', '--target', `${target}/base/v1/`, '--plans', plansFile(cwd, 1), '--out', 'run'];
    const { err } = await run(t, [...args, ...more], { cwd, env: { PETSTORE_API_KEY: KEY, ...env } });
    assert.ok(existsSync(join(cwd, 'run', 'report.json')), err);
    return { seen, folder: join(cwd, 'run') };
  };

  test('a base path before /v1, and headers for a gateway', async (t) => {
    const { seen, folder } = await tested(t, (listener) => serve(t, listener), {
      more: ['--header', 'X-Tenant: staging', '--header-env', 'X-Gateway=GATEWAY'],
      env: { GATEWAY: 'gateway-secret-5512' },
    });
    assert.ok(seen.length > 3);
    for (const { url, headers } of seen) {
      assert.match(url, /^\/base\/v1\//);
      assert.deepEqual([headers['x-tenant'], headers['x-gateway']], ['staging', 'gateway-secret-5512']);
    }
    assert.ok(!journalIn(folder).includes('gateway-secret'));
  });

  test('TLS with a private certificate authority', async (t) => {
    const { seen } = await tested(t, (listener) => serveTls(t, listener), { more: ['--ca', 'ca.pem'] });
    assert.ok(seen.length > 3);
  });

  test('IPv6, and no proxy for this machine', async (t) => {
    const { seen } = await tested(t, (listener) => serve(t, listener, '::1'), {
      env: { HTTP_PROXY: 'http://127.0.0.1:1' },
    });
    assert.ok(seen.length > 3);
  });

  test('a proxy of the environment, which resolves the host', async (t) => {
    const { origin, requestedHosts } = await serveProxy(t);
    const named = async (listener: RequestListener): Promise<string> =>
      (await serve(t, listener)).replace('127.0.0.1', 'petstore.invalid');
    const { seen } = await tested(t, named, { env: { HTTP_PROXY: origin, HTTPS_PROXY: origin } });
    assert.ok(seen.length > 3);
    assert.ok(
      requestedHosts.length > 0 && requestedHosts.every((host) => host.startsWith('petstore.invalid:')),
    );
  });
});
