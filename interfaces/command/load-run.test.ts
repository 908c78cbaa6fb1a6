import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { certificate } from '../../evaluation/testing/cli/attested.ts';
import type { RunningCommand } from '../../evaluation/testing/cli/command.ts';
import { exits, plansFile, run, start, textsOf } from '../../evaluation/testing/cli/command.ts';
import {
  forwardingTo,
  rejectEveryKey,
  serve,
  serveReference,
  serveTls,
} from '../../evaluation/testing/cli/target.ts';
import { commandLines } from '../../evaluation/testing/clients/recorded.ts';
import { readSamples } from '../../evaluation/testing/load/runs.ts';
import {
  assertConformsOrBusy,
  onBusyMachine,
  whyTooBusy,
} from '../../evaluation/testing/tools/busy-machine.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { k6Path, withoutK6 } from '../../evaluation/testing/tools/k6.ts';
import { trustedFile } from '../../load/k6/host.ts';

const skip = withoutK6;
const K6_BIN = k6Path;

const unlessBusy = onBusyMachine();

/** Presses Ctrl-C. `late` says so where the command did not end within a second, which a busy machine explains as well. */
async function interrupted({ child, ended }: RunningCommand) {
  const before = performance.now();
  child.kill('SIGINT');
  const { code, err } = await ended();
  const took = performance.now() - before;
  return { code, err, late: took < 1000 ? undefined : `it ended after ${Math.round(took)} ms` };
}

