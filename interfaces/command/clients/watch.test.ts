import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { edit, keyPair } from '../../../evaluation/testing/cli/attested.ts';
import type { CommandOptions } from '../../../evaluation/testing/cli/command.ts';
import { commandIn } from '../../../evaluation/testing/cli/command.ts';
import { listen } from '../../../evaluation/testing/cli/target.ts';
import { idsWith } from '../../../evaluation/testing/verdicts.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { startServer } from '../../../reference-server/http/server.ts';
import type { Seams } from '../../../reference-server/seams.ts';

const PLANS = { minuteSeconds: 2, daySeconds: 86_400, plans: { free: { perMinute: 5, perDay: 1000 } } };

/** Starts the proxy before a service, in a folder of its own. @returns the command, and the address at which it listens. */
async function proxy(t: TestContext, service: string, options?: CommandOptions) {
  const here = commandIn(t);
  const command = here.start(`watch --target ${service} --out run`, options);
  await command.until('The proxy listens at ');
  const [, target = ''] = /listens at (\S+)/.exec(command.printed().out) ?? [];
  const end = () => {
    command.child.kill('SIGINT');
    return command.ended();
  };
  return { ...here, command, target, end };
}

async function serving(t: TestContext, seams: Seams = {}) {
  const server = await startServer({ plans: PLANS, seams });
  t.after(() => server.close());
  return { baseUrl: server.baseUrl, key: server.keys['free']?.[0] ?? '' };
}

/** Watches what `use` does with a service behind the proxy. */
async function watching(t: TestContext, seams: Seams, use: (target: string, key: string) => Promise<void>) {
  const { baseUrl, key } = await serving(t, seams);
  const { end, target, ...here } = await proxy(t, baseUrl);
  await use(target, key);
  const { code } = await end();
  for (const text of here.texts()) assert.ok(!text.includes(key));
  return { ...here, code };
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

describe('watch', () => {
  test('judges a service and a client by their traffic, and says no more than it shows', async (t) => {
    const { code, json, verdict } = await watching(t, {}, listing(2500));
    assert.equal(code, 3);
    const service = json('run/service/report.json');
    for (const id of ['RATE-1', 'RATE-4', 'RETRY-1']) assert.ok(idsWith(service, 'pass').includes(id), id);
    for (const id of ['LIMIT-1', 'RATE-2']) assert.ok(idsWith(service, 'not-tested').includes(id), id);
    assert.deepEqual(idsWith(service, 'fail'), []);
    assert.deepEqual([verdict('CLIENT-2'), verdict('CLIENT-3')], ['not-tested', 'pass']);
  });

  test('goes on passing everything on where its journal cannot grow, and says that it no longer records', {
    skip: process.platform === 'win32',
  }, async (t) => {
    const { baseUrl, key } = await serving(t);
    const headers = { Authorization: `Bearer ${key}` };
    // A block is half a kibibyte in some shells and a whole one in others.
    const { command, target, end } = await proxy(t, baseUrl, { script: 'ulimit -f 20; exec "$@"' });
    for (let n = 0; n < 50; n += 1) {
      const response = await fetch(`${target}/categories`, { headers });
      await response.arrayBuffer();
      assert.ok([200, 429].includes(response.status));
    }
    const { out: printed, err } = command.printed();
    assert.equal((printed + err).match(/Nothing is recorded from now on/g)?.length, 1);
    const ended = await end();
    assert.equal(ended.code, 2);
    assert.match(ended.err, /journal\.ndjson cannot be written any further: the file size limit is reached/);
  });

  test('finds a client that comes back too early', async (t) => {
    const { code, verdict } = await watching(t, {}, listing(300));
    assert.equal(code, 1);
    assert.equal(verdict('CLIENT-1'), 'fail');
  });

  test('finds a service without Retry-After, which an attestation covers', async (t) => {
    const { code, ...here } = await watching(t, findFault('retry-after-absent'), listing(2500));
    assert.equal(code, 1);
    const report = 'run/service/report.json';
    assert.ok(idsWith(here.json(report), 'fail').includes('RETRY-1'));
    keyPair(here.folder, 'vendor');
    await here.exits(0, 'attest run --key vendor.pem');
    const verified = await here.exits(3, 'verify run --key vendor.pub.pem');
    assert.match(verified.out, /The journal gives service\/report\.json, too\./);
    assert.match(verified.out, /service\/report\.html is the page that was signed/);
    edit(here.path(report), (text) => text.replace('"outcome": "violates"', '"outcome": "incomplete"'));
    const changed = await here.exits(1, 'verify run --key vendor.pub.pem');
    assert.match(changed.out, /service\/report\.json was changed after it was signed/);
    const refused = await here.exits(1, 'attest run --key vendor.pem');
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
    const { target, end } = await proxy(t, `http://${await listen(t, service)}/v1`);
    const client = connect(Number(new URL(target).port), '127.0.0.1');
    client.write(sent);
    const got: Buffer[] = [];
    for await (const bytes of client) {
      got.push(bytes);
      if (Buffer.concat(got).length >= answered.length) break;
    }
    assert.deepEqual(Buffer.concat(received), sent);
    assert.deepEqual(Buffer.concat(got), answered);
    await end();
  });
});
