import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { k6Arguments } from '../../load/run/command.ts';
import { runLoad } from '../../load/run/run.ts';
import { readSamples } from '../../load/run/sample-files.ts';
import type { Told } from '../../load/run/samples.ts';
import type { Seams } from '../../reference-server/index.ts';
import type { Limits } from '../../spec/plans.ts';
import { k6Path, withoutK6 } from '../testing/tools/k6.ts';
import { courseOf, stage } from './real-load.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('a load run with k6', { skip: withoutK6 }, () => {
  test('sends what was planned, tells of it while it runs, and keeps everything', async (t) => {
    const { order, folder, counted } = await stage(t, { profile: 'at-limit' });
    const heard: Told[] = [];
    const { trace, ended, damage } = await runLoad(
      order,
      courseOf({}, (told) => heard.push(told)),
    );
    assert.deepEqual(ended, { how: 'finished', because: 'Every request that was planned was sent.' });
    assert.deepEqual([trace.samples.length, counted(), damage], [20, 20, []]);
    assert.equal(heard.length, trace.samples.length + trace.events.length);
    const files = readdirSync(folder).filter((name) => name !== 'k6-dashboard.html');
    assert.deepEqual(files.sort(), ['k6-summary.json', 'k6.log', 'samples.ndjson.gz']);
    const again = await readSamples(folder);
    assert.deepEqual([again.trace, again.damage], [trace, []], 'the same is read again later');
    assert.ok(
      JSON.stringify(JSON.parse(readFileSync(join(folder, 'k6-summary.json'), 'utf8'))).includes(
        'petstore_request',
      ),
    );
    const raw = gunzipSync(readFileSync(join(folder, 'samples.ndjson.gz'))).toString();
    assert.ok(raw.includes('http_req_duration'), 'what k6 measures by itself is kept, too');
  });

  test('no key stands in an argument or in any file, whatever the target says back', async (t) => {
    const key = 'demo-free-1-Zx81aQm4Lw0vT9sRe3';
    const said = ['X-RateLimit-Reset', `${key} ${Buffer.from(key).toString('base64')}`] as const;
    const told: Seams = {
      wrapService: (answer) => (request) => {
        const outcome = answer(request);
        return outcome.kind === 'dropped' ? outcome : { ...outcome, headers: [...outcome.headers, said] };
      },
    };
    const { order, folder, server } = await stage(t, { profile: 'under', fault: told });
    const secrets = [server.keys.free[0] ?? '', key];
    await runLoad(order, courseOf());
    assert.ok(
      !k6Arguments(order)
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
          assert.ok(!text.includes(form), `${form} stands in ${name}`);
        }
      }
    }
  });

  test('a lane that stops ends the run, and says why', async (t) => {
    let seen = 0;
    const banning: Seams = {
      wrapService: (answer) => (request) => {
        seen += 1;
        return seen > 5
          ? { kind: 'response', status: 403, headers: [], body: Buffer.from('{}') }
          : answer(request);
      },
    };
    const { order, counted } = await stage(t, { profile: 'at-limit', fault: banning });
    const { trace, ended } = await runLoad(order, courseOf());
    assert.equal(ended.how, 'stopped');
    assert.equal(ended.because, 'Key key: the key was banned (403 for a key that was accepted before).');
    assert.deepEqual([trace.samples.length, counted()], [6, 6]);
  });

  test('nobody at the address', async (t) => {
    const { order, server } = await stage(t, { profile: 'at-limit' });
    await server.close();
    const { ended } = await runLoad(order, courseOf());
    assert.equal(ended.how, 'stopped');
    assert.match(ended.because, /vanished \(the first request got no answer: dial: connection refused\)/);
  });

  test('an aborted run ends within a second and keeps what was measured', async (t) => {
    const { order, folder } = await stage(t, { profile: 'under' });
    const controller = new AbortController();
    let at = 0;
    let heard = 0;
    const observe = (): void => {
      heard += 1;
      if (heard !== 5) return;
      at = performance.now();
      controller.abort();
    };
    const { ended, trace } = await runLoad(order, courseOf({ signal: controller.signal }, observe));
    assert.ok(performance.now() - at < 1000, `${performance.now() - at} ms`);
    assert.deepEqual(ended, { how: 'interrupted', because: 'The user ended the run.' });
    assert.ok(trace.samples.length >= 5);
    assert.deepEqual((await readSamples(folder)).trace, trace);
  });

  test('nor does a target that holds its answers back keep it from ending', async (t) => {
    let seen = 0;
    const holding: Seams = {
      wrapService: (answer) => (request) => {
        seen += 1;
        return seen > 1 ? { ...answer(request), delayMs: 20_000 } : answer(request);
      },
    };
    const { order, counted } = await stage(t, { profile: 'at-limit', fault: holding });
    const controller = new AbortController();
    const running = runLoad(order, courseOf({ signal: controller.signal }));
    while (counted() < 2) await delay(20);
    const at = performance.now();
    controller.abort();
    const { ended, trace } = await running;
    assert.ok(performance.now() - at < 1000, `${performance.now() - at} ms`);
    assert.deepEqual([ended.how, trace.samples.length], ['interrupted', 1]);
  });

  test('a script that fails before it begins is a failed run', async (t) => {
    const { order } = await stage(t, { profile: 'at-limit' });
    const profile = { ...order.profile, scenarios: () => [] };
    const inputs = { ...order.inputs, limits: null as unknown as Limits };
    const { ended } = await runLoad({ ...order, profile, inputs }, courseOf());
    assert.equal(ended.how, 'failed');
    assert.match(ended.because, /^the script of k6 failed \(.*TypeError/);
  });

  test('a script that throws midway is a failed run, too, and what it sent is kept', async (t) => {
    const { order, folder, counted } = await stage(t, { profile: 'at-limit' });
    const copy = join(folder, 'copy');
    for (const room of [
      'load/script',
      'load/model',
      'load/profiles',
      'spec',
      'suites/given',
      'suites/model',
      'words',
    ]) {
      cpSync(join(ROOT, room), join(copy, room), { recursive: true });
    }
    const scenario = join(copy, 'load/script/scenario.ts');
    const text = readFileSync(scenario, 'utf8');
    const throwing = text.replace(
      '    const n = this.#sent;\n',
      '$&    if (n > 3) throw new Error("oh dear");\n',
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
    const { ended, trace } = await runLoad(order, courseOf({ k6: wrapper }));
    assert.deepEqual(ended, { how: 'failed', because: 'The script failed: oh dear.' });
    assert.deepEqual([trace.samples.length, counted()], [3, 3]);
  });

  test('a k6 that says nothing and ends well has not run anything', async (t) => {
    const { order, folder } = await stage(t, { profile: 'at-limit' });
    const quiet = join(folder, 'quiet-k6');
    writeFileSync(quiet, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const { ended } = await runLoad(order, courseOf({ k6: quiet }));
    assert.equal(ended.how, 'failed');
    assert.match(ended.because, /but the lane of key never ended \(0 requests were told of\)\.$/);
  });

  test('a disk that takes no more is a failed run', async (t) => {
    const { order, folder } = await stage(t, { profile: 'at-limit' });
    const bounded = join(folder, 'k6-on-a-small-disk');
    writeFileSync(bounded, `#!/bin/sh\nulimit -f 8\nexec ${k6Path} "$@"\n`, { mode: 0o755 });
    const { ended } = await runLoad(order, courseOf({ k6: bounded }));
    assert.equal(ended.how, 'failed', JSON.stringify(ended));
  });

  test('a k6 that is none cannot be started', async (t) => {
    const { order, folder } = await stage(t, { profile: 'at-limit' });
    const none = courseOf({ k6: join(folder, 'no-k6') });
    await assert.rejects(runLoad(order, none), { name: 'K6StartError' });
  });

  test('settings of the user cannot change the run', async (t) => {
    const { order, counted } = await stage(t, { profile: 'at-limit' });
    const env = {
      ...process.env,
      K6_VUS: '50',
      K6_ITERATIONS: '1000',
      K6_HTTP_DEBUG: 'full',
      K6_NO_USAGE_REPORT: 'false',
      PROFILE: 'soak',
      PETSTORE_API_KEYS: 'a,b,c',
    };
    const { ended } = await runLoad(order, courseOf({ env }));
    assert.deepEqual([ended.how, counted()], ['finished', 20]);
    assert.doesNotMatch(readFileSync(join(order.folder, 'k6.log'), 'utf8'), /Authorization|HTTP\/1/);
  });
});

/** The text with what the dashboard of k6 holds compressed. */
const withUnpacked = (text: string): string => {
  const [, packed] = /(H4sI[A-Za-z0-9+/=]+)/.exec(text) ?? [];
  return packed === undefined ? text : text + gunzipSync(Buffer.from(packed, 'base64')).toString('latin1');
};
