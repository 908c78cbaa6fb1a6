import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceivedRequest, ScriptedReply } from '../../../evaluation/testing/suites/scripted-target.ts';
import { limitedReply, okReply, scriptedTarget } from '../../../evaluation/testing/suites/scripted-target.ts';
import { RUN } from '../../../evaluation/testing/suites/synthetic.ts';
import { listRequest, unauthenticatedList } from '../probes/category-requests.ts';
import { Pacer } from './pacer.ts';
import { TargetLostError, Transport } from './transport.ts';

/** A pacer before a target that follows this script. */
function paced(...script: readonly ScriptedReply[]) {
  const target = scriptedTarget(...script);
  return { ...target, pacer: new Pacer(target.session, RUN.limits) };
}

const gap = (received: readonly ReceivedRequest[], n: number): number =>
  (received[n]?.at ?? Number.NaN) - (received[n - 1]?.at ?? Number.NaN);

test('after a 429 it waits as Retry-After says, in seconds or until a date', async () => {
  // Simulated time begins a quarter of a second after a full second, so this date lies 29.75 s ahead.
  const date = new Date(Date.UTC(2026, 10, 21, 10, 0, 37)).toUTCString();
  for (const [retryAfter, least] of [
    ['7', 7000],
    ['0', 0],
    [date, 29_750],
    [undefined, 60_000],
  ] as const) {
    const { pacer, clock, received } = paced(limitedReply(retryAfter));
    await clock.run(pacer.sendWithKey('first', listRequest()));
    assert.equal(pacer.isRateLimited, true);
    await clock.run(pacer.sendWithKey('second', listRequest()));
    assert.ok(
      gap(received, 1) >= least && gap(received, 1) <= least + 1100,
      `${retryAfter}: ${gap(received, 1)} ms`,
    );
    assert.equal(pacer.isRateLimited, false);
  }
});

test('a request whose failure may pass is sent once more, and not a third time', async () => {
  for (const [script, requests] of [
    [[{ status: 503 }, okReply(58)], 2],
    [[{ status: 502 }, { status: 504 }, okReply(58)], 2],
    [[{ status: 500 }, { status: 500 }, okReply(58)], 2],
    [[{ status: 408 }, okReply(58)], 2],
    [[{ status: 521 }, okReply(58)], 2],
    [[{ status: 501 }, okReply(58)], 1],
  ] as const) {
    const { pacer, clock, received } = paced(...script);
    await clock.run(pacer.sendWithKeyAndRetry('first', listRequest()));
    assert.equal(received.length, requests);
  }
});

test('a request without a key is sent once more after 503 and after a short wait, and not after a longer one', async () => {
  const past = new Date(Date.UTC(2026, 10, 21, 9, 59, 0)).toUTCString();
  for (const [reply, least] of [
    [{ status: 503 }, 0],
    [{ status: 500 }, 0],
    [limitedReply('2'), 2000],
    [limitedReply('3'), undefined],
    [limitedReply(past), 0],
    [limitedReply(), undefined],
    [okReply(59), undefined],
  ] as const) {
    const { pacer, clock, received } = paced(reply);
    await clock.run(pacer.sendOutsideQuotaAndRetry('first', unauthenticatedList()));
    assert.equal(received.length, least === undefined ? 1 : 2);
    if (least !== undefined) assert.ok(gap(received, 1) >= least && gap(received, 1) < least + 100);
  }
});

test('only one request of a batch follows a 429, and the others wait for its response', async () => {
  const { pacer, clock, received } = paced(limitedReply('5'), limitedReply('5'), okReply(50));
  await clock.run(pacer.sendWithKey('first', listRequest()));
  const paths = ['/one', '/two', '/three'];
  const requests = paths.map((path) => listRequest({ path }));
  const batch = async () => {
    const sent = await clock.run(pacer.sendBatchWithKey('batch', requests));
    return sent.map(({ request }) => request.target.slice('/v1'.length));
  };
  assert.deepEqual(await batch(), ['/one']);
  assert.equal(received.length, 2);
  assert.deepEqual(await batch(), paths);
  assert.equal(received.length, 5);
  assert.ok(gap(received, 1) >= 5000 && gap(received, 2) >= 5000);
  assert.ok(gap(received, 3) < 100 && gap(received, 4) === 0);
});

test('a wait of more than three windows is reported, and nothing more is sent', async () => {
  const longest = paced(limitedReply('180'));
  for (let i = 0; i < 2; i += 1) await longest.clock.run(longest.pacer.sendWithKey('list', listRequest()));
  assert.equal(longest.received.length, 2);
  const { pacer, clock, received, notes, waits } = paced(limitedReply('181'));
  await clock.run(pacer.sendWithKey('first', listRequest()));
  assert.equal(await clock.run(pacer.sendWithKey('second', listRequest())), undefined);
  assert.equal(await clock.run(pacer.sendWithKey('third', listRequest())), undefined);
  assert.equal(received.length, 1);
  assert.deepEqual(waits(), []);
  assert.match(
    notes().join(),
    /^Retry-After asks for 181 s\. This run waits for at most 180 s, so it sent nothing more/,
  );
});

