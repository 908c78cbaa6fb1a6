import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { startServer } from '../../reference-server/index.ts';
import { plansFile, plansOf, temporaryFolder } from '../testing/cli/command.ts';

// The steps of action.yml as a runner executes them, against the bundled server. "npm ci" is the one thing that does
// not run here: the packages of this clone are installed.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface ActionStep {
  readonly name: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
}

const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
const steps: readonly ActionStep[] = action.runs.steps;

/** Runs the steps with these inputs, and returns the exit code of the last one and what they put out. */
async function runAction(t: TestContext, inputs: Readonly<Record<string, string>>, key: string) {
  const cwd = temporaryFolder(t);
  const output = join(cwd, 'output.txt');
  const summary = join(cwd, 'summary.md');
  writeFileSync(output, '');
  const given: Readonly<Record<string, string>> = { ...defaults(), ...inputs };
  let code: number | null = 0;
  let printed = '';
  for (const { run, env = {} } of steps) {
    const values = Object.entries(env).map(([name, text]) => [
      name,
      text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input) => given[input] ?? ''),
    ]);
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', run], {
      cwd,
      env: {
        PATH: process.env['PATH'],
        HOME: cwd,
        XDG_STATE_HOME: tmpdir(),
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: ROOT,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        PETSTORE_API_KEY: key,
        ...Object.fromEntries(values),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    [code] = await once(child, 'close');
    if (code !== 0) break;
  }
  return { cwd, code, printed, output: readFileSync(output, 'utf8'), summary };
}

const defaults = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries<{ default: string }>(action.inputs).map(([name, input]) => [name, input.default]),
  );

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
  const { findFault } = await import('../../catalogue/index.ts');
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
