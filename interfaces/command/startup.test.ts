import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, temporaryFolder } from '../../evaluation/testing/cli/command.ts';
import { SOURCE } from '../../evaluation/testing/cli/entry.ts';

test('--version prints the version of the package', async (t) => {
  const { code, out } = await run(t, ['--version']);
  assert.equal(code, 0);
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
});

test('an older Node gets one sentence and exit code 2', async (t) => {
  const folder = temporaryFolder(t);
  const pretend = join(folder, 'pretend.cjs');
  writeFileSync(
    pretend,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } });",
  );
  const { code, err } = await run(t, ['certify'], {
    entry: SOURCE,
    env: { NODE_OPTIONS: `--require ${pretend}` },
  });
  assert.equal(code, 2);
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
  const { code, err } = await run(t, ['explain'], { env });
  assert.equal(code, 2, err);
  assert.match(err, /^petstore-conformance: Unexpected error: a bug of ours[^\n]+PETSTORE_DEBUG=1[^\n]+\n$/);
  const debugged = await run(t, ['explain'], { env: { ...env, PETSTORE_DEBUG: '1' } });
  assert.equal(debugged.code, 2);
  assert.match(debugged.err, /\n {4}at .*broken\.cjs/);
});
