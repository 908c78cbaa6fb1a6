import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { EndedCommand, RunningCommand } from '../../evaluation/testing/cli/command.ts';
import { commandBeside, commandIn } from '../../evaluation/testing/cli/command.ts';
import {
  forwardingTo,
  rejectEveryKey,
  selfSigned,
  serve,
  serveTls,
} from '../../evaluation/testing/cli/target.ts';
import { commandLines } from '../../evaluation/testing/clients/recorded.ts';
import { readSamples } from '../../evaluation/testing/load/runs.ts';
import {
  assertConformsOrBusy,
  onBusyMachine,
  whyTooBusy,
} from '../../evaluation/testing/tools/busy-machine.ts';
import { k6Path, withoutK6 } from '../../evaluation/testing/tools/k6.ts';
import { trustedFile } from '../../load/k6/host.ts';

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

/**
 * Runs a profile with a short window, and with a longer one where this machine was too busy for that. It has
 * to have this exit code then.
 */
const loaded = (
  t: TestContext,
  [code, seconds, longer]: readonly [code: number, seconds: number, longer: number],
  line: string,
  check: (ended: EndedCommand, here: ReturnType<typeof commandIn>) => void,
) =>
  unlessBusy(t, async (again) => {
    const here = commandIn(t, { K6_BIN });
    here.plans(again ? longer : seconds);
    const ended = await here.run(`load ${line} --plans plans.json --out run`);
    const reason = whyTooBusy(ended);
    if (reason !== undefined) return reason;
    assert.equal(ended.code, code, ended.err + ended.out);
    check(ended, here);
    return undefined;
  });

