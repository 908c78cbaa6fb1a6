import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { certificate, privateKey } from '../../evaluation/testing/cli/attested.ts';
import {
  exits,
  journalIn,
  plansFile,
  reportIn,
  run,
  start,
  textsOf,
} from '../../evaluation/testing/cli/command.ts';
import {
  forwardingTo,
  rejectEveryKey,
  serve,
  serveMutualTls,
  serveReference,
} from '../../evaluation/testing/cli/target.ts';
import {
  assertConformsOrBusy,
  onBusyMachine,
  whyTooBusy,
} from '../../evaluation/testing/tools/busy-machine.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { k6Path, withoutK6 } from '../../evaluation/testing/tools/k6.ts';
import { REPORTS } from '../../reports/run-folder.ts';

const KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3=';
const FILES = [...REPORTS, 'journal.ndjson'].sort();

const unlessBusy = onBusyMachine();

test('without a target it tests the bundled server with a minute of a few seconds, and labels it a demonstration', (t) =>
  unlessBusy(t, async () => {
    const cwd = temporaryFolder(t);
    const ended = await run(t, ['certify'], { cwd });
    const { code, out, err } = ended;
    assert.match(out, /bundled reference server/);
    assert.match(out, /Demonstration: the minute of the bundled server lasts 4 s here/);
    const [folder = ''] = readdirSync(join(cwd, 'out'));
    assert.match(folder, /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[a-z0-9]{8}$/);
    assert.ok(out.includes(join('out', folder)), 'it names the folder');
    assert.deepEqual(readdirSync(join(cwd, 'out', folder)).sort(), FILES);
    const reason = whyTooBusy(ended);
    if (reason !== undefined) return reason;
    assert.equal(code, 0, err + out);
    assert.match(out, /✓ The target conforms/);
    return undefined;
  }));

/** On a busy machine a run starts over where a third of its window passes before it exhausts the quota. */
const MINUTE_SECONDS = 6;

test('a conforming target: exit 0, a preview, plain progress lines, and a report of that target', async (t) => {
  const folder = temporaryFolder(t);
  const { baseUrl, keys } = await serveReference(t, MINUTE_SECONDS);
  const [key = '', other = ''] = keys.free;
  const plans = plansFile(folder, MINUTE_SECONDS);
  const args = ['certify', '--target', `${baseUrl}/`, '--plans', plans, '--out', 'run'];
  const env = { PETSTORE_API_KEY: key, PETSTORE_OTHER_KEY: other };
  const { out, err } = await exits(0, t, args, { cwd: folder, env });
  assert.match(out, /62 requests \(6\.2 % of the plan's daily quota\)/);
  assert.match(out, /Other keys +1 request$/m);
  assert.match(out, /Left behind +up to \d+ categories named pc-[a-z0-9]{8}-/);
  assert.match(out, /Folder +run\//);
  assert.match(err, /^ +\d+\.\d s {2}1\/\d+ requests · unauthenticated-before-key: /);
  assert.match(err, /waits [\d.]+ s: the target answered 429/);
  assert.doesNotMatch(err, /list-pages: /, 'no probe that sends nothing');
  assert.ok(!`${out}${err}`.includes('\u001b'), 'no escapes where there is no terminal');
  const report = reportIn(join(folder, 'run'));
  assert.deepEqual(report.target, { baseUrl, plan: 'free' });
  assert.equal(report.outcome, 'conforms');
  assert.equal(report.requests.keyed, 62);
});

test('a fault: exit 1, the violation, and annotations and a job summary on GitHub', (t) =>
  unlessBusy(t, async (again) => {
    const cwd = temporaryFolder(t);
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'step.md'), CI: 'true' };
    writeFileSync(env.GITHUB_STEP_SUMMARY, '# Before\n');
    // The exit code of a process, as a pipeline sees it.
    const args = ['certify', '--fault', 'retry-after-absent', '--plans', plansFile(cwd, again ? 30 : 4)];
    const ended = await start(t, [...args, '--out', 'run'], { cwd, env }).ended();
    const { code, out } = ended;
    const reason = whyTooBusy(ended);
    if (reason !== undefined) return reason;
    assert.equal(code, 1, out);
    assert.match(out, /✗ RETRY-1 fail \(MUST\)/);
    assert.match(out, /^::error title=RETRY-1::\S/m);
    assert.equal(out.match(/^::/gm)?.length, 1, 'no other line is a command to the runner');
    const summary = readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8');
    assert.equal(summary, `# Before\n${readFileSync(join(cwd, 'run', 'summary.md'), 'utf8')}`);
    return undefined;
  }));

test('a target that does not accept the key: no run was possible, whatever part of it was wanted', async (t) => {
  const cwd = temporaryFolder(t);
  const { baseUrl } = await serveReference(t, 1);
  const args = ['certify', '--target', baseUrl, '--plans', plansFile(cwd, 1)];
  const rejected = { cwd, env: { PETSTORE_API_KEY: KEY } };
  const { out, err } = await exits(2, t, [...args, '--out', 'run'], rejected);
  assert.match(
    out,
    /\n\n! The key was rejected \(401\): nothing that needs a key could be tested\.\n│ Check that/,
  );
  assert.match(out, /\? No verdict: the key was rejected\./);
  assert.match(err, /The key was rejected \(401\).* Check that the key is valid/);
  await exits(2, t, [...args, '--quick', '--out', 'quick'], rejected);
  await exits(2, t, ['judge', join('quick', 'journal.ndjson'), '--out', 'again'], { cwd });
  const compared = await run(t, ['compare', 'quick', 'run'], { cwd });
  assert.deepEqual([compared.code, compared.out], [2, '']);
  assert.match(compared.err, /There is nothing to compare with quick: The key was rejected/);
});

test('--dry-run prints what a run would send, and sends and writes nothing', async (t) => {
  const cwd = temporaryFolder(t);
  let requests = 0;
  const target = await serve(t, (request, response) => {
    requests += 1;
    rejectEveryKey(request, response);
  });
  const args = ['certify', '--target', target, '--openapi', `${target}/openapi.json`, '--dry-run'];
  const { out } = await exits(0, t, args, { cwd, env: { PETSTORE_API_KEY: KEY } });
  assert.match(out, /With the key +62 requests/);
  assert.equal(requests, 0);
  assert.deepEqual(readdirSync(cwd), []);
});

test('files of an earlier run are moved and named, never replaced', async (t) => {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, 'run'));
  writeFileSync(join(cwd, 'run', 'report.json'), '{"outcome":"conforms"}');
  writeFileSync(join(cwd, 'run', 'notes.txt'), 'mine');
  const args = ['certify', '--target', 'http://127.0.0.1:1/v1', '--out', 'run'];
  const { err } = await exits(2, t, args, { cwd, env: { PETSTORE_API_KEY: KEY } });
  const [, folder = ''] = /were moved to (run\/earlier-\S+\/) \(report\.json\)/.exec(err) ?? [];
  assert.ok(!existsSync(join(cwd, 'run', 'report.json')));
  assert.equal(readFileSync(join(cwd, folder, 'report.json'), 'utf8'), '{"outcome":"conforms"}');
  assert.equal(readFileSync(join(cwd, 'run', 'notes.txt'), 'utf8'), 'mine');
});

