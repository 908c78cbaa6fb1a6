import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { FaceRun, FaceTest } from '../../evaluation/testing/playwright/run-face.ts';
import { runFace, runProjects, verdictOf } from '../../evaluation/testing/playwright/run-face.ts';
import { writtenFiles } from '../../evaluation/testing/playwright/written-bytes.ts';
import { freePort } from '../../evaluation/testing/tools/free-port.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import type { RunningServer } from '../../reference-server/http/server.ts';
import { startServer } from '../../reference-server/http/server.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { loadPlans } from '../../spec/plans.ts';
import { register } from '../../spec/register.ts';
import { readJournal } from '../../suites/service/wire/journal-reader.ts';

const PLANS = { minuteSeconds: 2, daySeconds: 86_400, plans: { free: { perMinute: 60, perDay: 1000 } } };

/** A careless target: it sends the credential back, in a header and in the body of every 401 response. */
const echo: Seams = {
  wrapService: (answer) => (request) => {
    const outcome = answer(request);
    if (outcome.kind !== 'response') return outcome;
    const credential = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
    const body =
      outcome.status === 401
        ? Buffer.from(JSON.stringify({ code: 'no', message: `No entry with ${credential}`, status: 401 }))
        : outcome.body;
    const otherHeaders = outcome.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
    const headers = [
      ...otherHeaders,
      ['Content-Length', `${body.length}`] as const,
      ['X-Credential', credential] as const,
    ];
    return { ...outcome, headers, body };
  },
};

let folder = '';
let plansFile = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'face-test-'));
  plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify(PLANS));
});
after(() => rm(folder, { recursive: true, force: true }));

function keysOf({ keys, baseUrl }: RunningServer): Readonly<Record<string, string>> {
  const [key, other] = keys.free;
  const [exhausted] = keys.exhausted;
  assert(key !== undefined && other !== undefined && exhausted !== undefined);
  return {
    PETSTORE_TARGET: baseUrl,
    PETSTORE_PLANS: plansFile,
    PETSTORE_API_KEY: key,
    PETSTORE_OTHER_KEY: other,
    PETSTORE_SPENT_KEY: exhausted,
  };
}

/** Tests the reference server, with this behaviour, through Playwright. */
async function live<T>(
  fault: Seams,
  options: readonly string[],
  use: (run: FaceRun, keys: readonly string[]) => T,
): Promise<T> {
  const server = await startServer({ plans: loadPlans(plansFile), seams: fault });
  try {
    const variables = keysOf(server);
    const keys = [...server.keys.free, ...server.keys.exhausted];
    return await runFace(variables, options, (run) => use(run, keys));
  } finally {
    await server.close();
  }
}

const testNamed = ({ tests }: FaceRun, id: string) => {
  const found = tests.find((one) => one.id === id);
  assert(found !== undefined, `there is no test of ${id}`);
  return found;
};