describe('load', { skip: withoutK6 }, () => {
  test('the bundled server passes; a run without a terminal prints its progress line by line', (t) =>
    loaded(t, [0, 2, 20], 'at-limit --k6-out csv=points.csv', ({ out, err }, here) => {
      assert.match(out, /The target conforms in load profile at-limit: all 6 expectations passed\./);
      assert.match(
        err,
        /^ *\d+\.\d s {2}1\/60 sent · 1 accepted · no 429 · Remaining 59 · sends the preflight request$/m,
      );
      assert.match(err, /^ *\d+\.\d s {2}60\/60 sent · 60 accepted · no 429 · Remaining \d+ · finished$/m);
      assert.equal(readSamples(here.path('run')).trace.samples.length, 60);
      assert.ok(existsSync(here.path('points.csv')), 'the additional output of k6 was written');
    }));

  test('a non-conforming target fails, exit 1', (t) =>
    loaded(t, [1, 2, 20], 'over-limit --fault retry-after-absent', ({ out }) =>
      assert.match(out, /The target violates 1 expectation of load profile over-limit: RATE-LIMITED\./),
    ));

  test('a second target takes turns with the first, and the comparison decides the exit code', (t) =>
    unlessBusy(t, async (again) => {
      const { baseUrl, ...here } = await commandBeside(t, again ? 10 : 1, { K6_BIN });
      let forwarded = 0;
      const gateway = await serve(t, (asked, response) => {
        forwarded += 1;
        forwardingTo(baseUrl)(asked, response);
      });
      const targets = `--target ${baseUrl} --against ${gateway}/v1`;
      const ended = await here.run(`load smoke --plans plans.json ${targets} --repeat 1 --out run`);
      const reason = whyTooBusy(ended);
      if (reason !== undefined) return reason;
      assert.equal(ended.code, 0, ended.err + ended.out);
      assert.ok(forwarded > 0);
      assert.match(
        ended.out,
        /^Against +http:[\s\S]*^Run 2 of 2: --against$[\s\S]*No verdict is worse\.\n$/m,
      );
      for (const set of ['target', 'against'])
        assert.ok(existsSync(here.path(`run/${set}/run-1/report.json`)));
      return undefined;
    }));

  test('a repeated profile makes its folder, and in it one of each run', async (t) => {
    const here = commandIn(t, { K6_BIN });
    here.plans(1);
    const { err } = await here.run('load smoke --plans plans.json --repeat 2 --out set');
    assert.ok(existsSync(here.path('set/run-2/report.json')), err);
  });

  test('a target that does not respond is one sentence, without a preview', async (t) => {
    const here = commandIn(t, { K6_BIN, PETSTORE_API_KEY: 'pk-1234567890' });
    const { out, err } = await here.exits(2, 'load smoke --target http://127.0.0.1:9/v1 --out run');
    assert.doesNotMatch(out, /^Profile/m);
    assert.match(
      err,
      /petstore-conformance: The load run failed: The key: [^\n]*\(no response to the first request: dial: connection refused\)[^\n]*\n$/,
    );
  });

  test('an unknown key: one request, one sentence, exit 2', async (t) => {
    const here = commandIn(t, { K6_BIN, PETSTORE_API_KEY: 'pk-1234567890' });
    let received = 0;
    const target = await serve(t, (request, response) => {
      received += 1;
      rejectEveryKey(request, response);
    });
    const { err } = await here.exits(2, `load smoke --target ${target}/v1 --out run`);
    assert.equal(received, 1);
    assert.match(
      err,
      /\npetstore-conformance: The load run failed: The key: the target is not the service \(the first response is 401: the key is not accepted\)\. [^\n]+\n$/,
    );
  });

  test('Ctrl-C: within a second, exit 130, and the measurements are kept', (t) =>
    unlessBusy(t, async () => {
      const { baseUrl, ...here } = await commandBeside(t, 30, { K6_BIN });
      const running = here.start(`load under --target ${baseUrl} --plans plans.json --out run`);
      await running.until('sends at an even pace');
      const { code, err, late } = await interrupted(running);
      assert.equal(code, 130, err);
      assert.match(err, /\npetstore-conformance: Interrupted: [^\n]*The measurements are in run\/[^\n]*\n$/);
      assert.ok(readSamples(here.path('run')).trace.samples.length >= 2);
      return late;
    }));

  test('judge gives the same record again, and judges what a killed run recorded', async (t) => {
    const here = commandIn(t, { K6_BIN });
    here.plans(2);
    const first = await here.run('load smoke --plans plans.json --out run');
    assertConformsOrBusy(first);
    const recorded = here.read('run/report.json');
    const again = await here.run('judge run');
    assert.deepEqual([again.code, again.err], [first.code, '']);
    assert.equal(here.read('run/report.json'), recorded);
    here.write('run/report.json', 'another report');
    const moved = await here.run('judge run');
    assert.match(moved.err, /^The files of an earlier run were moved to .* \(report\.json\)\.$/m);
    assert.equal(here.read('run/report.json'), recorded);

    here.plans(30);
    const running = here.start('load under --plans plans.json --out killed');
    await running.until('sends at an even pace');
    running.child.kill('SIGKILL');
    await running.ended();
    const { out } = await here.exits(3, 'judge killed --out judged');
    assert.match(
      out,
      /Ended: The program was killed before the run ended; its samples up to then are judged\./,
    );
    assert.ok(existsSync(here.path('judged/report.html')));
  });

  test('files of an earlier run are not mistaken for this one’s', async (t) => {
    const here = commandIn(t, { K6_BIN });
    here.plans(2);
    for (const name of ['samples.ndjson', 'samples.ndjson.gz', 'k6-dashboard.html', 'report.json'])
      here.write(name, 'of an earlier run');
    assertConformsOrBusy(await here.run('load smoke --plans plans.json --out .'));
    for (const name of here.names().filter((one) => !one.startsWith('earlier-')))
      assert.ok(!here.read(name).startsWith('of an earlier run'), name);
  });
});

