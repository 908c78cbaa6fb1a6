import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scripted } from '../../../evaluation/testing/clients/scripted.ts';
import { HEAD, scripted, untilTrue } from '../../../evaluation/testing/clients/scripted.ts';

async function connected(t: TestContext): Promise<{ readonly service: Scripted; readonly socket: Socket }> {
  const service = await scripted(t, { kind: 'sequence', replies: [{ kind: 'served' }] });
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(HEAD);
  return { service, socket };
}

/** The lines of a service once there are so many, and nothing more is under way. */
async function kindsOf({ lines }: Scripted, least: number): Promise<readonly string[]> {
  await untilTrue(() => lines.length >= least);
  await delay(100);
  return lines.map(({ kind }) => kind);
}

/** A client in a process of its own that gives its request up after 0.3 s. */
const impatient = ({ port }: Scripted) =>
  spawn(process.execPath, [
    '--eval',
    `const socket = require('node:net').connect(${port}, '127.0.0.1', () => socket.write(${JSON.stringify(HEAD)}));
    setTimeout(() => socket.destroy(), 300);`,
  ]);

test('a client that gives up before it reads its response resets the connection', async (t) => {
  const { service, socket } = await connected(t);
  // Paused: the response arrives at this host, and the program does not read it.
  socket.pause();
  await untilTrue(() => service.lines.length === 2);
  await delay(50);
  socket.destroy();
  assert.deepEqual(await kindsOf(service, 3), ['arrival', 'response', 'reset']);
  assert.equal(service.lines.at(-1)?.n, 1);
});

test('a client that reads its response and closes its connection resets nothing', async (t) => {
  const { service, socket } = await connected(t);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  assert.deepEqual(await kindsOf(service, 2), ['arrival', 'response']);
});

test('a client that gave up while this program did not run gets no response', async (t) => {
  const service = await scripted(t, {
    kind: 'sequence',
    replies: [{ kind: 'rate-limited', retryAfter: { form: 'seconds', seconds: 1 }, heldSeconds: 0.2 }],
  });
  const exited = once(impatient(service), 'exit');
  await untilTrue(() => service.lines.length > 0);
  // This program sleeps beyond the moments at which the client gives up and at which the 429 is due.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
  assert.deepEqual(await kindsOf(service, 1), ['arrival']);
  await exited;
});

test('a client that gives up while its response is being written resets the connection', async (t) => {
  // This program sleeps between the line of the response and its first byte, and the client gives up meanwhile.
  const onRecord: (line: Scripted['lines'][number]) => void = ({ kind }) => {
    if (kind === 'response') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
  };
  const service = await scripted(t, { kind: 'sequence', replies: [{ kind: 'served' }] }, { onRecord });
  const exited = once(impatient(service), 'exit');
  assert.deepEqual(await kindsOf(service, 3), ['arrival', 'response', 'reset']);
  await exited;
});

test('a client that has sent something further has read what was answered before', async (t) => {
  const { service, socket } = await connected(t);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.write(HEAD.slice(0, -2));
  await delay(50);
  socket.write('\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  socket.resetAndDestroy();
  assert.deepEqual(await kindsOf(service, 5), ['arrival', 'response', 'arrival', 'response', 'reset']);
  assert.equal(service.lines.at(-1)?.n, 2);
});
