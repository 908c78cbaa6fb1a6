import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { ended, fakeHost, program } from '../evaluation/testing/tools/fake-host.ts';
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import { findPythonTool, pinnedVersion } from './python-environment.ts';

const pinned = await pinnedVersion('schemathesis');

/** A machine whose python3 makes environments with the pinned version, and its place in the tool cache. */
function machine(t: TestContext) {
  const folder = temporaryFolder(t);
  const cached = join(folder, 'cache', 'petstore-conformance', 'schemathesis');
  const python3 = async (args: readonly string[]) => {
    await program(join(args[2] ?? '', 'bin', 'python'), `version ${pinned}\n`);
    return ended('');
  };
  const python = join(cached, pinned, 'bin', 'python');
  const inCache = () => readdir(cached);
  return { folder, host: fakeHost(folder, { python3 }), python, inCache };
}

const find = (host: ReturnType<typeof fakeHost>, install = false) =>
  findPythonTool('schemathesis', { host, install });

describe('a tool in Python', () => {
  it('is found in the tool cache', async (t) => {
    const { host, python } = machine(t);
    await program(python, `version ${pinned}\n`);
    assert.deepEqual(await find(host), { kind: 'found', path: python, version: pinned });
  });

  it('is installed into an environment of its own, whole and once, by two who install it at once', async (t) => {
    const { host, python, inCache } = machine(t);
    const both = await Promise.all([find(host, true), find(host, true)]);
    for (const found of both) assert.deepEqual(found, { kind: 'found', path: python, version: pinned });
    assert.deepEqual(await inCache(), [pinned]);
  });

  it('that does not run in the cache is made anew', async (t) => {
    const { host, python } = machine(t);
    await program(python, 'No module named schemathesis');
    assert.equal((await find(host, true)).kind, 'found');
  });

  it('without Python is missing, with every reason and one line that says what to do', async (t) => {
    const { folder, inCache } = machine(t);
    const found = await find(fakeHost(folder), true);
    assert.ok(found.kind === 'missing');
    assert.deepEqual(found.tried, ['not in the tool cache', 'venv: there is no such file or folder']);
    assert.match(found.advice, /Python 3\.10/);
    assert.deepEqual(await inCache(), []);
  });
});
