import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScriptedReply } from '../../evaluation/testing/suites/scripted-target.ts';
import { scriptedTarget } from '../../evaluation/testing/suites/scripted-target.ts';
import { RUN } from '../../evaluation/testing/suites/synthetic.ts';
import { Pacer } from '../pacing/pacer.ts';
import { otherSpellings } from './other-spellings.ts';
import type { RunInputs } from './probe.ts';

const inputs: RunInputs = {
  tag: 'test',
  limits: RUN.limits,
  plan: 'free',
  otherKey: false,
  exhaustedKey: false,
  disposableKey: false,
  exclusiveKey: false,
  thorough: false,
  openapi: undefined,
  furtherPlans: [],
};
const planned = otherSpellings.cost(inputs, {
  withKey: 0,
  withOtherKeys: 0,
  unauthenticated: 0,
  categoriesCreated: 0,
});
const unauthorized: ScriptedReply = { status: 401 };
const limited: ScriptedReply = { status: 429, retryAfter: '3600' };

async function sent(...script: readonly ScriptedReply[]) {
  const target = scriptedTarget(...script);
  await target.clock.run(otherSpellings.run(new Pacer(target.session), inputs));
  return { requests: target.received.length, waits: target.waits(), notes: target.notes() };
}

const times = (n: number, reply: ScriptedReply): readonly ScriptedReply[] =>
  Array.from({ length: n }, () => reply);

test('it sends what it states, each with another step, and none with the valid key', async () => {
  const { received, session, clock } = scriptedTarget();
  await clock.run(otherSpellings.run(new Pacer(session), inputs));
  assert.equal(received.length, planned?.unauthenticated);
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
  const { requests, notes } = await sent(unauthorized, { noResponse: 'refused' });
  assert.equal(requests, 2);
  assert.match(notes[0] ?? '', /stopped answering/);
});

test('it stops after two requests in a row without a response', async () => {
  const { requests } = await sent(
    unauthorized,
    { noResponse: 'timeout' },
    unauthorized,
    { noResponse: 'timeout' },
    { noResponse: 'timeout' },
  );
  assert.equal(requests, 5);
});

test('it stops where the target answers ever more slowly', async () => {
  const { requests } = await sent(...times(100, { status: 401, breaksOffAfter: 9000 }));
  assert.ok(requests < 10);
});
