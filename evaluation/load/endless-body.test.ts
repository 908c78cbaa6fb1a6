import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runK6 } from '../../load/run/k6-process.ts';
import { rawServer } from '../testing/suites/raw-server.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { briefLimits, k6ProcessOf, loadJobFor } from './real-load.ts';

const PIECE = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1 << 20, ' '), Buffer.from('\r\n')]);

/** Answers 200 with a list that does not end, as fast as it is read. */
function answerWithoutEnd(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n');
  const send = (): void => {
    while (!socket.destroyed && socket.write(PIECE));
  };
  socket.on('drain', send);
  send();
}

test('a body without an end: k6 is ended before it fills the memory, and the report says why', {
  skip: withoutK6,
}, async (t) => {
  await using server = await rawServer(answerWithoutEnd);
  const folder = mkdtempSync(join(tmpdir(), 'petstore-load-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const keys = { key: 'key-1', other: 'key-2', disposable: 'key-3' };
  const job = loadJobFor(server.baseUrl.href, {
    ...{ profile: 'smoke', limits: briefLimits, fleet: 1, keys, folder },
  });
  const { ended } = await runK6(job, k6ProcessOf({ mostBytes: 500e6 }));
  assert.equal(ended.how, 'failed');
  assert.match(ended.because, /^k6 used more than 500 MB of memory and was ended/);
});
