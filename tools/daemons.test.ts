import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fakeHost, program } from '../evaluation/testing/tools/fake-host.ts';
import { findDaemon } from './daemons.ts';

describe('a server of Debian', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daemon-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const redis = () => program(join(folder, 'bin', 'redis-server'), 'Redis server v=7.0.15 sha=00000000:0\n');

  it('is found on PATH, and says its version', async () => {
    const path = await redis();
    assert.deepEqual(await findDaemon('redis-server', { host: fakeHost(folder) }), {
      kind: 'found',
      path,
      version: '7.0.15',
    });
  });

  it('that does not start is missing, with the reason', async () => {
    await program(join(folder, 'bin', 'redis-server'), 'cannot open shared object file');
    const found = await findDaemon('redis-server', { host: fakeHost(folder) });
    assert.ok(found.kind === 'missing' && found.tried.length === 1);
    assert.match(found.advice, /Install redis-server/);
  });
});
