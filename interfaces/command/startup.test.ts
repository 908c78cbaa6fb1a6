import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { commandBeside, ENTRY, exits, runHere, SOURCE } from '../../evaluation/testing/cli/command.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { sampleOf } from '../../tools/sample.ts';
import { FLAGS } from '../options/command-line.ts';
import { options, optionsOf } from '../options/table.ts';
import { COMMANDS } from './commands.ts';

test('--version prints the version of the package', async (t) => {
  const { out } = await exits(0, t, ['--version']);
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
});

test('an older Node gets one sentence and exit code 2', async (t) => {
  const folder = temporaryFolder(t);
  const pretend = join(folder, 'pretend.cjs');
  writeFileSync(
    pretend,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } });",
  );
  const { err } = await exits(2, t, ['certify'], {
    entry: SOURCE,
    env: { NODE_OPTIONS: `--require ${pretend}` },
  });
  assert.equal(
    err,
    'petstore-conformance: Node.js 20.19 or newer is needed, and this is 20.18.3: install a newer release.\n',
  );
});

test('without its packages it prints what to run', async (t) => {
  const folder = temporaryFolder(t);
  const bin = join(folder, 'petstore-conformance.mjs');
  copyFileSync(new URL('../../cli/petstore-conformance.js', import.meta.url), bin);
  const { status, stderr } = spawnSync(process.execPath, [bin, 'certify'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /^petstore-conformance: A package is missing: run "npm ci" [^\n]+\n$/);
});

test('an unexpected error is no verdict: exit code 2, and how to see the stack trace', async (t) => {
  const folder = temporaryFolder(t);
  const broken = join(folder, 'broken.cjs');
  writeFileSync(broken, "String.prototype.padEnd = () => { throw new Error('a bug of ours'); };");
  const env = { NODE_OPTIONS: `--require ${broken}` };
  const { err } = await exits(2, t, ['explain'], { env });
  assert.match(err, /^petstore-conformance: Unexpected error: a bug of ours[^\n]+PETSTORE_DEBUG=1[^\n]+\n$/);
  const debugged = await exits(2, t, ['explain'], { env: { ...env, PETSTORE_DEBUG: '1' } });
  assert.match(debugged.err, /\n {4}at .*broken\.cjs/);
});

// Help appears quickly because it loads few modules. Which ones is counted here, and not a time, which depends on the
// machine. What a command needs for the values of its options is listed with it.

const ROOT = dirname(dirname(SOURCE));

/** Every help text may load these. */
const FOR_ALL = [
  /^(?:cli|interfaces\/command)\/[^/]+$/,
  /^kernel\/basics\//,
  /^kernel\/findings\/(?:gate-codes|tested)\.ts$/,
  /^interfaces\/options\/(?:config-file\/file-for\.ts|[^/]+)$/,
  /^package\.json$/,
];

const FURTHER: Readonly<Record<string, readonly RegExp[]>> = {
  // Its help describes the profiles.
  load: [
    /^interfaces\/command\/load\/help\.ts$/,
    /^load\/(?:model|profiles)\//,
    /^kernel\/usage-ledger\/day-usage\.ts$/,
    /^kernel\/rate-limits\//,
    /^kernel\/exchanges\/collections\.ts$/,
  ],
};

/** The modules of this project that a command line loads, by V8's own record. */
async function modulesOf(t: TestContext, args: readonly string[]): Promise<readonly string[]> {
  const folder = temporaryFolder(t);
  await exits(0, t, args, { entry: SOURCE, env: { NODE_V8_COVERAGE: folder } });
  const urls = readdirSync(folder).flatMap((name): readonly string[] =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')).result.map(({ url }: { url: string }) => url),
  );
  const paths = urls
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(ROOT, fileURLToPath(url.replace(/\?.*$/, ''))));
  return paths.filter((path) => !path.startsWith('..') && !path.startsWith('node_modules'));
}

describe('help loads no implementation', { concurrency: 2 }, () => {
  for (const name of sampleOf(['', ...COMMANDS.map((command) => command.name)])) {
    test(`${name} --help`, async (t) => {
      const modules = await modulesOf(t, [...(name === '' ? [] : [name]), '--help']);
      assert.ok(modules.includes('interfaces/command/program.ts'), 'the record is complete');
      const allowed = [...FOR_ALL, ...(FURTHER[name] ?? [])];
      const strange = modules.filter((path) => !allowed.some((pattern) => pattern.test(path)));
      assert.deepEqual(strange, []);
    });
  }
});

test('help of a command, by both ways to ask for it', async () => {
  const before = await runHere(['judge', '--help']);
  const after = await runHere(['help', 'judge']);
  assert.match(before.out, /Usage: petstore-conformance judge \[options\] <run\.\.\.>/);
  assert.equal(after.out, before.out);
});

