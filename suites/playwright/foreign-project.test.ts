import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { JSONReport, JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter';
import { findFault } from '../../catalogue/index.ts';
import { PLAYWRIGHT_INTERFACE } from '../../evaluation/testing/cli/entry.ts';
import type { RunningServer, Seams } from '../../reference-server/index.ts';
import { startServer } from '../../reference-server/index.ts';
import { loadPlans } from '../../spec/plans.ts';
import { readJournal } from '../wire/journal-reader.ts';

// A Playwright project of somebody else: tests and browsers of its own, several workers, retries. One spec file and one
// project of its configuration are added.

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const PLANS = { ...loadPlans(), minuteSeconds: 2 };

const root = mkdtempSync(join(tmpdir(), 'foreign-project-'));
after(() => rmSync(root, { recursive: true, force: true }));

const OWN_SPEC = `import { expect, test } from '@playwright/test';
for (const n of [1, 2, 3]) test('their own test ' + n, () => expect(n).toBeGreaterThan(0));
`;

const SPEC = `import { conformance } from '${pathToFileURL(PLAYWRIGHT_INTERFACE.index).pathname}';
conformance();
`;

/** The configuration of a project whose petstore projects have these options. */
const configuration = (...uses: readonly Readonly<Record<string, unknown>>[]): string => `
export default {
  fullyParallel: true,
  workers: 2,
  retries: 1,
  timeout: 1000,
  reporter: [['json', { outputFile: 'results.json' }], ['html', { open: 'never' }], [${JSON.stringify(PLAYWRIGHT_INTERFACE.reporter)}]],
  projects: [
    { name: 'theirs', testMatch: 'own.spec.ts' },
    ${uses.map((petstore, at) => JSON.stringify({ name: `petstore-${at}`, testMatch: 'petstore.spec.ts', use: { petstore } })).join(',\n    ')}
  ],
};
`;

interface ForeignRun {
  readonly code: number | null;
  readonly output: string;
  readonly folder: string;
  readonly specs: readonly JSONReportSpec[];
}

/** Runs Playwright in a new folder that knows this project by its one spec file. */
async function foreignRun(
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
  const { code, output } = await playwright(folder, options, keys);
  const report = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as JSONReport;
  return { code, output, folder, specs: report.suites.flatMap(specsOf) };
}

function playwright(
  cwd: string,
  options: readonly string[],
  keys: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const cli = join(MODULES, '@playwright', 'test', 'cli.js');
  const env = { PATH: process.env['PATH'], HOME: cwd, ...keys };
  const child = spawn(process.execPath, [cli, 'test', ...options], { cwd, env });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

const specsOf = ({ specs, suites = [] }: JSONReportSuite): readonly JSONReportSpec[] => [
  ...specs,
  ...suites.flatMap(specsOf),
];

const specOf = ({ specs }: ForeignRun, id: string): JSONReportSpec => {
  const found = specs.find(({ title }) => title.startsWith(`${id} `));
  assert(found !== undefined, id);
  return found;
};

const annotationsOf = (spec: JSONReportSpec, type: string): readonly string[] =>
  spec.tests.flatMap(({ annotations }) =>
    annotations.flatMap((one) => (one.type === type ? [one.description ?? ''] : [])),
  );

async function serving(t: TestContext, seams: Seams = {}): Promise<RunningServer> {
  const server = await startServer({ plans: PLANS, seams });
  t.after(() => server.close());
  return server;
}

const keyOf = ({ keys }: RunningServer) => ({ SHOP_KEY: keys.free[0] ?? '' });
const useOf = ({ baseUrl }: RunningServer) => ({ target: baseUrl, apiKeyEnv: 'SHOP_KEY', plans: PLANS });

test('one spec file and one project add a test for each requirement, and one run for all of them', async (t) => {
  const server = await serving(t, findFault('retry-after-absent'));
  const use = useOf(server);
  // A second project with the same options, as where every browser has one, shares the run.
  const run = await foreignRun(configuration(use, use), [], keyOf(server));
  assert.equal(run.code, 1, run.output);
  assert.equal(
    run.specs.filter(({ title }) => title.startsWith('their own')).every(({ ok }) => ok),
    true,
  );
  const failing = new Set(run.specs.filter(({ ok }) => !ok).map(({ title }) => title.split(' ', 1)[0]));
  // Without Retry-After, what depends on it stays open, and an open MUST fails its test.
  assert.deepEqual([...failing], ['RETRY-1', 'RETRY-2', 'RETRY-3']);
  const attempts = specOf(run, 'RETRY-1').tests.map(({ results }) => results.length);
  assert.deepEqual(attempts, [1, 1], 'one in each project, and no retry');
  assert.equal(run.output.match(/Testing http/g)?.length, 1, 'one run of the two projects');
  const written = readdirSync(join(run.folder, 'out', 'playwright'));
  for (const name of ['report.json', 'report.html', 'junit.xml', 'badge.svg'])
    assert(written.includes(name), name);
  assert.deepEqual(
    written.filter((name) => name.startsWith('earlier-')),
    [],
  );
  assert.match(run.output, /Report: out\/playwright\/report\.html/);
  const shown = run.specs.filter(({ title }) => title === 'the run');
  assert.equal(shown.flatMap((spec) => annotationsOf(spec, 'retries')).length, 1);
  const pictures = readdirSync(join(run.folder, 'playwright-report', 'data')).filter((name) =>
    name.endsWith('.svg'),
  );
  assert.equal(pictures.length, 1, 'the picture of the run is an image of the HTML report');
});

test('tags and options limit what is sent, and a second run keeps the first', async (t) => {
  const server = await serving(t);
  const use = { ...useOf(server), only: 'CREATE,AUTH', skip: ['AUTH-1'] };
  const run = await foreignRun(configuration(use), ['--grep', '@create-a-category'], keyOf(server));
  assert.equal(run.code, 0, run.output);
  const folder = join(run.folder, 'out', 'playwright');
  const [head] = readJournal(join(folder, 'journal.ndjson')).lines;
  assert(head?.kind === 'run');
  assert(
    head.selection?.requirements.every((id) => id.startsWith('CREATE-')),
    JSON.stringify(head.selection),
  );
  assert(!head.probes.some(({ id }) => id === 'exhaust-quota'));
  const again = await playwright(run.folder, ['--grep', 'AUTH-2 '], keyOf(server));
  assert.equal(again.code, 0, again.output);
  assert.match(
    again.output,
    /The files of an earlier run were moved to .*earlier-.*journal\.ndjson, report\.json/,
  );
});

test('a baseline expects known violations, and a stale entry fails', async (t) => {
  const server = await serving(t, findFault('missing-name-defaulted'));
  const entry = { reason: 'old clients', owner: 'shop team', expires: '2999-01-31' };
  const first = { ...useOf(server), quick: true, baselineWrite: 'written.json' };
  const found = await foreignRun(configuration(first), [], keyOf(server));
  assert.equal(found.code, 1, found.output);
  const { violations } = JSON.parse(readFileSync(join(found.folder, 'written.json'), 'utf8'));
  assert.ok(violations.length > 0);
  const known = violations.map(({ id }: { readonly id: string }) => ({ id, ...entry }));
  const second = { ...useOf(server), quick: true, baseline: 'known.json' };
  const baseline = (more: readonly object[]) => ({
    'known.json': JSON.stringify({ baselineVersion: 1, violations: [...known, ...more] }),
  });
  const accepted = await foreignRun(configuration(second), [], keyOf(server), baseline([]));
  assert.equal(accepted.code, 0, accepted.output);
  const reasons = annotationsOf(specOf(accepted, known[0].id), 'fail');
  assert(reasons.includes('Known violation: old clients (shop team, until 2999-01-31)'), reasons.join());
  const stale = await foreignRun(
    configuration(second),
    [],
    keyOf(server),
    baseline([{ id: 'LIST-1', ...entry }]),
  );
  assert.equal(stale.code, 1, stale.output);
  assert.match(stale.output, /The baseline has an entry for LIST-1, and the requirement no longer fails/);
});

test('without the run there is no verdict, and every worker gets the same sentence', async () => {
  const run = await foreignRun(configuration({ target: 'http://127.0.0.1:9/v1', only: 'CRATE' }), [], {
    PETSTORE_API_KEY: 'a-key-1',
  });
  assert.equal(run.code, 1);
  assert.match(run.output, /petstore\.only takes ids .* not "CRATE"\. Did you mean "CREATE"\?/);
  const own = run.specs.filter(({ tags }) => tags.includes('petstore'));
  const passed = own.filter(({ tests }) => tests.some(({ results }) => results[0]?.status === 'passed'));
  assert.deepEqual([own.length > 0, passed], [true, []]);
});
