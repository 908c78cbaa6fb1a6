import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PLAYWRIGHT_INTERFACE } from '../../evaluation/testing/cli/command.ts';
import type { FaceTest } from '../../evaluation/testing/cli/run-face.ts';
import { runPlaywright } from '../../evaluation/testing/cli/run-face.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import type { RunningServer } from '../../reference-server/http/server.ts';
import { startServer } from '../../reference-server/http/server.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { loadPlans } from '../../spec/plans.ts';
import { readJournal } from '../../suites/service/wire/journal.ts';

// A Playwright project of somebody else: tests and browsers of its own, several workers, retries. One spec file and one
// project of its configuration are added.

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const PLANS = { ...loadPlans(), minuteSeconds: 4 };

const root = temporaryFolder({ after });

const OWN_SPEC = `import { expect, test } from '@playwright/test';
for (const n of [1, 2, 3]) test('their own test ' + n, () => expect(n).toBeGreaterThan(0));
`;

const SPEC = `import { conformance } from '${pathToFileURL(PLAYWRIGHT_INTERFACE.index).pathname}';
conformance();
`;

type Uses = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The configuration of somebody who adds petstore projects with these names and options. */
const configuration = (uses: Uses): string => `
export default {
  fullyParallel: true,
  workers: 2,
  retries: 1,
  timeout: 1000,
  reporter: [['html', { open: 'never' }], [${JSON.stringify(PLAYWRIGHT_INTERFACE.reporter)}]],
  projects: [
    { name: 'theirs', testMatch: 'own.spec.ts' },
    ${Object.entries(uses)
      .map(([name, petstore]) => JSON.stringify({ name, testMatch: 'petstore.spec.ts', use: { petstore } }))
      .join(',\n    ')}
  ],
};
`;

/** Runs Playwright in a folder, with these variables. */
const playwright = (folder: string, options: readonly string[], keys: Readonly<Record<string, string>>) =>
  runPlaywright(folder, { PETSTORE_OUT: '', HOME: folder, ...keys }, options, { cwd: folder });

type ForeignRun = Awaited<ReturnType<typeof playwright>>;

