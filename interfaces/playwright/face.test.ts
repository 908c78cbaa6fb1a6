import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { virtualRun } from '../../evaluation/simulation/virtual-run.ts';
import { plansFile as writePlans } from '../../evaluation/testing/cli/command.ts';
import type { FaceProject, FaceTest } from '../../evaluation/testing/cli/run-face.ts';
import { runProjects, verdictOf } from '../../evaluation/testing/cli/run-face.ts';
import { onBusyMachine, tooBusyIn } from '../../evaluation/testing/tools/busy-machine.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { freePort } from '../../evaluation/testing/tools/listening.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import type { RunningServer } from '../../reference-server/http/server.ts';
import { startServer } from '../../reference-server/http/server.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { loadPlans } from '../../spec/plans.ts';
import { register } from '../../spec/register.ts';
import { readJournal } from '../../suites/service/wire/journal.ts';
import { sampleOf } from '../../tools/sample.ts';

const unlessBusy = onBusyMachine();

function keysOf({ keys }: RunningServer, plansFile: string): Readonly<Record<string, string>> {
  const [key, other] = keys.free;
  const [exhausted] = keys.exhausted;
  assert(key !== undefined && other !== undefined && exhausted !== undefined);
  return {
    PETSTORE_PLANS: plansFile,
    PETSTORE_API_KEY: key,
    PETSTORE_OTHER_KEY: other,
    PETSTORE_EXHAUSTED_KEY: exhausted,
  };
}

const servers: RunningServer[] = [];
after(() => Promise.all(servers.map((server) => server.close())));

/** A reference server with this behaviour and these plans. */
async function serving(plansFile: string, seams: Seams): Promise<RunningServer> {
  const server = await startServer({ plans: loadPlans(plansFile), seams });
  servers.push(server);
  return server;
}

const testNamed = (tests: readonly FaceTest[], id: string): FaceTest => {
  const found = tests.find((one) => one.id === id);
  assert(found !== undefined, `there is no test of ${id}`);
  return found;
};

const NOT_THE_SERVICE =
  /Error: GET http:\S+\/categories answers 404: this does not look like the service\. Did you mean \S+\/v1\?/;

/** What each project is given that can make no run, and the sentence of its failing tests. */
const mistakes = async (target: string, plansFile: string) =>
  ({
    'without a target': [{}, /Error: No target: set PETSTORE_TARGET to the base address/],
    'with a target where no server listens': [
      { target: `http://127.0.0.1:${await freePort()}/v1`, apiKeyEnv: 'UNKNOWN_KEY' },
      /Error: The target could not be reached/,
    ],
    'with a key that is rejected': [
      { target, apiKeyEnv: 'UNKNOWN_KEY' },
      /Error: The key was rejected \(401\)/,
    ],
    'with a target that is not the service': [{ target: target.replace('/v1', '') }, NOT_THE_SERVICE],
    'with the journal of a run against what is not the service': [
      { journal: await journalOfAnotherServer(dirname(plansFile)) },
      /this does not look like the service/,
    ],
    'with a file that is not a journal': [{ journal: plansFile }, /is not a journal of this program/],
  }) as const;

