import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { commandBeside, commandIn } from '../../evaluation/testing/cli/command.ts';
import { forwardingTo, selfSigned, serveMutualTls } from '../../evaluation/testing/cli/target.ts';
import {
  assertConformsOrBusy,
  onBusyMachine,
  whyTooBusy,
} from '../../evaluation/testing/tools/busy-machine.ts';
import { k6Path, withoutK6 } from '../../evaluation/testing/tools/k6.ts';
import { startServer } from '../../reference-server/http/server.ts';
import { REPORTS } from '../../reports/run-folder.ts';

const FILES = [...REPORTS, 'journal.ndjson'].sort();

const unlessBusy = onBusyMachine();

test('without a target it tests the bundled server with a minute of a few seconds, and labels it a demonstration', (t) =>
  unlessBusy(t, async () => {
    const here = commandIn(t);
    const ended = await here.run('certify');
    const { code, out, err } = ended;
    assert.match(out, /bundled reference server/);
    assert.match(out, /Demonstration: the minute of the bundled server lasts 4 s here/);
    const [folder = ''] = here.names('out');
    assert.match(folder, /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[a-z0-9]{8}$/);
    assert.ok(out.includes(`out/${folder}`), 'it names the folder');
    assert.deepEqual(here.names(`out/${folder}`), FILES);
    const reason = whyTooBusy(ended);
    if (reason !== undefined) return reason;
    assert.equal(code, 0, err + out);
    assert.match(out, /✓ The target conforms/);
    return undefined;
  }));

/** On a busy machine a run starts over where a third of its window passes before it exhausts the quota. */
const MINUTE_SECONDS = 6;