describe('the Playwright face, live', () => {
  test('a conforming server is green, and every requirement and observation has its test', async () => {
    await live({}, [], (run) => {
      assert.equal(run.exitCode, 0, run.output);
      const expected = register.filter(({ judged }) => judged === 'by certify').map(({ id }) => id);
      assert.deepEqual(
        run.tests.map(({ id }) => id),
        expected,
      );
      const skipped = run.tests.filter((one) => verdictOf(one) === 'not-tested').map(({ id }) => id);
      assert.deepEqual(skipped, ['BAN-1', 'BAN-2', 'VER-2']);
      assert.match(
        testNamed(run, 'BAN-1').annotations.find(({ type }) => type === 'skip')?.description ?? '',
        /key/,
      );
      const observed = testNamed(run, 'LIMIT-10').annotations.find(({ type }) => type === 'observed');
      assert.match(observed?.description ?? '', /window/);
      assert.match(run.output, /62 requests with the key, 2 with other keys and \d+ without a valid one/);
      assert.match(run.output, /The minute of this run lasted 2 s/, 'the weaker evidence is mentioned');
    });
  });

  test('a violation shows the reason, the specification and how to repeat it, without a stack trace', async () => {
    await live(findFault('retry-after-absent'), ['--grep', 'RETRY-1 '], (run) => {
      assert.equal(run.exitCode, 1, run.output);
      const { error, attachments, annotations } = testNamed(run, 'RETRY-1');
      const lines = error.split('\n');
      assert.equal(lines[0], 'Expected: Retry-After on a 429.');
      assert.match(lines[1] ?? '', /^Received: None in exchange \d+ /);
      const head = lines.indexOf('');
      assert.match(lines[head - 1] ?? '', /^Why it matters: /);
      assert.equal(lines[head + 1], 'RETRY-1 (MUST): Every 429 response has `Retry-After`.');
      assert.equal(lines[head + 2], 'Specification: interface-specification.md#errors');
      assert.match(lines[head + 3] ?? '', /^Fix: Set Retry-After/);
      assert.match(lines[head + 4] ?? '', /^Repeat: .*curl .*"\$PETSTORE_API_KEY"/);
      assert.equal(lines.length, head + 5);
      assert.doesNotMatch(run.output, /^\s+at /m);
      const quoted = annotations.find(({ type }) => type === 'specification')?.description;
      assert.match(quoted ?? '', /#errors: “The `Retry-After` header is present on a 429/);
      const evidence = attachments.find(({ name }) => name.startsWith('exchange '));
      assert.match(evidence?.text ?? '', /^Exchange \d+: (?:GET|POST) \/v1\/categories → 429 after/);
      const stated = attachments.find(({ name }) => name === 'finding');
      assert.equal(JSON.parse(stated?.text ?? '').verdict, 'fail');
      const picture = attachments.find(({ name }) => name === 'picture of the run');
      assert.match(picture?.text ?? '', /^<svg|<svg /, 'the first selected test shows the run');
    });
  });

  test('a selection sends only the requests that it needs', async () => {
    await live({}, ['--grep', 'AUTH-1 '], (run) => {
      assert.equal(run.exitCode, 0, run.output);
      assert.match(run.output, /A partial run, limited to 1 requirement: 1 passed, none failed/);
      assert.deepEqual(
        run.tests.map(({ id }) => id),
        ['AUTH-1'],
      );
      const [head, ...lines] = readJournal(run.journal).lines;
      assert(head?.kind === 'run');
      const probeIds = head.probes.map(({ id }) => id);
      assert(probeIds.includes('preflight') && !probeIds.includes('exhaust-quota'), probeIds.join());
      const keyed = lines.filter((line) => line.kind === 'exchange' && line.caller === 'key');
      // The preflight request, and the creation that lists without a valid key must not show.
      assert.equal(keyed.length, 2);
    });
  });

  test('no key is in any written file, traces and the HTML report included', async () => {
    await live(echo, ['--grep', 'AUTH|RATE', '--trace', 'on'], (run, keys) => {
      const files = writtenFiles(run.folder);
      const named = (part: string) => files.filter(({ path }) => path.includes(part));
      for (const part of ['journal.ndjson', 'junit.xml', 'index.html!', '.zip!', 'report.json']) {
        assert(named(part).length > 0, `nothing was written to ${part}`);
      }
      const shows = (bytes: Buffer) => bytes.includes('X-Credential: [not recorded');
      assert(
        named('index.html!').some(({ bytes }) => shows(bytes)) ||
          named('playwright-report').some(({ bytes }) => shows(bytes)),
        'the HTML report shows the echoed header',
      );
      for (const key of keys) {
        for (const form of [key, key.slice(0, -1), Buffer.from(key).toString('base64').slice(0, -3)]) {
          const leaks = files.filter(({ bytes }) => bytes.includes(form)).map(({ path }) => path);
          assert.deepEqual(leaks, [], `a key is in ${leaks.join(', ')}`);
          assert(!run.output.includes(form), 'a key was printed');
        }
      }
    });
  });
});

describe('the Playwright face, when no run is possible', () => {
  /** What each project is given, and the sentence of its failing tests. */
  const mistakes = async (target: string) =>
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
      'with a target that is not the service': [
        { target: target.replace('/v1', ''), apiKeyEnv: 'SHOP_KEY', plans: plansFile },
        NOT_THE_SERVICE,
      ],
      'with a file that is not a journal': [{ journal: plansFile }, /is not a journal of this program/],
    }) as const;
  const NOT_THE_SERVICE =
    /Error: GET http:\S+\/categories answers 404: this does not look like the service\. Did you mean \S+\/v1\?/;

  /** One sentence, no verdict, and never exit code 0. */
  function assertNoRun({ exitCode, output }: FaceRun, tests: readonly FaceTest[], sentence: RegExp): void {
    assert.equal(exitCode, 1, output);
    assert.doesNotMatch(output, /^\s+at /m);
    assert(tests.length > 0 && tests.every((one) => verdictOf(one) === 'did not run'));
    assert.match(output, sentence);
  }

  test('every test says in one sentence why, and so do those of the journal of such a run', async () => {
    const server = await startServer({ plans: loadPlans(plansFile) });
    try {
      const all = await mistakes(server.baseUrl);
      const out = join(folder, 'not-the-service');
      const projects = Object.fromEntries(
        Object.entries(all).map(([name, [options, sentence]]) => [
          name,
          sentence === NOT_THE_SERVICE ? { ...options, out } : options,
        ]),
      );
      const keys = { UNKNOWN_KEY: 'an-unknown-key', SHOP_KEY: server.keys.free[0] ?? '' };
      await runProjects(projects, keys, (run) => {
        for (const [name, [, sentence]] of Object.entries(all))
          assertNoRun(
            run,
            run.tests.filter(({ project }) => project === name),
            sentence,
          );
      });
      await runFace({ PETSTORE_JOURNAL: join(out, 'journal.ndjson') }, [], (run) =>
        assertNoRun(run, run.tests, NOT_THE_SERVICE),
      );
    } finally {
      await server.close();
    }
  });
});