/** The journal of a simulated run against a server that knows none of the paths. */
async function journalOfAnotherServer(folder: string): Promise<string> {
  const response = { kind: 'response', status: 404, headers: [], body: Buffer.of() } as const;
  const { lines } = await virtualRun({ fault: { wrapService: () => () => response } });
  const path = join(folder, 'another-server.ndjson');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

test('one invocation with several projects', (t) =>
  unlessBusy(t, async (again) => {
    const seconds = again ? 20 : 4;
    const plansFile = writePlans(temporaryFolder(t), seconds);
    const [faulty, conforming] = [
      await serving(plansFile, findFault('retry-after-absent')),
      await serving(plansFile, {}),
    ];
    const keys = keysOf(conforming, plansFile);
    const wrong = sampleOf(Object.entries(await mistakes(faulty.baseUrl, plansFile)));
    const projects: Readonly<Record<string, FaceProject>> = {
      violation: { petstore: { target: faulty.baseUrl, only: 'RETRY-1,RETRY-2' }, grep: /RETRY-[12] / },
      conforming: { petstore: { target: conforming.baseUrl } },
      ...Object.fromEntries(wrong.map(([name, [petstore]]) => [name, { petstore }])),
    };
    return runProjects(projects, { ...keys, UNKNOWN_KEY: 'an-unknown-key' }, async (run) => {
      const testsOf = (name: string) => run.tests.filter(({ project }) => project === name);
      assert.deepEqual(
        testsOf('conforming').filter((one) => verdictOf(one) === 'fail'),
        [],
      );
      const tooSlow = tooBusyIn(run.output);
      if (tooSlow !== undefined) return tooSlow;
      assert.equal(run.exitCode, 1, run.output);
      assert.doesNotMatch(run.output, /^\s+at /m);

      await t.test('a conforming server is green, and every requirement and observation has its test', () => {
        const tests = testsOf('conforming');
        // Projects with fewer tests change the order of the report.
        const expected = register.filter(({ judged }) => judged === 'by certify').map(({ id }) => id);
        assert.deepEqual(tests.map(({ id }) => id).sort(), expected.toSorted());
        assert.deepEqual(
          tests.filter(({ status }) => status === 'failed').map(({ id, error }) => `${id} ${error}`),
          [],
        );
        const skipped = tests.filter((one) => verdictOf(one) === 'not-tested').map(({ id }) => id);
        assert.deepEqual(skipped, ['BAN-1', 'BAN-2', 'VER-2']);
        assert.match(
          testNamed(tests, 'BAN-1').annotations.find(({ type }) => type === 'skip')?.description ?? '',
          /key/,
        );
        const observed = testNamed(tests, 'LIMIT-10').annotations.find(({ type }) => type === 'observed');
        assert.match(observed?.description ?? '', /window/);
        assert.match(run.output, /62 requests with the key, 2 with other keys and \d+ without a valid one/);
        assert.match(
          run.output,
          new RegExp(`The minute of this run lasted ${seconds} s`),
          'the weaker evidence is mentioned',
        );
      });

      await t.test('a violation shows the reason, the specification and how to repeat it', () => {
        const tests = testsOf('violation');
        const { error, attachments, annotations } = testNamed(tests, 'RETRY-1');
        const lines = error.split('\n');
        assert.equal(lines[0], 'Expected: Retry-After on a 429.');
        assert.match(lines[1] ?? '', /^Received: None in exchange \d+ /);
        const head = lines.indexOf('');
        assert.match(lines[head - 1] ?? '', /^Why it matters: /);
        assert.equal(lines[head + 1], 'RETRY-1 (MUST): Every 429 response has `Retry-After`.');
        assert.equal(lines[head + 2], 'Specification: interface-specification.md#errors');
        assert.match(lines[head + 3] ?? '', /^Fix: Set Retry-After/);
        assert.match(lines[head + 4] ?? '', /^Repeat: .*curl .*"\$PETSTORE_(?:API|EXHAUSTED)_KEY"/);
        assert.equal(lines.length, head + 5);
        const quoted = annotations.find(({ type }) => type === 'specification')?.description;
        assert.match(quoted ?? '', /#errors: “The `Retry-After` header is present on a 429/);
        const evidence = attachments.find(({ name }) => name.startsWith('exchange '));
        assert.match(evidence?.text ?? '', /^Exchange \d+: (?:GET|POST) \/v1\/categories → 429 after/);
        const stated = attachments.find(({ name }) => name === 'finding');
        assert.equal(JSON.parse(stated?.text ?? '').verdict, 'fail');
        const picture = attachments.find(({ name }) => name === 'picture of the run');
        assert.match(picture?.text ?? '', /^<svg|<svg /, 'the first selected test shows the run');
        assert.equal(verdictOf(testNamed(tests, 'RETRY-2')), 'inconclusive', 'an open MUST fails its test');
      });

      for (const [name, [, sentence]] of wrong)
        await t.test(`${name}: one sentence, no verdict, and never exit code 0`, () => {
          const tests = testsOf(name);
          assert(tests.length > 0 && tests.every((one) => verdictOf(one) === 'did not run'));
          assert.match(run.output, sentence);
        });
      return undefined;
    });
  }));

test('Ctrl-C keeps a journal that says so', async (t) => {
  const plansFile = writePlans(temporaryFolder(t), 2);
  const server = await serving(plansFile, {});
  const petstore = { target: server.baseUrl };
  await runProjects(
    { project: { petstore } },
    keysOf(server, plansFile),
    ({ journal, exitCode, output }) => {
      assert.notEqual(exitCode, 0);
      assert.match(output, /Interrupted: a run cannot be resumed\./);
      const last = readJournal(journal).lines.at(-1);
      assert.equal(last?.kind === 'end' ? last.how : last?.kind, 'interrupted');
    },
    'Testing http',
  );
});
