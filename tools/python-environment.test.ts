import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Commands } from '../evaluation/testing/tools/fake-host.ts';
import { ended, fakeHost, program } from '../evaluation/testing/tools/fake-host.ts';
import { FLASK_LIMITER_REQUIREMENTS, findFlaskLimiter, findSchemathesis } from './python-environment.ts';

const pinned = /^Flask-Limiter==(\S+)$/m.exec(await readFile(FLASK_LIMITER_REQUIREMENTS, 'utf8'))?.[1] ?? '';

describe('Flask-Limiter', () => {
  let folder = '';
  let python = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'flask-limiter-'));
    python = join(folder, 'cache', 'petstore-conformance', 'flask-limiter', pinned, 'bin', 'python');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is found in the tool cache', async () => {
    await program(python, `version ${pinned}\n`);
    assert.deepEqual(await findFlaskLimiter({ host: fakeHost(folder) }), {
      kind: 'found',
      python,
      version: pinned,
    });
  });
});

const requirements = await readFile(new URL('./schemathesis.txt', import.meta.url), 'utf8');
const schemathesisPinned = /^schemathesis==(\S+)$/m.exec(requirements)?.[1] ?? '';
const SAYS = `schemathesis, version ${schemathesisPinned}\n`;

describe('Schemathesis', () => {
  let folder = '';
  let python = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
    python = join(
      folder,
      'cache',
      'petstore-conformance',
      'schemathesis',
      schemathesisPinned,
      'bin',
      'python',
    );
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A python3 whose environments hold a `python` that says `text`. */
  const python3 = (text: string): Commands => ({
    python3: async (args) => {
      await program(join(args[2] ?? '', 'bin', 'python'), text);
      return ended('');
    },
  });

  it('in PATH comes first', async () => {
    const path = await program(join(folder, 'bin', 'st'), SAYS);
    await program(python, SAYS);
    const found = await findSchemathesis({ host: fakeHost(folder) });
    assert.deepEqual(found, { kind: 'found', command: path, args: [], version: schemathesisPinned });
  });

  it('in PATH with another major version is skipped for the one in the cache', async () => {
    await program(join(folder, 'bin', 'schemathesis'), 'schemathesis, version 3.39.1\n');
    await program(python, SAYS);
    const found = await findSchemathesis({ host: fakeHost(folder) });
    assert.deepEqual(found, {
      kind: 'found',
      command: python,
      args: ['-m', 'schemathesis.cli'],
      version: schemathesisPinned,
    });
  });

  it('is installed into an environment of its own, whole or not at all', async () => {
    const found = await findSchemathesis({ host: fakeHost(folder, python3(SAYS)), install: true });
    assert.ok(found.kind === 'found' && found.command === python);
    assert.deepEqual(await readdir(dirname(dirname(dirname(python)))), [schemathesisPinned]);
  });

  it('is put in place once by two who install it at once', async () => {
    const host = fakeHost(folder, python3(SAYS));
    const both = await Promise.all([1, 2].map(() => findSchemathesis({ host, install: true })));
    assert.deepEqual(
      both.map(({ kind }) => kind),
      ['found', 'found'],
    );
    assert.deepEqual(await readdir(dirname(dirname(dirname(python)))), [schemathesisPinned]);
  });

  it('that does not run in the cache is made anew', async () => {
    await program(python, 'No module named schemathesis');
    const found = await findSchemathesis({ host: fakeHost(folder, python3(SAYS)), install: true });
    assert.equal(found.kind, 'found');
  });

  it('without Python is missing, with every reason and one line that says what to do', async () => {
    const found = await findSchemathesis({ host: fakeHost(folder), install: true });
    assert.ok(found.kind === 'missing');
    assert.deepEqual(found.tried, [
      'neither schemathesis nor st is in PATH',
      'not in the tool cache',
      'venv: there is no such file or folder',
    ]);
    assert.deepEqual(await readdir(dirname(dirname(dirname(python)))), []);
  });
});
