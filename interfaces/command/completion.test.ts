import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exits } from '../../evaluation/testing/cli/command.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { COMMANDS } from './commands.ts';

/** What bash would offer for the last of these words. */
function offered(script: string, ...words: readonly string[]): readonly string[] {
  const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _petstore_conformance; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', `${script}\n${ask}`, 'bash', 'petstore-conformance', ...words];
  const { status, stdout, stderr } = spawnSync('bash', args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], A_STAGING_KEY: 'x' },
  });
  assert.equal(status, 0, stderr);
  return stdout.trim().split('\n');
}

test('bash completes commands, options, choices, variables and profiles', async (t) => {
  const { out } = await exits(0, t, ['completion', 'bash']);
  for (const { name } of COMMANDS) assert.ok(offered(out, '').includes(name), name);
  assert.deepEqual(offered(out, 'certify', '--quic'), ['--quick']);
  assert.deepEqual(offered(out, 'certify', '--quick', '--format', ''), ['console', 'json']);
  assert.deepEqual(offered(out, 'certify', '--api-key-env', 'A_STAG'), ['A_STAGING_KEY']);
  assert.deepEqual(offered(out, 'load', 'at-'), ['at-limit']);
  assert.deepEqual(offered(out, 'compare', 'a', '--tol'), ['--tolerance']);
  assert.deepEqual(offered(out, 'explain', 'RETRY-'), ['RETRY-1', 'RETRY-2', 'RETRY-3', 'RETRY-4']);
  assert.deepEqual(offered(out, 'completion', ''), ['bash', 'zsh', 'fish']);
});

for (const shell of ['zsh', 'fish']) {
  test(`${shell} reads its script`, async (t) => {
    const { out } = await exits(0, t, ['completion', shell]);
    assert.match(out, /certify-client/);
    const file = join(temporaryFolder(t), 'script');
    writeFileSync(file, out);
    const { status, stderr, error } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    if (error !== undefined) return t.diagnostic(`${shell} is not installed here`);
    assert.equal(status, 0, stderr);
  });
}

test('an unknown shell gets one sentence', async (t) => {
  const { err } = await exits(2, t, ['completion', 'tcsh']);
  assert.match(err, /Allowed choices are bash, zsh, fish/);
});
