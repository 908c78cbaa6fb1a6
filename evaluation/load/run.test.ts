import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { LoadEnding } from '../../kernel/findings/load.ts';
import { judgeParts } from '../../load/run/judge-folder.ts';
import type { LoadJob } from '../../load/run/k6-command.ts';
import { k6Arguments } from '../../load/run/k6-command.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import { partsLeftIn } from '../../load/run/parts.ts';
import { recordLoad } from '../../load/run/record-load.ts';
import type { ScenarioRecord } from '../../load/run/samples.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { Limits } from '../../spec/plans.ts';
import { JUDGING, readSamples } from '../testing/load/runs.ts';
import { rawServer } from '../testing/suites/raw-server.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import { k6Path, withoutK6 } from '../testing/tools/k6.ts';
import { briefLimits, k6ProcessOf, loadJobFor, startTestbed } from './real-load.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('a load run with k6', { skip: withoutK6 }, () => {
  test('sends the planned requests, reports them while it runs, and keeps all files', async (t) => {
    const { job, folder, counted } = await startTestbed(t, { profile: 'at-limit' });
    const observed: ScenarioRecord[] = [];
    const { ended } = await runK6(
      job,
      k6ProcessOf({}, (record) => observed.push(record)),
    );
    const { trace } = readSamples(folder);
    assert.equal(ended.how, 'finished');
    assert.deepEqual([trace.samples.length, counted()], [20, 20]);
    assert.equal(observed.length, trace.samples.length + trace.events.length);
    const files = readdirSync(folder).filter((name) => name !== 'k6-dashboard.html');
    assert.deepEqual(files.sort(), ['k6-summary.json', 'k6.log', 'samples.ndjson.gz']);
    assert.ok(
      JSON.stringify(JSON.parse(readFileSync(join(folder, 'k6-summary.json'), 'utf8'))).includes(
        'petstore_request',
      ),
    );
  });

  test('no argument and no file contains a key, whatever the target echoes', async (t) => {
    const key = 'demo-free-1-Zx81aQm4Lw0vT9sRe3';
    const echo = ['X-RateLimit-Reset', `${key} ${Buffer.from(key).toString('base64')}`] as const;
    const echoing: Seams = {
      wrapService: (answer) => (request) => {
        const outcome = answer(request);
        return outcome.kind === 'dropped' ? outcome : { ...outcome, headers: [...outcome.headers, echo] };
      },
    };
    const { job, folder, server } = await startTestbed(t, { profile: 'under', fault: echoing });
    const secrets = [server.keys.free[0] ?? '', key];
    await runK6(job, k6ProcessOf());
    assert.ok(
      !k6Arguments(job)
        .join(' ')
        .includes(secrets[0] ?? ''),
    );
    const files = readdirSync(folder);
    assert.ok(
      files.includes('k6-dashboard.html') &&
        files.includes('samples.ndjson.gz') &&
        files.includes('k6-summary.json'),
      files.join(),
    );
    for (const name of files) {
      const bytes = readFileSync(join(folder, name));
      const text = name.endsWith('.gz')
        ? gunzipSync(bytes).toString('latin1')
        : withUnpacked(bytes.toString('latin1'));
      for (const secret of secrets) {
        for (const form of [
          secret,
          secret.slice(0, -1),
          Buffer.from(secret).toString('base64').replace(/=+$/, ''),
        ]) {
          assert.ok(!text.includes(form), `${form} is in ${name}`);
        }
      }
    }
  });

  test('a scenario that stops ends the run, and says why', async (t) => {
    let seen = 0;
    const banning: Seams = {
      wrapService: (answer) => (request) => {
        seen += 1;
        return seen > 5
          ? { kind: 'response', status: 403, headers: [], body: Buffer.from('{}') }
          : answer(request);
      },
    };
    const { job, counted } = await startTestbed(t, { profile: 'at-limit', fault: banning });
    const { keys, ended } = await runK6(job, k6ProcessOf());
    assert.equal(ended.how, 'stopped');
    assert.equal(ended.because, 'The key: the key was banned (403 for a key that was accepted before).');
    assert.deepEqual([keys.get('key')?.recorded, counted()], [6, 6]);
  });

  test('no server at the address', async (t) => {
    const { job, server } = await startTestbed(t, { profile: 'at-limit' });
    await server.close();
    const { ended } = await runK6(job, k6ProcessOf());
    assert.equal(ended.how, 'stopped');
    assert.match(
      ended.because,
      /stopped responding \(no response to the first request: dial: connection refused\)/,
    );
  });

  test('an aborted run ends, and keeps what was measured', async (t) => {
    const { job, folder } = await startTestbed(t, { profile: 'under' });
    const controller = new AbortController();
    let records = 0;
    const observe = (): void => {
      records += 1;
      if (records === 5) controller.abort();
    };
    const { ended, keys } = await runK6(job, k6ProcessOf({ signal: controller.signal }, observe));
    assert.deepEqual(ended, { how: 'interrupted', because: 'The user interrupted the run.' });
    const { samples, events } = readSamples(folder).trace;
    assert.ok(samples.length + events.length >= 5);
    assert.equal(samples.length, keys.get('key')?.recorded);
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
    const copy = join(folder, 'copy');
    for (const room of [
      'kernel',
      'load/script',
      'load/model',
      'load/profiles',
      'spec',
      'suites/service/inputs',
    ]) {
      cpSync(join(ROOT, room), join(copy, room), { recursive: true });
    }
    const scenario = join(copy, 'load/script/scenario.ts');
    const text = readFileSync(scenario, 'utf8');
    const throwing = text.replace(
      '    this.#sent += 1;\n',
      '$&    if (this.#sent > 3) throw new Error("oh dear");\n',
    );
    assert.notEqual(throwing, text);
    writeFileSync(scenario, throwing);
    const wrapper = join(folder, 'k6-with-the-copy');
    const main = join(copy, 'load/script/main.ts');
    writeFileSync(
      wrapper,
      `#!/bin/sh\nfor a do shift; case $a in */main.ts) a=${main};; esac; set -- "$@" "$a"; done\nexec ${k6Path} "$@"\n`,
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

  test('k6 settings of the user do not change the run', async (t) => {
    const { job, counted } = await startTestbed(t, { profile: 'at-limit' });
    const env = {
      ...process.env,
      K6_VUS: '50',
      K6_ITERATIONS: '1000',
      K6_HTTP_DEBUG: 'full',
      K6_NO_USAGE_REPORT: 'false',
      PROFILE: 'soak',
      PETSTORE_API_KEYS: 'a,b,c',
    };
    const { ended } = await runK6(job, k6ProcessOf({ env }));
    assert.deepEqual([ended.how, counted()], ['finished', 20]);
    assert.doesNotMatch(readFileSync(join(job.folder, 'k6.log'), 'utf8'), /Authorization|HTTP\/1/);
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
  const folder = temporaryFolder(t);
  const keys = { key: 'key-1', other: 'key-2', disposable: 'key-3' };
  const job = loadJobFor(server.baseUrl.href, {
    ...{ profile: 'smoke', limits: briefLimits, fleet: 1, keys, folder },
  });
  const { ended } = await runK6(job, k6ProcessOf({ mostBytes: 500e6 }));
  assert.equal(ended.how, 'failed');
  assert.match(ended.because, /^k6 used more than 500 MB of memory and was ended/);
});
