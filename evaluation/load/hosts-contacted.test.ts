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
import { k6Arguments, k6Environment } from '../../load/run/command.ts';
import { k6Path, withoutK6 } from '../testing/tools/k6.ts';
import { brief, stage } from './real-load.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('who is called', { skip: withoutK6 }, () => {
  /** Go never goes through a proxy to reach this machine, so whatever a proxy is asked for is somebody else. */
  async function asked(t: TestContext, env: (proxies: Record<string, string>) => Record<string, string>) {
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
    const { order, counted } = await stage(t, { profile: 'smoke' });
    const child = spawn(k6Path, k6Arguments(order), {
      env: env({
        ...k6Environment(order, { PATH: process.env['PATH'] }),
        HTTP_PROXY: origin,
        HTTPS_PROXY: origin,
      }),
      stdio: 'ignore',
    });
    await once(child, 'close');
    assert.equal(counted(), 10, 'the target was reached');
    return hosts;
  }

  test('the target, and nobody else', async (t) => {
    assert.deepEqual(await asked(t, (env) => env), []);
  });

  test('while k6 as it comes reports its use, which shows that the test above would see it', async (t) => {
    const hosts = await asked(t, ({ K6_NO_USAGE_REPORT: _, ...env }) => env);
    assert.ok(hosts.length > 0, 'somebody else was called');
  });
});

test('k6 ends with the program that started it, even where that was killed', {
  skip: withoutK6,
}, async (t) => {
  const { order, folder, counted } = await stage(t, {
    profile: 'soak',
    limits: { ...brief, minuteSeconds: 30 },
  });
  const program = join(folder, 'program.mts');
  const module = fileURLToPath(new URL('../../load/run/run.ts', import.meta.url));
  const profiles = fileURLToPath(new URL('../../load/profiles/index.ts', import.meta.url));
  const { profile, ...rest } = order;
  writeFileSync(
    program,
    `import { runLoad } from ${JSON.stringify(module)};
     import { findProfile } from ${JSON.stringify(profiles)};
     await runLoad({ ...${JSON.stringify(rest)}, profile: findProfile('${profile.id}') },
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
  const then = counted();
  await delay(2000);
  assert.equal(counted(), then, 'nothing more is sent');
});
