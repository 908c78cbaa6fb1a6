import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENTRY, exits } from '../../evaluation/testing/cli/command.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';

// What it offers is in dry-runs.txt.

/** Calls the program as the script does, whatever is installed here. */
const PROGRAM = `petstore-conformance() { "${process.execPath}" "${ENTRY}" "$@"; }`;

test('bash offers what the program prints for the words up to the cursor', async (t) => {
  const { out } = await exits(0, t, ['completion', 'bash']);
  const ask = `COMP_WORDS=(petstore-conformance certify --quic); COMP_CWORD=2; _petstore_conformance petstore-conformance; echo "$COMPREPLY"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', [PROGRAM, out, ask].join('\n')], {
    encoding: 'utf8',
  });
  assert.equal(stdout, '--quick\n', stderr);
});

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`${shell} reads its script`, async (t) => {
    const { out } = await exits(0, t, ['completion', shell]);
    const file = join(temporaryFolder(t), 'script');
    writeFileSync(file, out);
    const { status, stderr, error } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    if (error !== undefined) return t.diagnostic(`${shell} is not installed here`);
    assert.equal(status, 0, stderr);
  });
}
