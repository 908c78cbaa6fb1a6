import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { edit, keyPair } from '../../../evaluation/testing/cli/attested.ts';
import { exits, start } from '../../../evaluation/testing/cli/command.ts';
import { listen } from '../../../evaluation/testing/cli/target.ts';
import { temporaryFolder } from '../../../evaluation/testing/tools/folder.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { startServer } from '../../../reference-server/http/server.ts';
import type { Seams } from '../../../reference-server/seams.ts';

const folder = temporaryFolder({ after });

const PLANS = { minuteSeconds: 2, daySeconds: 86_400, plans: { free: { perMinute: 5, perDay: 1000 } } };

/** Starts the proxy. @returns the command, and the address at which it listens. */
async function proxy(...[t, args, options]: Parameters<typeof start>) {
  const command = start(t, ['watch', ...args], options);
  await command.until('The proxy listens at ');
  const [, target = ''] = /listens at (\S+)/.exec(command.printed().out) ?? [];
  return { command, target };
}

async function serving(t: TestContext, seams: Seams = {}) {
  const server = await startServer({ plans: PLANS, seams });
  t.after(() => server.close());
  return { baseUrl: server.baseUrl, key: server.keys['free']?.[0] ?? '' };
}

/** Watches what `use` does with a service behind the proxy. */
async function watching(t: TestContext, seams: Seams, use: (target: string, key: string) => Promise<void>) {
  const { baseUrl, key } = await serving(t, seams);
  const out = join(folder, t.name.replaceAll(/\W+/g, '-'));
  const { command, target } = await proxy(t, ['--target', baseUrl, '--out', out]);
  await use(target, key);
  command.child.kill('SIGINT');
  const { code } = await command.ended();
  for (const file of readdirSync(out, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )) {
    assert.ok(
      !readFileSync(join(file.parentPath, file.name), 'utf8').includes(key),
      `the key is in ${file.name}`,
    );
  }
  return { code, folder: out };
}

/** Lists until a response is 429, and again after `waitMs`. */
const listing = (waitMs: number) => async (target: string, key: string) => {
  const list = async () => {
    const response = await fetch(`${target}/categories`, { headers: { Authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    return response.status;
  };
  while ((await list()) !== 429);
  await delay(waitMs);
  await list();
};

const verdictsIn = (path: string): Readonly<Record<string, string>> => {
  const { requirements } = JSON.parse(readFileSync(path, 'utf8'));
  return Object.fromEntries(requirements.map(({ id, verdict }: Record<string, string>) => [id, verdict]));
};

describe('watch', () => {
  test('judges a service and a client by their traffic, and says no more than it shows', async (t) => {
    const { code, folder: out } = await watching(t, {}, listing(2500));
    assert.equal(code, 3);
    const service = verdictsIn(join(out, 'service', 'report.json'));
    assert.deepEqual([service['RATE-1'], service['RATE-4'], service['RETRY-1']], ['pass', 'pass', 'pass']);
    assert.deepEqual([service['LIMIT-1'], service['RATE-2']], ['not-tested', 'not-tested']);
    assert.ok(!Object.values(service).includes('fail'));
    const client = verdictsIn(join(out, 'report.json'));
    assert.deepEqual([client['CLIENT-2'], client['CLIENT-3']], ['not-tested', 'pass']);
  });

  test('goes on passing everything on where its journal cannot grow, and says that it no longer records', {
    skip: process.platform === 'win32',
  }, async (t) => {
    const { baseUrl, key } = await serving(t);
    const headers = { Authorization: `Bearer ${key}` };
    const out = join(folder, 'full');
    const args = ['--target', baseUrl, '--out', out];
    // A block is half a kibibyte in some shells and a whole one in others.
    const { command, target } = await proxy(t, args, { script: 'ulimit -f 20; exec "$@"' });
    for (let n = 0; n < 50; n += 1) {
      const response = await fetch(`${target}/categories`, { headers });
      await response.arrayBuffer();
      assert.ok([200, 429].includes(response.status));
    }
    const { out: printed, err } = command.printed();
    assert.equal((printed + err).match(/Nothing is recorded from now on/g)?.length, 1);
    command.child.kill('SIGINT');
    const ended = await command.ended();
    assert.equal(ended.code, 2);
    assert.match(ended.err, /journal\.ndjson cannot be written any further: the file size limit is reached/);
  });

  test('finds a client that comes back too early', async (t) => {
    const { code, folder: out } = await watching(t, {}, listing(300));
    assert.equal(code, 1);
    assert.equal(verdictsIn(join(out, 'report.json'))['CLIENT-1'], 'fail');
  });

  test('finds a service without Retry-After, which an attestation covers', async (t) => {
    const { code, folder: out } = await watching(t, findFault('retry-after-absent'), listing(2500));
    assert.equal(code, 1);
    const report = join(out, 'service', 'report.json');
    assert.equal(verdictsIn(report)['RETRY-1'], 'fail');
    const { own, pub } = keyPair(out, 'vendor');
    await exits(0, t, ['attest', out, '--key', own]);
    const verified = await exits(3, t, ['verify', out, '--key', pub]);
    assert.match(verified.out, /The journal gives service\/report\.json, too\./);
    assert.match(verified.out, /service\/report\.html is the page that was signed/);
    edit(report, (text) => text.replace('"outcome": "violates"', '"outcome": "incomplete"'));
    const changed = await exits(1, t, ['verify', out, '--key', pub]);
    assert.match(changed.out, /service\/report\.json was changed after it was signed/);
    const refused = await exits(1, t, ['attest', out, '--key', own]);
    assert.match(
      refused.out + refused.err,
      /service\/report\.json differs from what the journal gives: "outcome"/,
    );
  });

  test('changes no byte in either direction', async (t) => {
    const sent = Buffer.from('GET /x HTTP/1.1\r\nhOsT:a\r\nX-Odd:   spaces  \r\n\r\n');
    const answered = Buffer.from(
      'HTTP/1.1 200 Fine\r\nx-a:1\r\nX-A: 2\r\nContent-Length: 3\r\n\r\n\u0000\u0001\u0002',
      'latin1',
    );
    const received: Buffer[] = [];
    const service = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        received.push(bytes);
        if (Buffer.concat(received).length === sent.length) socket.write(answered);
      });
    });
    const args = ['--target', `http://${await listen(t, service)}/v1`, '--out', join(folder, 'bytes')];
    const { command, target } = await proxy(t, args);
    const client = connect(Number(new URL(target).port), '127.0.0.1');
    client.write(sent);
    const got: Buffer[] = [];
    for await (const bytes of client) {
      got.push(bytes);
      if (Buffer.concat(got).length >= answered.length) break;
    }
    assert.deepEqual(Buffer.concat(received), sent);
    assert.deepEqual(Buffer.concat(got), answered);
    command.child.kill('SIGINT');
    await command.ended();
  });
});