test('three 429 responses in a row, each after its wait, stop the use of the key', async () => {
  const { pacer, clock, received, notes } = paced(limitedReply('1'), limitedReply('1'), limitedReply('1'));
  for (let i = 0; i < 5; i += 1) await clock.run(pacer.sendWithKey(`request ${i}`, listRequest()));
  assert.equal(received.length, 3);
  assert.equal(notes().length, 1);
  assert.match(notes().join(), /got a 429 3 times in a row/);
  assert.equal(pacer.isKeyStopped, true);
});

test('a success in the same batch as a 429 does not shorten the second wait', async () => {
  const { pacer, clock, received } = paced(limitedReply('1'), okReply(0), limitedReply('0'), okReply(59));
  await clock.run(
    pacer.sendBatchWithKeyNow('many', [
      listRequest({ route: 'parallel-1' }),
      listRequest({ route: 'parallel-2' }),
    ]),
  );
  await clock.run(pacer.sendWithKey('after it', listRequest()));
  await clock.run(pacer.sendWithKey('after the second', listRequest()));
  assert.ok(gap(received, 3) >= 1000, `the second wait was ${gap(received, 3)} ms`);
});

test('it leaves the key idle for a window before the limit is reached', async () => {
  const { pacer, clock, received, waits } = paced(okReply(59), okReply(1));
  await clock.run(pacer.sendWithKey('first', listRequest()));
  await clock.run(pacer.sendWithKey('second', listRequest()));
  await clock.run(pacer.sendWithKey('third', listRequest()));
  assert.deepEqual(waits(), [62]);
  assert.ok(gap(received, 2) >= 62_000);
});

test('a key that was stopped by 429 responses is used again after a rest; a stop by a probe is final', async () => {
  const { pacer, clock, received } = paced(
    limitedReply('1'),
    limitedReply('1'),
    limitedReply('1'),
    okReply(59),
  );
  for (let i = 0; i < 4; i += 1) await clock.run(pacer.sendWithKey(`request ${i}`, listRequest()));
  pacer.resumeKey();
  await clock.run(pacer.leaveKeyIdle(2, 'a rest'));
  assert.notEqual(await clock.run(pacer.sendWithKey('after the rest', listRequest())), undefined);
  assert.ok(gap(received, 3) >= 120_000);

  const stopped = paced();
  stopped.pacer.stopUsingKey('The key is not valid.');
  stopped.pacer.resumeKey();
  assert.equal(await stopped.clock.run(stopped.pacer.sendWithKey('first', listRequest())), undefined);
  assert.deepEqual(stopped.notes(), ['The key is not valid.']);
});

test('a rest lasts as long as a 429 asks for, and is none where that is too long or the key is stopped', async () => {
  for (const [retryAfter, windows, rests] of [
    ['150', 1, [150]],
    ['150', 3, [182]],
    ['181', 1, []],
  ] as const) {
    const { pacer, clock, waits } = paced(limitedReply(retryAfter));
    await clock.run(pacer.sendWithKey('first', listRequest()));
    for (const _ of [1, 2])
      assert.equal(await clock.run(pacer.leaveKeyIdle(windows, 'a rest')), rests.length > 0);
    assert.deepEqual(waits().map(Math.round).slice(0, 1), rests);
    assert.equal(pacer.isKeyStopped, rests.length === 0);
  }
});

test('where nothing is answered any more after a rejected key, the run goes on without the key; otherwise it ends', async () => {
  const noResponse = [
    { noResponse: 'timeout' },
    { noResponse: 'timeout' },
    { noResponse: 'timeout' },
  ] as const;
  for (const [rejected, isKeyStopped] of [
    [[], false],
    [[{ status: 401 }], true],
  ] as const) {
    const { pacer, clock, session } = paced({ status: 401 }, okReply(59), ...rejected, ...noResponse);
    const withoutKey = () => clock.run(pacer.sendOutsideQuota('without a key', unauthenticatedList()));
    const withKey = () => clock.run(pacer.sendWithKeyNow('with the key', listRequest()));
    await withoutKey();
    await withKey();
    for (const _ of rejected) await withoutKey();
    await withKey();
    await withKey();
    if (isKeyStopped) await withKey();
    else await assert.rejects(withKey(), { name: 'TargetLostError' });
    assert.equal(pacer.isKeyStopped, isKeyStopped);
    assert.equal(session.exchanges.length, 5 + rejected.length);
  }
});

test('an even pace leaves a little of the limit unused, and waits after a 429', async () => {
  const { pacer, clock, received, waits } = paced(okReply(59), okReply(59), okReply(59), limitedReply('7'));
  const send = (count: number) =>
    clock.run(
      pacer.sendAtPace(
        'pace',
        Array.from({ length: count }, () => listRequest()),
      ),
    );
  await send(1);
  await send(2);
  await send(1);
  assert.equal(gap(received, 1), 1050);
  assert.equal(gap(received, 3), 2100, 'two at the same time count for two intervals');
  assert.deepEqual(waits(), [], 'the journal needs no line for the pace');
  await send(1);
  assert.ok(gap(received, 4) >= 7000);
});

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
