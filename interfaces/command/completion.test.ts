import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENTRY, exits } from '../../evaluation/testing/cli/command.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { COMMANDS } from './commands.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

test('commands, options, choices, variables, profiles and ids are offered; nothing where a path may stand', async (t) => {
  const offered = async (...words: readonly string[]): Promise<string> => {
    const { out } = await exits(0, t, ['completion', 'bash', '--', ...words], {
      env: { A_STAGING_KEY: 'x' },
    });
    return out.trim().replaceAll('\n', ' ');
  };
  assert.equal(await offered(''), COMMANDS.map(({ name }) => name).join(' '));
  assert.equal(await offered('--v'), '--version');
  assert.equal(await offered('certify', '--quic'), '--quick');
  assert.equal(await offered('certify', '--hel'), '--help-all --help');
  assert.equal(await offered('certify', '--quick', '--format', ''), 'console json');
  assert.equal(await offered('certify', '--api-key-env', 'A_STAG'), 'A_STAGING_KEY');
  assert.equal(await offered('certify', '--out', ''), '');
  assert.equal(await offered('load', 'at-'), 'at-limit');
  assert.equal(await offered('load', 'manifest', '--paral'), '--parallelism');
  assert.equal(await offered('compare', 'a', '--tol'), '--tolerance');
  assert.equal(await offered('explain', 'RETRY-'), 'RETRY-1 RETRY-2 RETRY-3 RETRY-4');
  assert.equal(await offered('completion', ''), SHELLS.join(' '));
  assert.equal(await offered('certify-client', '--', 'node', '--jo'), '');
});

test('zsh and fish get descriptions', async (t) => {
  const described = async (shell: string): Promise<string> =>
    (await exits(0, t, ['completion', shell, '--', 'certify', '--quick'])).out;
  assert.match(await described('zsh'), /^--quick:test what needs no 429/);
  assert.match(await described('fish'), /^--quick\ttest what needs no 429/);
});

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

for (const shell of SHELLS) {
  test(`${shell} reads its script`, async (t) => {
    const { out } = await exits(0, t, ['completion', shell]);
    const file = join(temporaryFolder(t), 'script');
    writeFileSync(file, out);
    const { status, stderr, error } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    if (error !== undefined) return t.diagnostic(`${shell} is not installed here`);
    assert.equal(status, 0, stderr);
  });
}
