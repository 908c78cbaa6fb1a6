import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { startServer } from '../../reference-server/http/server.ts';
import { ACTION_FOLDER, bundleAction } from '../../tools/package/bundle.ts';
import { plansOf } from '../over-http.ts';
import { endOf, plansFile } from '../testing/cli/command.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';

// The bundle of the action as a runner starts it, against the bundled server: in a folder without packages.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
const bundle = temporaryFolder({ after });

before(() => bundleAction(bundle));

/** Runs the action with these inputs, and returns its exit code and what it put out. */
async function runAction(t: TestContext, inputs: Readonly<Record<string, string>>, key: string) {
  const cwd = temporaryFolder(t);
  const output = join(cwd, 'output.txt');
  const summary = join(cwd, 'summary.md');
  writeFileSync(output, '');
  const given = Object.entries({ ...defaults(), ...inputs });
  const child = spawn(process.execPath, [join(bundle, 'index.js')], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      XDG_STATE_HOME: tmpdir(),
      GITHUB_ACTIONS: 'true',
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      PETSTORE_API_KEY: key,
      ...Object.fromEntries(given.map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text])),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { cwd, ...(await endOf(child)), output: readFileSync(output, 'utf8'), summary };
}

const defaults = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries<{ default: string }>(action.inputs).map(([name, input]) => [name, input.default]),
  );

test('action.yml starts the bundle that a release makes', () => {
  assert.equal(action.runs.main, `${ACTION_FOLDER}/index.js`);
});

test('a line end in an input writes no other output', async (t) => {
  const { code, printed, output } = await runAction(t, { out: 'results\nexit-code=0' }, 'a-key-of-a-test');
  assert.equal(code, 2, printed);
  assert.match(printed, /the input "out" takes the path of one folder/);
  assert.equal(output, '');
});

test('the action certifies a conforming service, and its summary and reports are there', async (t) => {
  const server = await startServer({ plans: plansOf(3) });
  t.after(() => server.close());
  const plans = plansFile(temporaryFolder(t), 3);
  const inputs = { target: server.baseUrl, plan: 'free', options: `--plans=${plans}\n--exclusive-key\n` };
  const { cwd, code, printed, output, summary } = await runAction(t, inputs, server.keys['free']?.[0] ?? '');
  assert.equal(code, 0, printed);
  assert.equal(output, 'exit-code=0\nreport=conformance/report.json\n');
  assert.ok(existsSync(join(cwd, 'conformance', 'junit.xml')));
  assert.match(readFileSync(summary, 'utf8'), /conforms/);
});

test('the action ends with the exit code of the command, and the violation is an annotation', async (t) => {
  const { findFault } = await import('../../reference-server/catalogue/faults/index.ts');
  const server = await startServer({ plans: plansOf(3), seams: findFault('list-206') });
  t.after(() => server.close());
  const plans = plansFile(temporaryFolder(t), 3);
  const inputs = { target: server.baseUrl, options: `--plans=${plans}\n--only=LIST`, out: 'results' };
  const { code, printed, output } = await runAction(t, inputs, server.keys['free']?.[0] ?? '');
  assert.equal(code, 1, printed);
  assert.match(output, /^exit-code=1$/m);
  assert.match(printed, /^::error title=LIST-1/m);
});

test('no input of the action takes a key', () => {
  assert.deepEqual(
    Object.keys(action.inputs).filter((name) => /key|token|secret/i.test(name)),
    [],
  );
});