describe('k6', () => {
  test('says which one would be used and why, also as JSON', { skip: withoutK6 }, async (t) => {
    const here = commandIn(t, { K6_BIN });
    const { out } = await here.exits(0, 'load --install');
    assert.match(out, /^k6 +2\.\d+\.\d+\nPath +\S+\nFound +K6_BIN: K6_BIN names it\.\n$/);
    const json = JSON.parse((await here.run('load --install --json')).out);
    assert.deepEqual([json.kind, json.path, json.source], ['found', K6_BIN, 'K6_BIN']);
  });

  test('Ctrl-C during the search: within a second, exit 130, and nothing was sent', (t) =>
    unlessBusy(t, async () => {
      const here = commandIn(t);
      writeFileSync(here.path('k6'), '#!/bin/sh\necho asked >asked\nexec sleep 5\n', { mode: 0o755 });
      const running = here.start('load smoke', { env: { K6_BIN: here.path('k6') } });
      while (!existsSync(here.path('asked'))) await delay(20);
      const { code, err, late } = await interrupted(running);
      assert.deepEqual(
        [code, err],
        [130, 'petstore-conformance: Interrupted while looking for k6: nothing was sent.\n'],
      );
      return late;
    }));

  test('where there is none, it says where it looked and what to do, exit 2', async (t) => {
    const here = commandIn(t);
    const { out } = await here.exits(2, 'load --install --dry-run', {
      env: { PATH: '/nowhere', HOME: here.folder },
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
 * Loads the reference server behind a gateway with these options: TLS with a certificate of its own, 403 for a request
 * that lacks one of two headers, and a response header that echoes the secret.
 */
async function staging(t: TestContext, options: string) {
  const here = await commandBeside(t, 30, { K6_BIN, GATEWAY: SECRET });
  const seen: string[] = [];
  const origin = await serveTls(t, (asked, response) => {
    seen.push(`${asked.headers['x-tenant']} ${asked.headers['x-gateway']}`);
    if (seen.at(-1) === `staging ${SECRET}`)
      forwardingTo(here.baseUrl, { 'Retry-After': SECRET })(asked, response);
    else response.writeHead(403).end();
  });
  here.write('ca.pem', selfSigned.cert);
  const running = here.start(`load smoke --target ${origin}/v1 --plans plans.json --out run ${options}`);
  const during: string[] = [];
  // The first line of progress comes while k6 runs.
  await running.until(' sent ·').then(
    () => during.push(...commandLines()),
    () => undefined,
  );
  return { ...here, ...(await running.ended()), seen, during };
}

const HEADERS = "--header 'X-Tenant: staging' --header-env X-Gateway=GATEWAY";

describe('a staging environment behind a gateway, loaded with k6', {
  skip: loadGatewaySkip,
  concurrency: 2,
}, () => {
  test('with its authority and its headers it is reached, and neither the key nor a header value appears anywhere', async (t) => {
    const { code, out, err, seen, during, texts, key } = await staging(t, `${HEADERS} --ca ca.pem`);
    assert.equal(code, 0, out + err);
    assert.deepEqual([seen.length, new Set(seen).size], [10, 1]);
    const lines = during.filter((line) => /load\/script\/main\.[jt]s/.test(line));
    assert.ok(during.length === 0 || lines.length > 0, 'k6 is seen');
    assert.ok(
      texts().some((text) => text.includes('[secret]')),
      'the target echoed it',
    );
    for (const text of [out, err, ...during, ...texts()])
      for (const secret of [SECRET, key]) assert.ok(!text.includes(secret));
  });

  test('without the headers the gateway rejects the first request, and the run stops', async (t) => {
    const { code, err, seen } = await staging(t, '--ca ca.pem');
    assert.deepEqual([code, seen], [2, ['undefined undefined']]);
    assert.match(err, /not the service \(the first response is 403/);
  });

  test('without its authority nothing is sent, and the error names the option', async (t) => {
    const { code, err, seen } = await staging(t, HEADERS);
    assert.deepEqual([code, seen], [2, []]);
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
