import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScriptedReply } from '../../../evaluation/testing/suites/scripted-target.ts';
import { okReply, scriptedTarget } from '../../../evaluation/testing/suites/scripted-target.ts';
import { listRequest } from '../probes/category-requests.ts';
import { TargetLostError, Transport } from './transport.ts';

/** Sends one request for each reply of the script, one after another. */
function transportTo(...script: readonly ScriptedReply[]) {
  const { session, clock, received } = scriptedTarget(...script);
  const transport = new Transport(session);
  const send = () => clock.run(transport.send('a step', listRequest()));
  const sendAll = async (requests: number) => {
    for (let i = 0; i < requests; i += 1) await send();
  };
  return { send, sendAll, received };
}

const lost = (message: RegExp) => (error: unknown) =>
  error instanceof TargetLostError && message.test(error.message);

test('a request on a reused connection that was reset is sent again on a new one', async () => {
  const { sendAll, send, received } = transportTo(
    okReply(59),
    { noResponse: 'reset', fresh: false },
    okReply(58),
  );
  await sendAll(1);
  assert.equal((await send()).outcome.kind, 'answer');
  assert.deepEqual(
    received.map(({ request }) => request.route),
    ['kept', 'kept', 'new'],
  );
});

test('a request on a new connection that was reset is evidence, and is not sent again', async () => {
  const { sendAll, send, received } = transportTo(okReply(59), { noResponse: 'reset' });
  await sendAll(1);
  assert.equal((await send()).outcome.kind, 'no-response');
  assert.equal(received.length, 2);
});

for (const cause of ['refused', 'dns', 'tls'] as const) {
  test(`without a connection (${cause}) the run ends, at first and later`, async () => {
    await assert.rejects(transportTo({ noResponse: cause }).send(), lost(/could not be reached/));
    const later = transportTo(okReply(59), { noResponse: cause });
    await later.sendAll(1);
    await assert.rejects(later.send(), lost(/stopped answering at exchange 2/));
  });
}

const noResponse: ScriptedReply = { noResponse: 'timeout' };
const stalled: ScriptedReply = { status: 200, breaksOffAfter: 10_000 };
const brokenOff: ScriptedReply = { status: 200, breaksOffAfter: 9999 };

for (const [what, reply, message] of [
  [
    'requests without a response',
    noResponse,
    /^The target (is slow or out of reach|stopped answering at exchange 7): it was timeout\.( If|$)/,
  ],
  [
    'responses that never end',
    stalled,
    /(slow or out of reach|exchange 7): no complete answer.*the body did not end/,
  ],
] as const) {
  test(`three ${what} in a row end the run; two and a response do not; at first one does`, async () => {
    await assert.rejects(transportTo(reply).send(), lost(message));
    const later = transportTo(okReply(59), reply, reply, okReply(56), reply, reply, reply);
    await later.sendAll(6);
    await assert.rejects(later.send(), lost(message));
  });
}

test('responses that break off within ten seconds are evidence, and never end the run', async () => {
  const { sendAll, received } = transportTo(brokenOff, brokenOff, brokenOff, brokenOff);
  await sendAll(4);
  assert.equal(received.length, 4);
});

test('responses whose head no client reads end no run that got another one, and at first only one that got nothing else', async () => {
  const unread: ScriptedReply = { noResponse: 'malformed' };
  const more = Array.from({ length: 12 }, () => unread);
  const later = transportTo(unread, okReply(59), ...more);
  await later.sendAll(14);
  const { sendAll, send } = transportTo(...more);
  await sendAll(7);
  await assert.rejects(send(), lost(/could not be reached/));
});

test('requests that are sent together are checked like single ones', async () => {
  const { session, clock } = scriptedTarget(okReply(59), { noResponse: 'refused' });
  const transport = new Transport(session);
  await assert.rejects(
    clock.run(transport.sendTogether('a step', [listRequest(), listRequest()])),
    lost(/stopped answering/),
  );
});

const unavailable: ScriptedReply = { status: 503 };

test('a service that is unavailable from the start ends the run at the eighth response, and not after any other one', async () => {
  const { sendAll, send } = transportTo(...Array.from({ length: 8 }, () => unavailable));
  await sendAll(7);
  await assert.rejects(send(), lost(/unavailable: the first 8 requests returned 503/));
  const later = transportTo(okReply(59), ...Array.from({ length: 20 }, () => unavailable));
  await later.sendAll(21);
  assert.equal(later.received.length, 21);
});

test('responses to requests without a key alone do not show that the service is unavailable', async () => {
  const { session, clock } = scriptedTarget(...Array.from({ length: 20 }, () => unavailable));
  const transport = new Transport(session);
  const withoutKey = listRequest({ credential: { kind: 'none' } });
  for (let i = 0; i < 12; i += 1) await clock.run(transport.send('a step', withoutKey));
  await clock.run(transport.send('a step', listRequest()));
  await assert.rejects(clock.run(transport.send('a step', listRequest())), lost(/the first 14 requests/));
});
