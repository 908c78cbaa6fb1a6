import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ended, fakeHost, program } from '../evaluation/testing/k6/fake-host.ts';
import { FLASK_LIMITER_REQUIREMENTS, findFlaskLimiter } from './flask-limiter.ts';

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

  it('is installed into an environment of its own', async () => {
    const host = fakeHost(folder, {
      python3: async (args) => {
        await program(join(args[2] ?? '', 'bin', 'python'), `version ${pinned}\n`);
        return ended('');
      },
    });
    const found = await findFlaskLimiter({ host, install: true });
    assert.ok(found.kind === 'found' && found.python === python);
    assert.deepEqual(await readdir(dirname(dirname(dirname(python)))), [pinned]);
  });

  it('without Python is missing, with every reason and one line that says what to do', async () => {
    const found = await findFlaskLimiter({ host: fakeHost(folder), install: true });
    assert.ok(found.kind === 'missing');
    assert.deepEqual(found.tried, ['not in the tool cache', 'venv: there is no such file or folder']);
    assert.match(found.advice, /Install Python/);
  });
});
