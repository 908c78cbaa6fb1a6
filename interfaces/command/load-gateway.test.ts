import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { certificate } from '../../evaluation/testing/cli/certificate.ts';
import {
  commandLines,
  plansFile,
  start,
  temporaryFolder,
  textsOf,
} from '../../evaluation/testing/cli/command.ts';
import { serveReference, serveTls } from '../../evaluation/testing/cli/target.ts';
import { k6Path, withoutK6 } from '../../evaluation/testing/tools/k6.ts';
import { trustedFile } from '../../load/k6/trusted-file.ts';

const SECRET = 'gateway-secret-5512';

/** Why a target with a private authority cannot be loaded on this system, or false. */
const skip =
  withoutK6 || (['darwin', 'win32'].includes(process.platform) && 'k6 trusts only the store of this system');

/**
 * The reference server behind a gateway: TLS with a certificate of its own, 403 for a request that
 * lacks one of two headers, and a response header that echoes the secret.
 */
async function staging(t: TestContext) {
  const { baseUrl, keys } = await serveReference(t, 30);
  const seen: string[] = [];
  const origin = await serveTls(t, (asked, response) => {
    seen.push(`${asked.headers['x-tenant']} ${asked.headers['x-gateway']}`);
    if (seen.at(-1) !== `staging ${SECRET}`) {
      response.writeHead(403).end();
      return;
    }
    const { method, headers } = asked;
    const inner = request(new URL(asked.url ?? '', baseUrl), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, { ...answer.headers, 'Retry-After': SECRET });
      answer.pipe(response);
    });
    asked.pipe(inner);
  });
  return { target: `${origin}/v1`, key: keys.free[0] ?? '', seen };
}

async function loaded(
  t: TestContext,
  { target, key }: { target: string; key: string },
  more: readonly string[],
) {
  const cwd = temporaryFolder(t);
  writeFileSync(join(cwd, 'ca.pem'), certificate);
  const args = ['load', 'smoke', '--target', target, '--plans', plansFile(cwd, 30), '--out', 'run', ...more];
  const env = { K6_BIN: k6Path, PETSTORE_API_KEY: key, GATEWAY: SECRET };
  const running = start(t, args, { cwd, env });
  const during: string[] = [];
  // The first line of progress comes while k6 runs.
  await running.until(' sent ·').then(
    () => during.push(...commandLines()),
    () => undefined,
  );
  return { ...(await running.ended()), during, folder: join(cwd, 'run') };
}

const HEADERS = ['--header', 'X-Tenant: staging', '--header-env', 'X-Gateway=GATEWAY'];

describe('a staging environment behind a gateway, loaded with k6', { skip, concurrency: 2 }, () => {
  test('with its authority and its headers it is reached, and no header value appears anywhere', async (t) => {
    const place = await staging(t);
    const { code, out, err, during, folder } = await loaded(t, place, [...HEADERS, '--ca', 'ca.pem']);
    assert.equal(code, 0, out + err);
    assert.deepEqual([place.seen.length, new Set(place.seen).size], [10, 1]);
    const lines = during.filter((line) => /load\/script\/main\.[jt]s/.test(line));
    assert.ok(during.length === 0 || lines.length > 0, 'k6 is seen');
    const texts = textsOf(folder);
    assert.ok(
      texts.some((text) => text.includes('[secret]')),
      'the target echoed it',
    );
    for (const text of [out, err, ...during, ...texts]) assert.ok(!text.includes(SECRET));
  });

  test('without the headers the gateway rejects the first request, and the run stops', async (t) => {
    const place = await staging(t);
    const { code, err } = await loaded(t, place, ['--ca', 'ca.pem']);
    assert.deepEqual([code, place.seen], [2, ['undefined undefined']]);
    assert.match(err, /not the service \(the first response is 403/);
  });

  test('without its authority nothing is sent, and the error names the option', async (t) => {
    const place = await staging(t);
    const { code, err } = await loaded(t, place, HEADERS);
    assert.deepEqual([code, place.seen], [2, []]);
    assert.match(err, /x509: unknown authority.*name the authority's PEM file with --ca\. [^\n]+\n$/);
  });
});

test('--ca on a system where k6 ignores it is an error of one sentence', () => {
  for (const platform of ['darwin', 'win32']) {
    assert.throws(() => trustedFile('ca.pem', platform), {
      name: 'UserError',
      message: /^load cannot use --ca on this system: .* Add the authority in ca\.pem there and omit --ca\.$/,
    });
    assert.equal(trustedFile(undefined, platform), undefined);
  }
  assert.equal(trustedFile('/etc/ca.pem', 'linux'), '/etc/ca.pem');
});