test('a conforming target: exit 0, a preview, plain progress lines, and a report of that target', async (t) => {
  const { baseUrl, other, ...here } = await commandBeside(t, MINUTE_SECONDS);
  const certify = `certify --target ${baseUrl}/ --plans plans.json --out run`;
  const { out, err } = await here.exits(0, certify, { env: { PETSTORE_OTHER_KEY: other } });
  assert.match(out, /62 requests \(6\.2 % of the plan's daily quota\)/);
  assert.match(out, /Folder +run\//);
  assert.match(err, /^ +\d+\.\d s {2}1\/\d+ requests · unauthenticated-before-key: /);
  assert.match(err, /waits [\d.]+ s: the target answered 429/);
  assert.doesNotMatch(err, /list-pages: /, 'no probe that sends nothing');
  assert.ok(!`${out}${err}`.includes('\u001b'), 'no escapes where there is no terminal');
  const report = here.json('run/report.json');
  assert.deepEqual(report.target, { baseUrl, plan: 'free' });
  assert.equal(report.outcome, 'conforms');
  assert.equal(report.requests.keyed, 62);
});

test('a fault: exit 1, the violation, and annotations and a job summary on GitHub', (t) =>
  unlessBusy(t, async (again) => {
    const here = commandIn(t);
    here.write('step.md', '# Before\n');
    here.plans(again ? 30 : 4);
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: here.path('step.md'), CI: 'true' };
    // The exit code of a process, as a pipeline sees it.
    const certify = 'certify --fault retry-after-absent --plans plans.json --out run';
    const ended = await here.start(certify, { env }).ended();
    const { code, out } = ended;
    const reason = whyTooBusy(ended);
    if (reason !== undefined) return reason;
    assert.equal(code, 1, out);
    assert.match(out, /✗ RETRY-1 fail \(MUST\)/);
    assert.match(out, /^::error title=RETRY-1::\S/m);
    assert.equal(out.match(/^::/gm)?.length, 1, 'no other line is a command to the runner');
    assert.equal(here.read('step.md'), `# Before\n${here.read('run/summary.md')}`);
    return undefined;
  }));

test('a target that does not accept the key: no run was possible, whatever part of it was wanted', async (t) => {
  const { baseUrl, ...here } = await commandBeside(t, 1, { PETSTORE_API_KEY: 'pk-Zx81/aQm4+Lw0vT9sRe3=' });
  const certify = `certify --target ${baseUrl} --plans plans.json --out`;
  const { out, err } = await here.exits(2, `${certify} run`);
  assert.match(
    out,
    /\n\n! The key was rejected \(401\): nothing that needs a key could be tested\.\n│ Check that/,
  );
  assert.match(out, /\? No verdict: the key was rejected\./);
  assert.match(err, /The key was rejected \(401\).* Check that the key is valid/);
  await here.exits(2, `${certify} quick --quick`);
  await here.exits(2, 'judge quick/journal.ndjson --out again');
  const compared = await here.exits(2, 'compare quick run');
  assert.equal(compared.out, '');
  assert.match(compared.err, /There is nothing to compare with quick: The key was rejected/);
});

test('files of an earlier run are moved and named, never replaced', async (t) => {
  const here = commandIn(t, { PETSTORE_API_KEY: 'pk-1234567890' });
  here.write('run/report.json', '{"outcome":"conforms"}');
  here.write('run/notes.txt', 'mine');
  const { err } = await here.exits(2, 'certify --target http://127.0.0.1:1/v1 --out run');
  const [, folder = ''] = /were moved to (run\/earlier-\S+\/) \(report\.json\)/.exec(err) ?? [];
  assert.ok(!here.names('run').includes('report.json'));
  assert.equal(here.read(`${folder}report.json`), '{"outcome":"conforms"}');
  assert.equal(here.read('run/notes.txt'), 'mine');
});

/** The command beside the reference server, and a gateway before that which demands a certificate of its clients. */
async function guarded(t: TestContext) {
  const here = await commandBeside(t, 4, { K6_BIN: k6Path });
  here.write('ca.pem', selfSigned.cert);
  here.write('key.pem', selfSigned.key);
  const gateway = await serveMutualTls(t, forwardingTo(here.baseUrl));
  return { ...here, given: `--target ${gateway}/v1 --plans plans.json --out run --ca ca.pem` };
}

const CLIENT = '--cert ca.pem --cert-key key.pem';

/** A line of the private key, which may appear nowhere. */
const SECRET = selfSigned.key.split('\n')[1] ?? '';

describe('runs that mostly wait', { concurrency: 3 }, () => {
  test('--spend-day starts only with an unused day, and enters its use', async (t) => {
    const plans = { minuteSeconds: 4, daySeconds: 3600, plans: { free: { perMinute: 60, perDay: 200 } } };
    const server = await startServer({ plans });
    t.after(() => server.close());
    const here = commandIn(t, { PETSTORE_API_KEY: server.keys.free[0] ?? '' });
    here.write('plans.json', plans);
    const certify = `certify --target ${server.baseUrl} --plans plans.json --spend-day --out run`;
    const first = await here.exits(0, certify);
    assert.equal(here.verdict('LIMIT-9'), 'pass');
    assert.match(first.out, /4 MUST requirements were not tested: LIMIT-7, BAN-1, BAN-2, VER-2\./);
    assert.match(first.err, /spend-day: the rest of the daily quota/);
    const second = await here.exits(2, certify);
    assert.match(second.err, /needs a key that was not used for a day, and the key sent 2\d\d requests/);
    const judged = await here.exits(0, 'judge run/journal.ndjson --out again');
    assert.match(judged.out, /conforms: core/);
  });

  test('certify reaches a target that demands a client certificate with --cert and --cert-key, and the private key appears nowhere', async (t) => {
    const here = await guarded(t);
    const running = here.start(`certify ${here.given} ${CLIENT}`);
    await running.until('first-creation');
    running.child.kill('SIGINT');
    const { out, err } = await running.ended();
    assert.match(here.read('run/journal.ndjson'), /"status":200/);
    for (const text of [out, err, ...here.texts()]) assert.ok(!text.includes(SECRET));
  });

  test('load reaches it, too', { skip: withoutK6 }, async (t) => {
    const here = await guarded(t);
    const ended = await here.run(`load smoke ${here.given} ${CLIENT}`);
    assertConformsOrBusy(ended);
    for (const text of [ended.out, ended.err, ...here.texts()]) assert.ok(!text.includes(SECRET));
  });

  test('without the certificate there is no verdict', async (t) => {
    const here = await guarded(t);
    await here.exits(2, `certify ${here.given}`);
  });
});