describe('load', { skip }, () => {
  test('the bundled server passes; a run without a terminal prints its progress line by line', (t) =>
    unlessBusy(t, async (again) => {
      const cwd = temporaryFolder(t);
      const atLimit = ['load', 'at-limit', '--plans', plansFile(cwd, again ? 20 : 2), '--out', 'run'];
      const args = [...atLimit, '--k6-out', 'csv=points.csv'];
      const ended = await run(t, args, { cwd, env: { K6_BIN } });
      const { code, out, err } = ended;
      const reason = whyTooBusy(ended);
      if (reason !== undefined) return reason;
      assert.equal(code, 0, err + out);
      assert.match(out, /The target conforms in load profile at-limit: all 6 expectations passed\./);
      assert.match(
        err,
        /^ *\d+\.\d s {2}1\/60 sent · 1 accepted · no 429 · Remaining 59 · sends the preflight request$/m,
      );
      assert.match(err, /^ *\d+\.\d s {2}60\/60 sent · 60 accepted · no 429 · Remaining \d+ · finished$/m);
      const { trace } = readSamples(join(cwd, 'run'));
      assert.equal(trace.samples.length, 60);
      assert.ok(existsSync(join(cwd, 'points.csv')), 'the additional output of k6 was written');
      return undefined;
    }));

  test('a non-conforming target fails, exit 1', (t) =>
    unlessBusy(t, async (again) => {
      const cwd = temporaryFolder(t);
      const overLimit = ['load', 'over-limit', '--plans', plansFile(cwd, again ? 20 : 2), '--out', 'run'];
      const args = [...overLimit, '--fault', 'retry-after-absent'];
      const ended = await run(t, args, { cwd, env: { K6_BIN } });
      const reason = whyTooBusy(ended);
      if (reason !== undefined) return reason;
      assert.equal(ended.code, 1, ended.out + ended.err);
      assert.match(ended.out, /The target violates 1 expectation of load profile over-limit: RATE-LIMITED\./);
      return undefined;
    }));

  test('a second target takes turns with the first, and the comparison decides the exit code', (t) =>
    unlessBusy(t, async (again) => {
      const cwd = temporaryFolder(t);
      const seconds = again ? 10 : 1;
      const { baseUrl, keys } = await serveReference(t, seconds);
      let forwarded = 0;
      const gateway = await serve(t, (asked, response) => {
        forwarded += 1;
        forwardingTo(baseUrl)(asked, response);
      });
      const targets = ['--target', baseUrl, '--against', `${gateway}/v1`];
      const args = ['load', 'smoke', '--plans', plansFile(cwd, seconds), ...targets];
      const ended = await run(t, [...args, '--repeat', '1', '--out', 'run'], {
        cwd,
        env: { K6_BIN, PETSTORE_API_KEY: keys.free[0] ?? '' },
      });
      const { code, out, err } = ended;
      const reason = whyTooBusy(ended);
      if (reason !== undefined) return reason;
      assert.equal(code, 0, err + out);
      assert.ok(forwarded > 0);
      assert.match(out, /^Against +http:[\s\S]*^Run 2 of 2: --against$[\s\S]*No verdict is worse\.\n$/m);
      assert.deepEqual(
        ['target', 'against'].map((set) => existsSync(join(cwd, 'run', set, 'run-1', 'report.json'))),
        [true, true],
      );
      return undefined;
    }));

  test('a repeated profile makes its folder, and in it one of each run', async (t) => {
    const cwd = temporaryFolder(t);
    const args = ['load', 'smoke', '--plans', plansFile(cwd, 1), '--repeat', '2', '--out', 'set'];
    const { err } = await run(t, args, { cwd, env: { K6_BIN } });
    assert.ok(existsSync(join(cwd, 'set', 'run-2', 'report.json')), err);
  });

  test('a target that does not respond is one sentence, without a preview', async (t) => {
    const cwd = temporaryFolder(t);
    const args = ['load', 'smoke', '--target', 'http://127.0.0.1:9/v1', '--out', 'run'];
    const { out, err } = await exits(2, t, args, {
      cwd,
      env: { K6_BIN, PETSTORE_API_KEY: 'pk-1234567890' },
    });
    assert.doesNotMatch(out, /^Profile/m);
    assert.match(
      err,
      /petstore-conformance: The load run failed: The key: [^\n]*\(no response to the first request: dial: connection refused\)[^\n]*\n$/,
    );
  });

  test('an unknown key: one request, one sentence, exit 2', async (t) => {
    const cwd = temporaryFolder(t);
    let received = 0;
    const target = await serve(t, (request, response) => {
      received += 1;
      rejectEveryKey(request, response);
    });
    const args = ['load', 'smoke', '--target', `${target}/v1`, '--out', 'run'];
    const { err } = await exits(2, t, args, { cwd, env: { K6_BIN, PETSTORE_API_KEY: 'pk-1234567890' } });
    assert.equal(received, 1);
    assert.match(
      err,
      /\npetstore-conformance: The load run failed: The key: the target is not the service \(the first response is 401: the key is not accepted\)\. [^\n]+\n$/,
    );
  });

  test('Ctrl-C: within a second, exit 130, and the measurements are kept', async (t) => {
    await unlessBusy(t, async () => {
      const { baseUrl, keys } = await serveReference(t, 30);
      const cwd = temporaryFolder(t);
      const args = ['load', 'under', '--target', baseUrl, '--plans', plansFile(cwd, 30), '--out', 'run'];
      const running = start(t, args, { cwd, env: { K6_BIN, PETSTORE_API_KEY: keys.free[0] ?? '' } });
      await running.until('sends at an even pace');
      const { code, err, late } = await interrupted(running);
      assert.equal(code, 130, err);
      assert.match(err, /\npetstore-conformance: Interrupted: [^\n]*The measurements are in run\/[^\n]*\n$/);
      const { trace } = readSamples(join(cwd, 'run'));
      assert.ok(trace.samples.length >= 2);
      return late;
    });
  });

  test('judge gives the same record again, and judges what a killed run recorded', async (t) => {
    const cwd = temporaryFolder(t);
    const report = join(cwd, 'run', 'report.json');
    const smoke = ['load', 'smoke', '--plans', plansFile(cwd, 2), '--out', 'run'];
    const first = await run(t, smoke, { cwd, env: { K6_BIN } });
    assertConformsOrBusy(first);
    const recorded = readFileSync(report, 'utf8');
    const again = await run(t, ['judge', 'run'], { cwd });
    assert.deepEqual([again.code, again.err], [first.code, '']);
    assert.equal(readFileSync(report, 'utf8'), recorded);
    writeFileSync(report, 'another report');
    const moved = await run(t, ['judge', 'run'], { cwd });
    assert.match(moved.err, /^The files of an earlier run were moved to .* \(report\.json\)\.$/m);
    assert.equal(readFileSync(report, 'utf8'), recorded);

    const under = ['load', 'under', '--plans', plansFile(cwd, 30), '--out', 'killed'];
    const running = start(t, under, { cwd, env: { K6_BIN } });
    await running.until('sends at an even pace');
    running.child.kill('SIGKILL');
    await running.ended();
    const { out } = await exits(3, t, ['judge', 'killed', '--out', 'judged'], { cwd });
    assert.match(
      out,
      /Ended: The program was killed before the run ended; its samples up to then are judged\./,
    );
    assert.ok(existsSync(join(cwd, 'judged', 'report.html')));
  });

  test('files of an earlier run are not mistaken for this one’s', async (t) => {
    const cwd = temporaryFolder(t);
    const args = ['load', 'smoke', '--plans', plansFile(cwd, 2), '--out', '.'];
    const left = ['samples.ndjson', 'samples.ndjson.gz', 'k6-dashboard.html', 'report.json'];
    for (const name of left) writeFileSync(join(cwd, name), 'of an earlier run');
    assertConformsOrBusy(await run(t, args, { cwd, env: { K6_BIN } }));
    for (const name of readdirSync(cwd).filter((one) => !one.startsWith('earlier-'))) {
      assert.ok(!readFileSync(join(cwd, name), 'utf8').startsWith('of an earlier run'), name);
    }
  });
});