/** Runs it in a new folder that knows this project by its one spec file. */
function foreignRun(
  config: string,
  options: readonly string[],
  keys: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Promise<ForeignRun> {
  const folder = mkdtempSync(join(root, 'project-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(MODULES, '@playwright'), join(folder, 'node_modules', '@playwright'));
  const all = { 'own.spec.ts': OWN_SPEC, 'petstore.spec.ts': SPEC, 'playwright.config.ts': config, ...files };
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  return playwright(folder, options, keys);
}

const ofProject = ({ tests }: Pick<ForeignRun, 'tests'>, name: string): readonly FaceTest[] =>
  tests.filter(({ project }) => project === name);

const failed = (tests: readonly FaceTest[]): readonly string[] =>
  tests.filter(({ fails }) => fails).map(({ id }) => id);

const testOf = (tests: readonly FaceTest[], wanted: string): FaceTest => {
  const found = tests.find(({ id }) => id === wanted);
  assert(found !== undefined, wanted);
  return found;
};

const annotationsOf = ({ annotations }: FaceTest, type: string): readonly string[] =>
  annotations.flatMap((one) => (one.type === type ? [one.description ?? ''] : []));

const servers: RunningServer[] = [];
after(() => Promise.all(servers.map((server) => server.close())));

/** A service of its own, with the options and the variable for it. */
async function serving(name: string, seams: Seams = {}) {
  const server = await startServer({ plans: PLANS, seams });
  servers.push(server);
  return {
    use: { target: server.baseUrl, apiKeyEnv: name, plans: PLANS },
    key: { [name]: server.keys.free[0] ?? '' },
  };
}

describe('one spec file and some projects', () => {
  const fault = findFault('missing-name-defaulted');
  const entry = { reason: 'old clients', owner: 'shop team', expires: '2999-01-31' };
  const known = fault.breaks.map((id) => ({ id, ...entry }));
  const baseline = (...violations: readonly object[]) => JSON.stringify({ baselineVersion: 1, violations });
  let run: ForeignRun;
  before(async () => {
    const [shop, old, stale] = [
      await serving('SHOP_KEY', fault),
      // Runs at the same time need a key for each.
      await serving('OLD_KEY', fault),
      await serving('STALE_KEY', fault),
    ];
    const uses = {
      chromium: { ...shop.use, baselineWrite: 'written.json' },
      // The same options, as where every browser has a project: it shares the run.
      firefox: { ...shop.use, baselineWrite: 'written.json' },
      known: { ...old.use, quick: true, baseline: 'known.json', out: 'out/known' },
      stale: { ...stale.use, quick: true, baseline: 'stale.json', out: 'out/stale' },
      wrong: { target: 'http://127.0.0.1:9/v1', only: 'CRATE', out: 'out/wrong' },
    };
    const keys = { ...shop.key, ...old.key, ...stale.key, PETSTORE_API_KEY: 'a-key-1' };
    const files = {
      'known.json': baseline(...known),
      'stale.json': baseline(...known, { id: 'LIST-1', ...entry }),
    };
    run = await foreignRun(configuration(uses), [], keys, files);
    assert.equal(run.exitCode, 1, run.output);
  });

  test('add a test for each requirement, and one run for all of the same options', () => {
    assert.deepEqual(failed(ofProject(run, 'theirs')), []);
    for (const project of ['chromium', 'firefox']) {
      const tests = ofProject(run, project);
      assert.deepEqual(failed(tests), fault.breaks);
      assert.equal(testOf(tests, fault.breaks[0] ?? '').attempts, 1, 'no retry');
    }
    const shown = run.runs.filter(({ project }) => ['chromium', 'firefox'].includes(project));
    assert.equal(shown.flatMap((one) => annotationsOf(one, 'retries')).length, 1);
    assert.equal(
      run.output.match(/Testing http/g)?.length,
      3,
      'one run of these two projects, and two others',
    );
    const written = readdirSync(join(run.folder, 'out', 'playwright'));
    for (const name of ['report.json', 'report.html', 'junit.xml', 'badge.svg'])
      assert(written.includes(name), name);
    assert.deepEqual(
      written.filter((name) => name.startsWith('earlier-')),
      [],
    );
    assert.match(run.output, /Report: out\/playwright\/report\.html/);
    const pictures = readdirSync(join(run.folder, 'playwright-report', 'data')).filter((name) =>
      name.endsWith('.svg'),
    );
    assert.equal(pictures.length, 3, 'the picture of each run is an image of the HTML report');
  });

  test('are shown in the file of the project, with the names of its options', () => {
    const tests = ofProject(run, 'chromium');
    assert.deepEqual(new Set(tests.map(({ file }) => file)), new Set(['petstore.spec.ts']));
    const [reason = ''] = annotationsOf(testOf(tests, 'LIMIT-7'), 'skip');
    assert.match(reason, /petstore\.otherKeyEnv/);
    const texts = tests.flatMap(({ annotations }) => annotations.map(({ description = '' }) => description));
    assert.deepEqual(
      texts.filter((text) => /--(?!header )[a-z]/.test(text)),
      [],
    );
  });

  test('a baseline is written, expects known violations, and a stale entry fails', () => {
    const { violations } = JSON.parse(readFileSync(join(run.folder, 'written.json'), 'utf8'));
    assert.deepEqual(
      violations.map(({ id }: { readonly id: string }) => id),
      fault.breaks,
    );
    const accepted = ofProject(run, 'known');
    assert.deepEqual(failed(accepted), [], run.output);
    const reasons = annotationsOf(testOf(accepted, fault.breaks[0] ?? ''), 'fail');
    assert(reasons.includes('Known violation: old clients (shop team, until 2999-01-31)'), reasons.join());
    assert.deepEqual(failed(ofProject(run, 'stale')), ['LIST-1']);
    assert.match(run.output, /The baseline has an entry for LIST-1, and the requirement no longer fails/);
  });

  test('without the run there is no verdict, and every worker gets the same sentence', () => {
    assert.match(run.output, /petstore\.only takes ids .* not "CRATE"\. Did you mean "CREATE"\?/);
    const own = ofProject(run, 'wrong');
    assert(own.length > 0 && own.every(({ status }) => status !== 'passed'));
  });
});

test('tags and options limit what is sent, and a second run keeps the first', async () => {
  const { use, key } = await serving('SHOP_KEY');
  const petstore = { ...use, only: 'CREATE,AUTH', skip: ['AUTH-1'] };
  const run = await foreignRun(configuration({ petstore }), ['--grep', '@create-a-category'], key);
  assert.equal(run.exitCode, 0, run.output);
  const folder = join(run.folder, 'out', 'playwright');
  const [head] = readJournal(join(folder, 'journal.ndjson')).lines;
  assert(head?.kind === 'run');
  assert(
    head.selection?.requirements.every((id) => id.startsWith('CREATE-')),
    JSON.stringify(head.selection),
  );
  assert(!head.probes.some(({ id }) => id === 'exhaust-quota'));
  const again = await playwright(run.folder, ['--grep', 'AUTH-2 '], key);
  assert.equal(again.exitCode, 0, again.output);
  assert.match(again.output, /Partial run: 1 of \d+ requirements\. 1 passed, none failed/);
  const { lines } = readJournal(join(folder, 'journal.ndjson'));
  const keyed = lines.filter((line) => line.kind === 'exchange' && line.caller === 'key');
  // The preflight request, and the creation that lists without a valid key must not show.
  assert.equal(keyed.length, 2);
  assert.match(
    again.output,
    /The files of an earlier run were moved to .*earlier-.*journal\.ndjson, report\.json/,
  );
});
