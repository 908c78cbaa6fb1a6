import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { certificate, privateKey } from '../../evaluation/testing/cli/certificate.ts';
import { plansFile, run, start, temporaryFolder, textsOf } from '../../evaluation/testing/cli/command.ts';
import { serveMutualTls, serveReference } from '../../evaluation/testing/cli/target.ts';
import { k6Path, withoutK6 } from '../../evaluation/testing/tools/k6.ts';

/** The reference server behind a gateway that demands a certificate of its clients. */
async function guarded(t: TestContext) {
  const { baseUrl, keys } = await serveReference(t, 4);
  const origin = await serveMutualTls(t, (asked, response) => {
    const { method, headers } = asked;
    const inner = request(new URL(asked.url ?? '', baseUrl), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    asked.pipe(inner);
  });
  return { target: `${origin}/v1`, key: keys.free[0] ?? '' };
}

function folderWith(t: TestContext) {
  const cwd = temporaryFolder(t);
  writeFileSync(join(cwd, 'ca.pem'), certificate);
  writeFileSync(join(cwd, 'key.pem'), privateKey);
  return cwd;
}

const CLIENT = ['--ca', 'ca.pem', '--cert', 'ca.pem', '--cert-key', 'key.pem'];

/** A line of the private key, which may appear nowhere. */
const SECRET = privateKey.split('\n')[1] ?? '';

describe('a target that demands a client certificate', { concurrency: 2 }, () => {
  test('certify reaches it with --cert and --cert-key, and the private key appears nowhere', async (t) => {
    const cwd = folderWith(t);
    const { target, key } = await guarded(t);
    const args = ['certify', '--target', target, '--plans', plansFile(cwd, 4), '--out', 'run', ...CLIENT];
    const running = start(t, args, { cwd, env: { PETSTORE_API_KEY: key } });
    await running.until('first-creation');
    running.child.kill('SIGINT');
    const { out, err } = await running.ended();
    assert.match(readFileSync(join(cwd, 'run', 'journal.ndjson'), 'utf8'), /"status":200/);
    for (const text of [out, err, ...textsOf(join(cwd, 'run'))]) assert.ok(!text.includes(SECRET));
  });

  test('load does, too', { skip: withoutK6 }, async (t) => {
    const cwd = folderWith(t);
    const { target, key } = await guarded(t);
    const args = [
      'load',
      'smoke',
      '--target',
      target,
      '--plans',
      plansFile(cwd, 4),
      '--out',
      'run',
      ...CLIENT,
    ];
    const env = { K6_BIN: k6Path, PETSTORE_API_KEY: key };
    const { code, out, err } = await run(t, args, { cwd, env });
    assert.equal(code, 0, out + err);
    for (const text of [out, err, ...textsOf(join(cwd, 'run'))]) assert.ok(!text.includes(SECRET));
  });

  test('without it there is no verdict', async (t) => {
    const cwd = folderWith(t);
    const { target, key } = await guarded(t);
    const args = [
      'certify',
      '--target',
      target,
      '--plans',
      plansFile(cwd, 4),
      '--out',
      'run',
      '--ca',
      'ca.pem',
    ];
    assert.equal((await run(t, args, { cwd, env: { PETSTORE_API_KEY: key } })).code, 2);
  });

  test('files that are missing, wrong or of different pairs are one sentence', async (t) => {
    const cwd = folderWith(t);
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    writeFileSync(join(cwd, 'other.pem'), other.export({ type: 'pkcs8', format: 'pem' }));
    const rows = [
      [['--cert', 'ca.pem'], /The client certificate ca\.pem needs its private key/],
      [['--cert-key', 'key.pem'], /The private key key\.pem needs its certificate/],
      [['--cert', 'none.pem', '--cert-key', 'key.pem'], /The client certificate none\.pem cannot be read/],
      [
        ['--cert', 'key.pem', '--cert-key', 'key.pem'],
        /The client certificate key\.pem is not in PEM format/,
      ],
      [['--cert', 'ca.pem', '--cert-key', 'ca.pem'], /The private key ca\.pem is not in PEM format/],
      [
        ['--cert', 'ca.pem', '--cert-key', 'other.pem'],
        /other\.pem does not belong to the client certificate/,
      ],
    ] as const;
    for (const [options, sentence] of rows) {
      const args = ['certify', '--target', 'https://127.0.0.1:9/v1', '--dry-run', ...options];
      const { code, err } = await run(t, args, { cwd, env: { PETSTORE_API_KEY: 'pk-1234567890' } });
      assert.equal(code, 2);
      assert.match(err, sentence);
    }
  });
});