describe('k6', () => {
  test('says which one would be used and why, also as JSON', { skip }, async (t) => {
    const { out } = await exits(0, t, ['load', '--install'], { env: { K6_BIN } });
    assert.match(out, /^k6 +2\.\d+\.\d+\nPath +\S+\nFound +K6_BIN: K6_BIN names it\.\n$/);
    const json = JSON.parse((await run(t, ['load', '--install', '--json'], { env: { K6_BIN } })).out);
    assert.deepEqual([json.kind, json.path, json.source], ['found', K6_BIN, 'K6_BIN']);
  });

  test('Ctrl-C during the search: within a second, exit 130, and nothing was sent', (t) =>
    unlessBusy(t, async () => {
      const cwd = temporaryFolder(t);
      const slow = join(cwd, 'k6');
      writeFileSync(slow, '#!/bin/sh\necho asked >asked\nexec sleep 5\n', { mode: 0o755 });
      const running = start(t, ['load', 'smoke'], { cwd, env: { K6_BIN: slow } });
      while (!existsSync(join(cwd, 'asked'))) await delay(20);
      const { code, err, late } = await interrupted(running);
      assert.deepEqual(
        [code, err],
        [130, 'petstore-conformance: Interrupted while looking for k6: nothing was sent.\n'],
      );
      return late;
    }));

  test('where there is none, it says where it looked and what to do, exit 2', async (t) => {
    const { out } = await exits(2, t, ['load', '--install', '--dry-run'], {
      env: { PATH: '/nowhere', HOME: temporaryFolder(t) },
    });
    assert.match(out, /^No usable k6 was found\.\n +PATH: no k6 found\n +cache: it is empty\nInstall k6/);
    assert.match(
      out,
      /Install the pinned release with: npx --offline petstore-conformance load --install\n$/,
    );
  });
});

const SECRET = 'gateway-secret-5512';

/** Why a target with a private authority cannot be loaded on this system, or false. */
const loadGatewaySkip =
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
    forwardingTo(baseUrl, { 'Retry-After': SECRET })(asked, response);
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

describe('a staging environment behind a gateway, loaded with k6', {
  skip: loadGatewaySkip,
  concurrency: 2,
}, () => {
  test('with its authority and its headers it is reached, and neither the key nor a header value appears anywhere', async (t) => {
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
    for (const text of [out, err, ...during, ...texts])
      for (const secret of [SECRET, place.key]) assert.ok(!text.includes(secret));
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