/** The reference server behind a gateway that demands a certificate of its clients. */
async function guarded(t: TestContext) {
  const { baseUrl, keys } = await serveReference(t, 4);
  const origin = await serveMutualTls(t, forwardingTo(baseUrl));
  return { target: `${origin}/v1`, key: keys.free[0] ?? '' };
}

function folderWith(t: TestContext) {
  const cwd = temporaryFolder(t);
  writeFileSync(join(cwd, 'ca.pem'), certificate);
  writeFileSync(join(cwd, 'key.pem'), privateKey);
  return cwd;
}

const CLIENT = ['--ca', 'ca.pem', '--cert', 'ca.pem', '--cert-key', 'key.pem'];

/** A line of the private key, which may appear nowhere. */
const SECRET = privateKey.split('\n')[1] ?? '';

describe('a target that demands a client certificate', { concurrency: 2 }, () => {
  test('certify reaches it with --cert and --cert-key, and the private key appears nowhere', async (t) => {
    const cwd = folderWith(t);
    const { target, key } = await guarded(t);
    const args = ['certify', '--target', target, '--plans', plansFile(cwd, 4), '--out', 'run', ...CLIENT];
    const running = start(t, args, { cwd, env: { PETSTORE_API_KEY: key } });
    await running.until('first-creation');
    running.child.kill('SIGINT');
    const { out, err } = await running.ended();
    assert.match(journalIn(join(cwd, 'run')), /"status":200/);
    for (const text of [out, err, ...textsOf(join(cwd, 'run'))]) assert.ok(!text.includes(SECRET));
  });

  test('load does, too', { skip: withoutK6 }, async (t) => {
    const cwd = folderWith(t);
    const { target, key } = await guarded(t);
    const args = ['load', 'smoke', '--target', target, '--plans', plansFile(cwd, 4), '--out', 'run'];
    const env = { K6_BIN: k6Path, PETSTORE_API_KEY: key };
    const ended = await run(t, [...args, ...CLIENT], { cwd, env });
    assertConformsOrBusy(ended);
    for (const text of [ended.out, ended.err, ...textsOf(join(cwd, 'run'))])
      assert.ok(!text.includes(SECRET));
  });

  test('without it there is no verdict', async (t) => {
    const cwd = folderWith(t);
    const { target, key } = await guarded(t);
    const args = ['certify', '--target', target, '--plans', plansFile(cwd, 4), '--ca', 'ca.pem'];
    await exits(2, t, [...args, '--out', 'run'], { cwd, env: { PETSTORE_API_KEY: key } });
  });
});
