import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInputs } from '../../../evaluation/simulation/virtual-run.ts';
import type { ScriptedReply } from '../../../evaluation/testing/suites/scripted-target.ts';
import { limitedReply, scriptedTarget } from '../../../evaluation/testing/suites/scripted-target.ts';
import { RUN } from '../../../evaluation/testing/suites/synthetic.ts';
import { Pacer } from '../pacing/pacer.ts';
import { otherSpellings } from './other-spellings.ts';

const inputs = runInputs({ tag: 'test' });
const planned = otherSpellings.cost();
const unauthorized: ScriptedReply = { status: 401 };
const limited = limitedReply('3600');

async function sent(...script: readonly ScriptedReply[]) {
  const target = scriptedTarget(...script);
  await target.clock.run(otherSpellings.run(new Pacer(target.session, RUN.limits), inputs));
  return { requests: target.received.length, waits: target.waits(), notes: target.notes() };
}

const times = (n: number, reply: ScriptedReply): readonly ScriptedReply[] =>
  Array.from({ length: n }, () => reply);

test('it sends what it states, each with another step, and none with the valid key', async () => {
  const { received, session, clock } = scriptedTarget();
  await clock.run(otherSpellings.run(new Pacer(session, RUN.limits), inputs));
  assert.equal(received.length, planned.unauthenticated);
  assert.equal(new Set(session.exchanges.map(({ step }) => step)).size, received.length);
  for (const { request } of received)
    assert.ok(
      !request.headers.some(
        ([name, value]) => name === 'Authorization' && value === 'Bearer the-key-of-the-pacer',
      ),
    );
  for (const { caller } of session.exchanges) assert.equal(caller, 'unauthenticated');
});

test('it waits for two windows at most where the target answers 429, whatever Retry-After asks for', async () => {
  const script = [...times(10, unauthorized), limited, ...times(10, unauthorized), limited];
  const { requests, waits, notes } = await sent(...script, ...times(10, unauthorized), limited, unauthorized);
  assert.equal(requests, 33);
  assert.deepEqual(waits, [60, 60]);
  assert.deepEqual(notes, [
    'Not all requests without a valid key were sent, because the target answered 429 to them.',
  ]);
});

test('it waits once where the 429 stays', async () => {
  const { requests, waits } = await sent(limited, limited, unauthorized);
  assert.equal(requests, 2);
  assert.deepEqual(waits, [60]);
});

test('it stops where the target refuses the connection, and the run goes on', async () => {
  const { requests, notes } = await sent(unauthorized, ...times(3, { noResponse: 'refused' }));
  assert.equal(requests, 4);
  assert.match(notes[0] ?? '', /no longer answered/);
});

test('it goes on after a lost response, and stops where the list without a key gets none, either', async () => {
  const { requests } = await sent(
    unauthorized,
    { noResponse: 'timeout' },
    unauthorized,
    ...times(3, { noResponse: 'timeout' }),
  );
  assert.equal(requests, 6);
});

test('it stops where the list without a key, which got 401, gets 403, and tries the key once', async () => {
  const first = [unauthorized, unauthorized, { status: 403 }] as const;
  const { requests, notes } = await sent(
    { status: 403 },
    unauthorized,
    ...first,
    ...times(9, { status: 403 }),
  );
  assert.equal(requests, 7);
  assert.match(notes[0] ?? '', /locked out the run, so it sent nothing more with the key/);
});

test('it stops where the target answers ever more slowly', async () => {
  const { requests } = await sent(...times(100, { status: 401, breaksOffAfter: 9000 }));
  assert.ok(requests < 10);
});
