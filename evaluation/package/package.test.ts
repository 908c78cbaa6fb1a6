import assert from 'node:assert/strict';
import type { SpawnSyncReturns } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { temporaryFolder } from '../testing/tools/folder.ts';

// The package as its users get it: packed, and installed into an empty folder. PACKAGE_NODES=20,22,24 repeats the run
// with these releases of Node, which npm provides.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The longest that npm may take, in milliseconds: it may have to download the dependencies. */
const NPM_MS = 300_000;

/** Builds and packs the package into a folder: the path of the tarball, its bytes and files. @throws {Error} when npm fails, with what it printed. */
function packInto(folder: string) {
  const { stdout } = npm(ROOT, 'pack', '--json', '--pack-destination', folder);
  const [{ filename, size, files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  const paths: readonly string[] = files.map(({ path }: { path: string }) => path);
  return { path: join(folder, filename), size: Number(size), files: paths };
}

/** An empty folder into which packages are installed. @throws {Error} when npm fails, with what it printed. */
function installed(...packages: readonly string[]): string {
  const folder = temporaryFolder({ after });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packages);
  return folder;
}

function npm(cwd: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  const done = spawnSync('npm', args, { cwd, encoding: 'utf8', timeout: NPM_MS });
  if (done.status === 0) return done;
  throw new Error(`npm ${args.join(' ')} failed: ${done.stderr}`);
}

const PLAYWRIGHT = fileURLToPath(new URL('../../node_modules/@playwright/test', import.meta.url));

const MOST_BYTES = 1_500_000;

const folder = temporaryFolder({ after });

const packed = packInto(folder);
const home = installed(packed.path);
const bin = join(home, 'node_modules', '.bin', 'petstore-conformance');

/** Runs a program of the folder, without anything of this project in its environment. */
const run = (program: string, ...args: readonly string[]) =>
  spawnSync(program, args, {
    cwd: home,
    encoding: 'utf8',
    timeout: 120_000,
    env: { PATH: process.env['PATH'], HOME: home, PETSTORE_DEBUG: '1' },
  });

test('the tarball is small, and has no test, no source and nothing of the laboratory', () => {
  assert.ok(packed.size < MOST_BYTES, `${packed.size} bytes`);
  const strange = packed.files.filter((path) =>
    /\.test\.|\/testing\/|(?<!\.d)\.ts$|^(?:evaluation|tools)\/|\.map$/.test(path),
  );
  assert.deepEqual(strange, []);
  for (const path of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist/spec/openapi.yaml']) {
    assert.ok(packed.files.includes(path), path);
  }
});

test('the command certifies the bundled server, and judges the journal again', () => {
  const certified = run(bin, 'certify', '--out', 'run');
  assert.equal(certified.status, 0, certified.stderr);
  assert.match(certified.stdout, /The target conforms/);
  const before = readFileSync(join(home, 'run', 'report.json'), 'utf8');
  const judged = run(bin, 'judge', 'run/journal.ndjson', '--out', 'again');
  assert.equal(judged.status, 0, judged.stderr);
  assert.equal(readFileSync(join(home, 'again', 'report.json'), 'utf8'), before);
});

test('a fault of the bundled server is found: exit code 1', () => {
  const certified = run(bin, 'certify', '--fault', 'retry-after-absent', '--out', 'faulty');
  assert.equal(certified.status, 1, certified.stderr);
  assert.match(certified.stdout, /RETRY-1 fail/);
});

test('the script of a load run is one file, where the command looks for it', () => {
  const script = join(home, 'node_modules', 'petstore-conformance', 'dist', 'load', 'script', 'main.js');
  assert.doesNotMatch(readFileSync(script, 'utf8'), /(?:from|import)\s*\(?['"]\./);
});

test('the library certifies a server with a fault, and writes the reports', () => {
  writeFileSync(
    join(home, 'use.js'),
    `import { certify, writeReports } from 'petstore-conformance';
import { startServer } from 'petstore-conformance/reference-server';
const plans = { minuteSeconds: 3, daySeconds: 86400, plans: { free: { perMinute: 60, perDay: 1000 } } };
const server = await startServer({ plans, faults: ['retry-after-absent', 'list-206'] });
const [key] = server.keys.free;
const { record, journal } = await certify({ target: server.baseUrl, keys: { key }, plans, journal: 'used/journal.ndjson' });
const wrong = await certify({ target: server.baseUrl, keys: { key: '' } }).catch(({ message }) => message);
const quick = await certify({ target: server.baseUrl, keys: { key: server.keys.free[1] }, plans, quick: true, skip: 'LIST-1' });
await writeReports(record, 'used');
await server.close();
const failed = record.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
console.log(JSON.stringify({ outcome: record.outcome, failed, journal, wrong, gate: quick.gate }));
`,
  );
  const used = run(process.execPath, 'use.js');
  assert.equal(used.status, 0, used.stderr);
  assert.deepEqual(JSON.parse(used.stdout), {
    outcome: 'violates',
    failed: ['LIST-1', 'RETRY-1'],
    journal: 'used/journal.ndjson',
    wrong: 'keys.key is empty: set it to the API key.',
    gate: 'incomplete',
  });
  assert.ok(readdirSync(join(home, 'used')).includes('report.html'));
});

test('a Playwright project tests a service with a spec file of two lines', () => {
  // Playwright is a peer: the project brings its own.
  mkdirSync(join(home, 'node_modules', '@playwright'), { recursive: true });
  symlinkSync(PLAYWRIGHT, join(home, 'node_modules', '@playwright', 'test'));
  writeFileSync(
    join(home, 'petstore.spec.ts'),
    "import { conformance } from 'petstore-conformance/playwright';\nconformance();\n",
  );
  writeFileSync(
    join(home, 'playwright.config.ts'),
    `import { defineConfig } from '@playwright/test';
import type { PetstoreUse } from 'petstore-conformance/playwright';
export default defineConfig<PetstoreUse>({
  reporter: [['list'], ['petstore-conformance/playwright/reporter']],
  projects: [{ name: 'petstore', testMatch: 'petstore.spec.ts', use: { petstore: { journal: 'faulty/journal.ndjson' } } }],
});
`,
  );
  const tested = run(process.execPath, join(PLAYWRIGHT, 'cli.js'), 'test');
  assert.equal(tested.status, 1, tested.stderr);
  assert.match(tested.stdout, /RETRY-1 \(MUST\): Every 429 response has/);
  assert.match(tested.stdout, /Report: out\/playwright\/report\.html/);
});

for (const release of (process.env['PACKAGE_NODES'] ?? '').split(',').filter((one) => one !== '')) {
  test(`the command certifies with Node ${release}`, () => {
    const platform = `node-${process.platform}-${process.arch}`;
    const node = join(installed(`${platform}@${release}`), 'node_modules', platform, 'bin', 'node');
    const certified = run(node, bin, 'certify', '--out', `run-${release}`);
    assert.equal(certified.status, 0, certified.stderr);
  });
}

test('publint and are-the-types-wrong have nothing to complain of', async () => {
  const tarball = readFileSync(packed.path);
  const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
  assert.deepEqual(messages, []);
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  assert.ok(analysis.types !== false, 'the package has types');
  // An ES module package: what only CommonJS and the resolution of Node 10 miss is meant so.
  const meant = (problem: (typeof analysis.problems)[number]) =>
    problem.kind === 'CJSResolvesToESM' ||
    ('resolutionKind' in problem && problem.resolutionKind === 'node10');
  assert.deepEqual(
    analysis.problems.filter((problem) => !meant(problem)),
    [],
  );
});
