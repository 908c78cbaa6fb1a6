import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { commandIn } from '../../evaluation/testing/cli/command.ts';
import {
  rejectEveryKey,
  selfSigned,
  serve,
  serveHttp2,
  serveProxy,
  serveReference,
  serveTls,
} from '../../evaluation/testing/cli/target.ts';
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
      const here = commandIn(t, { PETSTORE_API_KEY: KEY });
      const { out, err } = await here.exits(2, `certify --target ${await target(t)}/v1 --out run`);
      assert.equal(out, '', `the preview comes after the target was found: ${err}`);
      const sentence = err.trimEnd().split('\n').at(-1) ?? '';
      assert.match(sentence, /^petstore-conformance: The target could not be reached: .*\.$/);
      assert.match(sentence, expected);
      assert.doesNotMatch(err, /\n {4}at /, 'no stack');
      assert.deepEqual(here.names('run'), ['journal.ndjson'], 'nothing is judged');
      assert.equal(here.journal().at(-1).how, 'failed');
    });

  test('an unreachable proxy is mentioned', async (t) => {
    const here = commandIn(t, { PETSTORE_API_KEY: KEY, HTTP_PROXY: 'http://127.0.0.1:1' });
    const { err } = await here.exits(2, 'certify --target http://petstore.invalid/v1');
    assert.match(err, /The proxy of the environment is in use/);
  });
});

test('a target that stops responding: exit 2, and the exchanges before that are judged', async (t) => {
  const here = commandIn(t, { PETSTORE_API_KEY: KEY });
  let requests = 0;
  const target = await serve(t, (request, response) => {
    requests += 1;
    if (requests > 2) request.socket.destroy();
    else if (request.headers.authorization === undefined) rejectEveryKey(request, response);
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  });
  const { err } = await here.exits(2, `certify --target ${target}/v1 --out run`);
  assert.match(
    err,
    /petstore-conformance: The target stopped .* The reports in run cover the exchanges before that\./,
  );
  assert.deepEqual(here.names('run'), FILES);
});

describe('a target that is not the service: exit 2, its response, and the likely base address', {
  concurrency: 2,
}, () => {
  const tested = async (t: TestContext, target: string, key: string) => {
    const here = commandIn(t, { PETSTORE_API_KEY: key });
    here.plans(1);
    const certified = await here.exits(2, `certify --target ${target} --plans plans.json --out run`);
    const judged = await here.exits(2, 'judge run/journal.ndjson --out again');
    const sentence = /^petstore-conformance: GET \S+ answers 404: this does not look like the service\..*$/m;
    assert.match(certified.err, sentence);
    assert.match(judged.err, sentence);
    assert.equal(here.read('run/report.json'), here.read('again/report.json'));
    assert.deepEqual(here.names('run'), FILES);
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
    more = '',
    env: Readonly<Record<string, string>> = {},
  ) => {
    const here = commandIn(t, { PETSTORE_API_KEY: KEY, ...env });
    const seen: { url: string; headers: Record<string, unknown> }[] = [];
    const target = await open((request, response) => {
      seen.push({ url: request.url ?? '', headers: request.headers });
      rejectEveryKey(request, response);
    });
    here.write('ca.pem', selfSigned.cert);
    here.plans(1);
    const { err } = await here.run(
      `certify --target ${target}/base/v1/ --plans plans.json --out run ${more}`,
    );
    assert.ok(here.names('run').includes('report.json'), err);
    assert.ok(seen.length > 3);
    return { ...here, seen };
  };

  test('a base path before /v1, and headers for a gateway', async (t) => {
    const headers = "--header 'X-Tenant: staging' --header-env X-Gateway=GATEWAY";
    const env = { GATEWAY: 'gateway-secret-5512' };
    const { seen, read } = await tested(t, (listener) => serve(t, listener), headers, env);
    for (const { url, headers: arrived } of seen) {
      assert.match(url, /^\/base\/v1\//);
      assert.deepEqual([arrived['x-tenant'], arrived['x-gateway']], ['staging', env.GATEWAY]);
    }
    assert.ok(!read('run/journal.ndjson').includes('gateway-secret'));
  });

  test('TLS with a private certificate authority', async (t) => {
    await tested(t, (listener) => serveTls(t, listener), '--ca ca.pem');
  });

  test('IPv6, and no proxy for this machine', async (t) => {
    await tested(t, (listener) => serve(t, listener, '::1'), '', { HTTP_PROXY: 'http://127.0.0.1:1' });
  });

  test('a proxy of the environment, which resolves the host', async (t) => {
    const { origin, requestedHosts } = await serveProxy(t);
    const named = async (listener: RequestListener): Promise<string> =>
      (await serve(t, listener)).replace('127.0.0.1', 'petstore.invalid');
    await tested(t, named, '', { HTTP_PROXY: origin, HTTPS_PROXY: origin });
    assert.ok(
      requestedHosts.length > 0 && requestedHosts.every((host) => host.startsWith('petstore.invalid:')),
    );
  });
});