test('without a command it prints the help and exits with 2', async () => {
  const { code, out, err } = await runHere([]);
  assert.equal(code, 2);
  assert.match(out + err, /Usage: petstore-conformance/);
});

describe('help', { concurrency: 2 }, () => {
  for (const command of [[], ['certify'], ['serve'], ['explain'], ['judge']]) {
    test(`${command.join(' ')} --help shows examples`, async () => {
      const { code, out, err } = await runHere([...command, '--help']);
      assert.equal(code, 0);
      assert.match(out, /\nExamples:\n {2}petstore-conformance /);
      assert.equal(err, '');
    });
  }
  for (const command of ['certify', 'load', 'certify-client'] as const) {
    test(`${command} --help fits a screen, and --help-all has every option`, async () => {
      const first = await runHere([command, '--help']);
      assert.ok(first.out.split('\n').length <= 46, first.out);
      assert.ok((first.out.match(/^ {2}(?:-h, )?--/gm) ?? []).length <= 12, first.out);
      const whole = await runHere([command, '--help-all']);
      assert.deepEqual([whole.code, whole.err], [0, '']);
      for (const name of optionsOf(command)) {
        if (!['product', 'words'].includes(options[name].kind))
          assert.ok(whole.out.includes(`  ${FLAGS[name]}`), name);
      }
    });
  }
});

// What completion offers is in dry-runs.txt.

/** Calls the program as the script does, whatever is installed here. */
const AS_INSTALLED = `petstore-conformance() { "${process.execPath}" "${ENTRY}" "$@"; }`;

test('completion: bash offers what the program prints for the words up to the cursor', async (t) => {
  const { out } = await exits(0, t, ['completion', 'bash']);
  const ask = `COMP_WORDS=(petstore-conformance certify --quic); COMP_CWORD=2; _petstore_conformance petstore-conformance; echo "$COMPREPLY"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', [AS_INSTALLED, out, ask].join('\n')], {
    encoding: 'utf8',
  });
  assert.equal(stdout, '--quick\n', stderr);
});

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`completion: ${shell} reads its script`, async (t) => {
    const { out } = await exits(0, t, ['completion', shell]);
    const file = join(temporaryFolder(t), 'script');
    writeFileSync(file, out);
    const { status, stderr, error } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    if (error !== undefined) return t.diagnostic(`${shell} is not installed here`);
    assert.equal(status, 0, stderr);
  });
}

/** Ctrl-C ends a run at once: long before the wait of 30 s that it interrupts, on any machine. In milliseconds. */
const AT_ONCE = 10_000;

// evaluation/nothing-lost interrupts a run by Ctrl-C, and kills it.
test('SIGTERM while it waits: it ends at once, exit 130, and the journal is judgeable', async (t) => {
  const { baseUrl, ...here } = await commandBeside(t, 30);
  const running = here.start(`certify --target ${baseUrl} --plans plans.json --out run`);
  await running.until('the target answered 429');
  const before = performance.now();
  running.child.kill('SIGTERM');
  const { code, err } = await running.ended();
  assert.ok(performance.now() - before < AT_ONCE);
  assert.equal(code, 130, err);
  assert.match(
    err,
    /\npetstore-conformance: Interrupted: [^\n]+petstore-conformance judge run\/journal\.ndjson\n$/,
  );
  assert.equal(here.journal().at(-1).how, 'interrupted');
  assert.deepEqual(here.names('run'), ['journal.ndjson']);
  const { out } = await here.exits(3, 'judge run/journal.ndjson');
  assert.match(out, /The run is incomplete/);
  assert.equal(here.verdict('LIMIT-3'), 'pass', 'exchanges before the interruption count');
  assert.equal(
    here.verdict('RETRY-3'),
    'inconclusive',
    'a missing exchange does not count against the target',
  );
});

/** A process that runs this script, with `interruptible` imported, and has printed something. */
async function ready(t: TestContext, body: string): Promise<ChildProcess> {
  const script = `import { interruptible } from '${new URL('exit-code.ts', import.meta.url)}'; ${body}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script]);
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('a second Ctrl-C ends the process at once', async (t) => {
  const child = await ready(
    t,
    `setInterval(() => {}, 1e6);
    await interruptible(() => {
      process.stdout.write('ready');
      return new Promise(() => {});
    });`,
  );
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await delay(200);
  assert.equal(child.exitCode, null, 'the first signal does not end the process');
  child.kill('SIGINT');
  assert.deepEqual(await ended, [130, null]);
});

test('Ctrl-C between the end of the work and the end of the process leaves the exit code', async (t) => {
  const child = await ready(
    t,
    `await interruptible(async () => {});
    process.stdout.write('ready');
    setTimeout(() => process.exit(1), 300);`,
  );
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  assert.deepEqual(await ended, [1, null]);
});
