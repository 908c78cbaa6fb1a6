import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { LoadEnding } from '../../kernel/findings/load.ts';
import { bundleScript } from '../../load/operator/manifests.ts';
import { judgeParts } from '../../load/run/judge-folder.ts';
import type { LoadJob } from '../../load/run/k6-command.ts';
import { k6Arguments, k6Environment } from '../../load/run/k6-command.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import { partsLeftIn } from '../../load/run/parts.ts';
import { recordLoad } from '../../load/run/record-load.ts';
import type { ScenarioRecord } from '../../load/run/samples.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { Limits } from '../../spec/plans.ts';
import { listen } from '../testing/cli/target.ts';
import { JUDGING, readSamples } from '../testing/load/runs.ts';
import { rawServer } from '../testing/suites/raw-server.ts';
import { k6Path, withoutK6 } from '../testing/tools/k6.ts';
import { briefLimits, k6ProcessOf, startTestbed } from './real-load.ts';

describe('a load run with k6', { skip: withoutK6 }, () => {
  test('reports each request that it sends, and keeps all files, none with a key, whatever the target echoes', async (t) => {
    const key = 'demo-free-1-Zx81aQm4Lw0vT9sRe3';
    const echo = ['X-RateLimit-Reset', `${key} ${Buffer.from(key).toString('base64')}`] as const;
    const echoing: Seams = {
      wrapService: (answer) => (request) => {
        const outcome = answer(request);
        return outcome.kind === 'dropped' ? outcome : { ...outcome, headers: [...outcome.headers, echo] };
      },
    };
    const { job, folder, server, counted } = await startTestbed(t, { profile: 'under', fault: echoing });
    const secrets = [server.keys.free[0] ?? '', key];
    const observed: ScenarioRecord[] = [];
    const k6 = k6ProcessOf({}, (record) => observed.push(record));
    const { ended } = await runK6(job, k6);
    const { trace } = readSamples(folder);
    assert.equal(ended.how, 'finished');
    assert.equal(trace.samples.length, counted());
    assert.ok(counted() > 20, `${counted()} requests`);
    assert.equal(observed.length, trace.samples.length + trace.events.length);
    assert.ok(k6Arguments(job).every((word) => !word.includes(secrets[0] ?? '')));
    const base64Of = (secret: string) => Buffer.from(secret).toString('base64').replace(/=+$/, '');
    const forms = secrets.flatMap((secret) => [secret, secret.slice(0, -1), base64Of(secret)]);
    const files = readdirSync(folder);
    assert.deepEqual(files.sort(), ['k6-dashboard.html', 'k6-summary.json', 'k6.log', 'samples.ndjson.gz']);
    assert.match(readFileSync(join(folder, 'k6-summary.json'), 'utf8'), /petstore_request/);
    for (const name of files) {
      const bytes = readFileSync(join(folder, name));
      const text = name.endsWith('.gz')
        ? gunzipSync(bytes).toString('latin1')
        : withUnpacked(bytes.toString('latin1'));
      for (const form of forms) assert.ok(!text.includes(form), `${form} is in ${name}`);
    }
  });

  test('an aborted run ends even if the target delays its responses', async (t) => {
    let seen = 0;
    const holding: Seams = {
      wrapService: (answer) => (request) => {
        seen += 1;
        return seen > 1 ? { ...answer(request), delayMs: 20_000 } : answer(request);
      },
    };
    const { job, counted } = await startTestbed(t, { profile: 'at-limit', fault: holding });
    const controller = new AbortController();
    const running = runK6(job, k6ProcessOf({ signal: controller.signal }));
    while (counted() < 2) await delay(20);
    const at = performance.now();
    controller.abort();
    const { ended, keys } = await running;
    assert.ok(performance.now() - at < 10_000, `${performance.now() - at} ms`);
    assert.deepEqual([ended.how, keys.get('key')?.recorded], ['interrupted', 1]);
  });

  test('a script that fails before it starts is a failed run', async (t) => {
    const { job } = await startTestbed(t, { profile: 'at-limit' });
    const profile = { ...job.profile, scenarios: () => [] };
    const inputs = { ...job.inputs, limits: null as unknown as Limits };
    const { ended } = await runK6({ ...job, profile, inputs }, k6ProcessOf());
    assert.equal(ended.how, 'failed');
    assert.match(ended.because, /^k6 ended with exit code 107 \(.+\)/);
  });

  test('a script that throws during the run is a failed run, and its records are kept', async (t) => {
    const { job, folder, counted } = await startTestbed(t, { profile: 'at-limit' });
    const script = join(folder, 'throwing.js');
    const text = await bundleScript();
    const throwing = text.replace('this.#sent+=1', '$&,this.#sent>3&&(()=>{throw new Error("oh dear")})()');
    assert.notEqual(throwing, text);
    writeFileSync(script, throwing);
    const wrapper = join(folder, 'k6-with-this-script');
    writeFileSync(
      wrapper,
      `#!/bin/sh\nfor a do shift; case $a in */main.ts) a=${script};; esac; set -- "$@" "$a"; done\nexec ${k6Path} "$@"\n`,
      { mode: 0o755 },
    );
    const { ended, keys } = await runK6(job, k6ProcessOf({ k6: wrapper }));
    assert.deepEqual(ended, { how: 'failed', because: 'The key: the script failed (oh dear).' });
    assert.deepEqual([keys.get('key')?.recorded, counted()], [3, 3]);
  });

  test('a k6 that writes nothing and exits with 0 is a failed run', async (t) => {
    const { job, folder } = await startTestbed(t, { profile: 'at-limit' });
    const quiet = join(folder, 'quiet-k6');
    writeFileSync(quiet, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const { how, because } = await endedWith(job, quiet);
    assert.deepEqual([how, because], ['failed', 'The samples are not complete: all samples are missing.']);
  });

  test('a full disk is a failed run', async (t) => {
    const { job, folder } = await startTestbed(t, { profile: 'at-limit' });
    const bounded = join(folder, 'k6-on-a-small-disk');
    writeFileSync(bounded, `#!/bin/sh\nulimit -f 8\nexec ${k6Path} "$@"\n`, { mode: 0o755 });
    const ended = await endedWith(job, bounded);
    assert.equal(ended.how, 'failed', JSON.stringify(ended));
  });

  test('a missing k6 cannot be started', async (t) => {
    const { job, folder } = await startTestbed(t, { profile: 'at-limit' });
    const none = k6ProcessOf({ k6: join(folder, 'no-k6') });
    await assert.rejects(runK6(job, none), { name: 'K6StartError' });
  });
});

/** How a run with this k6 ended, by what it recorded. */
async function endedWith(job: LoadJob, k6: string): Promise<LoadEnding> {
  await recordLoad({ ...job, plan: 'free' }, { ...k6ProcessOf({ k6 }), k6Version: '2.0.0' });
  const { record } = await judgeParts([job.folder], JUDGING, partsLeftIn(job.folder));
  return record.ended;
}

/** The text with the compressed data of k6's dashboard decompressed. */
const withUnpacked = (text: string): string => {
  const [, packed] = /(H4sI[A-Za-z0-9+/=]+)/.exec(text) ?? [];
  return packed === undefined ? text : text + gunzipSync(Buffer.from(packed, 'base64')).toString('latin1');
};

const PIECE = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1 << 20, ' '), Buffer.from('\r\n')]);

/** Answers 200 with a list that does not end, as fast as it is read. */
function answerWithoutEnd(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n');
  const send = (): void => {
    while (!socket.destroyed && socket.write(PIECE));
  };
  socket.on('drain', send);
  send();
}

test('a body without an end: k6 is ended before it fills the memory, and the report says why', {
  skip: withoutK6,
}, async (t) => {
  await using server = await rawServer(answerWithoutEnd);
  const { job } = await startTestbed(t, { profile: 'smoke' });
  const { ended } = await runK6({ ...job, baseUrl: server.baseUrl.href }, k6ProcessOf({ mostBytes: 500e6 }));
  assert.equal(ended.how, 'failed');
  assert.match(ended.because, /^k6 used more than 500 MB of memory and was ended/);
});

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
    const origin = `http://${await listen(t, proxy)}`;
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
  const child = spawn(process.execPath, ['--import', 'tsx', program], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  while (counted() < 2) await delay(50);
  child.kill('SIGKILL');
  await once(child, 'close');
  await delay(2000);
  const before = counted();
  await delay(2000);
  assert.equal(counted(), before, 'nothing more is sent');
});
