import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { k6Arguments, k6Environment } from '../../load/run/k6-command.ts';
import { k6Path, withoutK6 } from '../testing/tools/k6.ts';
import { briefLimits, startTestbed } from './real-load.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('hosts contacted by k6', { skip: withoutK6 }, () => {
  /** The hosts that k6 requests from a proxy. Go uses no proxy for loopback, so these are hosts other than the target. */
  async function contactedHosts(
    t: TestContext,
    env: (proxies: Record<string, string>) => Record<string, string>,
  ) {
    const hosts: string[] = [];
    const proxy = createServer((request, response) => {
      hosts.push(request.url ?? '');
      response.writeHead(502).end();
    });
    proxy.on('connect', (request, socket) => {
      hosts.push(request.url ?? '');
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    t.after(() => void proxy.close());
    const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { job, counted } = await startTestbed(t, { profile: 'smoke' });
    const child = spawn(k6Path, k6Arguments(job), {
      env: env({
        ...k6Environment(job, { PATH: process.env['PATH'] }),
        HTTP_PROXY: origin,
        HTTPS_PROXY: origin,
      }),
      stdio: 'ignore',
    });
    await once(child, 'close');
    assert.equal(counted(), 10, 'the target was reached');
    return hosts;
  }

  test('the target and no other', async (t) => {
    assert.deepEqual(await contactedHosts(t, (env) => env), []);
  });

  test('k6 without these settings sends its usage report, so the test above would detect it', async (t) => {
    const hosts = await contactedHosts(t, ({ K6_NO_USAGE_REPORT: _, ...env }) => env);
    assert.ok(hosts.length > 0, 'another host was contacted');
  });
});

test('k6 ends with the program that started it, even if that was killed', {
  skip: withoutK6,
}, async (t) => {
  const { job, folder, counted } = await startTestbed(t, {
    profile: 'soak',
    limits: { ...briefLimits, minuteSeconds: 30 },
  });
  const program = join(folder, 'program.mts');
  const module = fileURLToPath(new URL('../../load/run/k6-process.ts', import.meta.url));
  const profiles = fileURLToPath(new URL('../../load/profiles/index.ts', import.meta.url));
  const { profile, ...rest } = job;
  writeFileSync(
    program,
    `import { runK6 } from ${JSON.stringify(module)};
     import { findProfile } from ${JSON.stringify(profiles)};
     await runK6({ ...${JSON.stringify(rest)}, profile: findProfile('${profile.id}') },
       { k6: ${JSON.stringify(k6Path)}, env: process.env, signal: new AbortController().signal, sharesTerminal: false });`,
  );
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    cwd: ROOT,
    stdio: 'ignore',
  });
  t.after(() => child.kill('SIGKILL'));
  while (counted() < 2) await delay(50);
  child.kill('SIGKILL');
  await once(child, 'close');
  await delay(2000);
  const before = counted();
  await delay(2000);
  assert.equal(counted(), before, 'nothing more is sent');
});
