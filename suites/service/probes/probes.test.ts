import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { runInputs, virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { shows } from '../../../evaluation/testing/rate-limits/bursts.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import type { ScriptedReply } from '../../../evaluation/testing/suites/scripted-target.ts';
import { limitedReply, okReply, scriptedTarget } from '../../../evaluation/testing/suites/scripted-target.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { testRows } from '../../../evaluation/testing/suites/verdict-rows.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../../reference-server/catalogue/variants/index.ts';
import { composed } from '../../../reference-server/seams.ts';
import { loadPlans } from '../../../spec/plans.ts';
import { Evidence } from '../evidence/evidence.ts';
import type { JournalLine } from '../model/journal.ts';
import { Pacer } from '../pacing/pacer.ts';
import { ban } from './ban.ts';
import { clientChosenId, listRequest, nameForms, SHORTEST_NAME } from './category-requests.ts';
import { exhaustingOperation, exhaustQuota, remainingByTarget } from './exhaust-quota.ts';
import { otherCaller } from './other-callers.ts';
import { COOKIES_OF_TARGET, otherSpellings } from './other-spellings.ts';
import { preflight } from './preflight.ts';
import { recovery, refill } from './recovery.ts';
import { invalidBodies } from './valid-creation.ts';

test('a step of another probe does not compile', () => {
  const evidence = new Evidence(RUN, [RUN]);
  assert.deepEqual(evidence.step('ban', ban.steps.persist), []);
  // @ts-expect-error: this is a step of exhaust-quota.
  assert.deepEqual(evidence.step('ban', exhaustQuota.steps.oneByOne), []);
});

for (const [fault, method] of [
  ['creations-limited-with-one-remaining', 'POST'],
  ['creations-limited-without-headers', 'GET'],
] as const) {
  test(`after a 429 to a creation the next request is ${method}: ${fault}`, async () => {
    const { lines } = await virtualRun({ fault: findFault(fault) });
    const sent = edit.exchangesIn(lines, edit.asked(recovery.id));
    assert.deepEqual(
      sent.map(({ request }) => request.method),
      [method],
    );
  });
}

test('how fast the quota comes back is measured below a limit of requests in flight', async () => {
  const fault = findVariant('5-in-flight');
  const { lines } = await virtualRun({ fault, algorithm: 'fixed-window', exclusiveKey: true });
  const statuses = edit.exchangesIn(lines, edit.asked(refill.id)).map(statusOf);
  assert.ok(statuses.length > 0 && !statuses.includes(429));
});

test('where the run is locked out, nothing waits for requests without a valid key', async () => {
  const { lines } = await virtualRun({ fault: findVariant('failed-logins-locked-out') });
  const waits = lines.flatMap((line) => (line.kind === 'wait' ? [line.because] : []));
  assert.ok(waits.length > 0 && !waits.join().includes('without a valid key'));
});

test('where the key has to wait too long, the other caller is not asked again', async () => {
  const fault = composed(findVariant('penalty-of-an-hour'), findVariant('other-key-always-exhausted'));
  const { lines } = await virtualRun({ fault });
  const others = edit.exchangesIn(lines, ({ caller }) => caller === 'other');
  assert.deepEqual(
    others.map(({ probe }) => probe),
    [otherCaller.id],
  );
});

/** The quota came back early, though not in full, so it is measured how fast a bucket fills. */
for (const [what, measuring, requests] of [
  ['a single request', [okReply(55), limitedReply('9')], 2],
  ['one of several at the same time', [okReply(59), okReply(58), limitedReply('9')], 12],
] as const) {
  test(`a 429 to ${what} ends what measures a bucket`, async () => {
    const { session, clock, received } = scriptedTarget(okReply(59), okReply(50), ...measuring);
    const pacer = new Pacer(session, RUN.limits);
    session.beginProbe(preflight.id);
    await clock.run(pacer.sendWithKeyNow(preflight.steps.baseline, listRequest()));
    session.beginProbe(recovery.id);
    await clock.run(pacer.sendWithKeyNow(recovery.steps.afterRetryAfter, listRequest()));
    session.beginProbe(refill.id);
    await clock.run(refill.run(pacer));
    assert.equal(received.length, 2 + requests);
  });
}

const { lines: cookieLines } = await virtualRun({ fault: findVariant('cookies-without-effect') });
const cookies = edit.asked(otherSpellings.id, COOKIES_OF_TARGET);

test('the cookies of the target are sent back, and recorded by their names', () => {
  const [sent] = edit.exchangesIn(cookieLines, cookies);
  assert.deepEqual(
    sent?.request.headers.find(([name]) => name === 'Cookie'),
    ['Cookie', 'node=[not recorded 3]; session=[not recorded 4]'],
  );
});

testRows(
  cookieLines,
  edit.rowsOf('AUTH-4', {
    '401': edit.pass(edit.unchanged),
    '403': edit.pass(edit.at(cookies, edit.status(403))),
    '429': edit.pass(edit.at(cookies, edit.limited)),
    'the list': edit.fail(edit.at(cookies, edit.status(200), edit.responseBody([]))),
  }),
);

const WHATS = [
  'full-1',
  'name-alone',
  'own-id-1',
  'own-id-2',
  ...invalidBodies.map((_, i) => `bad-${i + 1}`),
];
const TAGS = Array.from({ length: 300 }, (_, n) => `tag${n}`);

test('names of every form differ within a run and between runs, and none is too short to be recognized', () => {
  for (const form of [0, 1, 2, 3]) {
    const names = TAGS.flatMap((tag) => WHATS.map((what) => nameForms({ tag })[form]?.write(what) ?? ''));
    // Six letters: of thousands of names hardly two are the same.
    assert.ok(names.length - new Set(names).size <= 1);
    assert.ok(names.every((name) => name.length >= SHORTEST_NAME));
  }
});

test('the plainest names are letters alone, and no first name is longer than 22 characters', () => {
  for (const what of WHATS) {
    const [first, plain, twoWords, capital] = nameForms({ tag: 'abcdefgh' }).map((form) => form.write(what));
    assert.match(first ?? '', /^pc-abcdefgh-[a-z0-9-]{1,10}$/);
    assert.match(plain ?? '', /^pc[a-z]{6}$/);
    assert.match(twoWords ?? '', /^Pet [A-Z][a-z]{5}$/);
    assert.match(capital ?? '', /^Pc[a-z]{6}$/);
  }
});

test('a pattern of the user gives names that differ in its placeholder', () => {
  for (const [placeholder, form] of Object.entries({
    id: '[a-z]{6}',
    ID: '[A-Z]{6}',
    number: '[1-9][0-9]{7}',
  })) {
    const [first] = nameForms({ tag: 'abcdefgh', namePattern: `Pet {${placeholder}} {` });
    assert.match(first.write('full-1'), new RegExp(`^Pet ${form} \\{$`));
    assert.notEqual(first.write('full-1'), first.write('full-2'));
  }
});

test('the id that no service assigns by itself fits into 32 bits', () => {
  for (const tag of TAGS) {
    const id = clientChosenId(tag);
    assert.ok(Number.isSafeInteger(id) && id >= 10 ** 9 && id < 2 ** 31);
  }
});

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

const rests = (lines: readonly JournalLine[]): number =>
  lines.filter((line) => line.kind === 'wait' && line.because.startsWith('Remaining after a pause')).length;
const statusesWhileExhausting = (lines: readonly JournalLine[]) =>
  edit.exchangesIn(lines, edit.asked(exhaustQuota.id)).map(statusOf);
const keyedIn = (lines: readonly JournalLine[]): number =>
  edit.exchangesIn(lines, ({ caller }) => caller === 'key').length;

test('the key rests once before the end of a window, and sends no more requests for it', async () => {
  for (const plan of ['free', 'pro']) {
    const { lines, plan: planned } = await virtualRun({ plan });
    assert.equal(rests(lines), 1);
    assert.equal(statusesWhileExhausting(lines).filter((status) => status === 429).length, 1);
    assert.ok(keyedIn(lines) <= planned.total.withKey);
  }
});

test('where the window started anew meanwhile it rests again, until the limit is proven not to hold', async () => {
  const { lines, record } = await virtualRun({ fault: findFault('window-forgotten-after-a-second') });
  assert.equal(rests(lines), 2);
  assert.ok(!statusesWhileExhausting(lines).includes(429));
  assert.match(
    record.requirements.find(({ id }) => id === 'RATE-7')?.because ?? '',
    /higher than any window or bucket could restore/,
  );
});

test('it does not rest where the window ends earlier', async () => {
  const { lines } = await virtualRun({ fault: findFault('window-of-a-second') });
  assert.equal(rests(lines), 0);
});

test('where the day ends right before the quota is exhausted, the key sends nothing after the 429', async () => {
  const limits = { perMinute: 60, perDay: 55 };
  // So slow that the probe starts over with a list and a creation, of which the second one is one too many.
  const network = { there: () => 400, back: () => 400 };
  const plans = { ...loadPlans(), plans: { ...loadPlans().plans, free: limits } };
  const { lines } = await virtualRun({ plans, network });
  assert.deepEqual(statusesWhileExhausting(lines), [200, 200, 429]);
  assert.equal(keyedIn(lines), limits.perDay - 1);
});

test('of requests that were under way at the same time the least Remaining counts', () => {
  const run = new Synthesis().add(shows(0, 5, 30), shows(10, 20, 27), shows(11, 20, 28), shows(12, 20, 29));
  assert.equal(remainingByTarget(run.exchanges, 60), 27);
});

test('of requests one after another the last Remaining counts, also where it rose', () => {
  const run = new Synthesis().add(shows(0, 5, 3)).add(shows(10, 5, 59));
  assert.equal(remainingByTarget(run.exchanges, 60), 59);
  assert.equal(remainingByTarget(run.exchanges, 300), undefined);
  assert.equal(remainingByTarget([], 60), undefined);
});

/** The method and status of every single request of the probe, and of the recovery. */
async function tailOf(run: VirtualRun) {
  const { lines, plan } = await virtualRun(run);
  const exchanges = edit.exchangesIn(lines);
  const of = (probe: string): readonly string[] =>
    exchanges
      .filter((one) => one.probe === probe && one.step !== exhaustQuota.steps.parallel)
      .map((one) => `${one.request.method} ${statusOf(one)}`);
  const created = exchanges.filter((one) => one.request.method === 'POST' && statusOf(one) === 201).length;
  return {
    tail: of(exhaustQuota.id),
    after: of(recovery.id),
    created,
    keyed: keyedIn(lines),
    planned: plan.total,
  };
}

/** Accepted lists and creations in turn, from a list on. */
const inTurn = (...requests: number[]): readonly string[] =>
  requests.map((n) => (n % 2 === 1 ? 'GET 200' : 'POST 201'));

test('the end of a quota alternates, exceeds the limit with one creation, and recovers with a list', async () => {
  const { tail, after, keyed } = await tailOf({});
  assert.deepEqual(tail, [...inTurn(1, 2, 3, 4, 5, 6, 7), 'POST 429']);
  assert.deepEqual(after, ['GET 200']);
  assert.equal(keyed + 2, 62, 'two more have presentations that are the key’s or nobody’s');
});

test('small and large limits end with a creation, and stay within the planned cost', async () => {
  for (const perMinute of [3, 4, 5, 7, 10, 59, 61, 300, 1000]) {
    const real = loadPlans();
    const plans = { ...real, plans: { ...real.plans, free: { perMinute, perDay: 100_000 } } };
    const { tail, created, keyed, planned } = await tailOf({ plans });
    assert.equal(tail.at(-1), 'POST 429', String(perMinute));
    assert.ok(tail.filter((one) => one.endsWith('429')).length === 1, String(perMinute));
    assert.ok(
      created <= planned.categoriesCreated,
      `${perMinute}: ${created} of ${planned.categoriesCreated}`,
    );
    assert.ok(keyed <= planned.withKey, `${perMinute}: ${keyed} of ${planned.withKey}`);
  }
});

test('where no further category can be created the end consists of lists', async () => {
  const { tail } = await tailOf({ fault: findVariant('two-categories-at-most') });
  assert.deepEqual(tail.slice(-3), ['GET 200', 'GET 200', 'GET 429']);
  // A window of its own, because the names that were tried used part of the first one; it begins with a creation, too.
  assert.deepEqual(tail.slice(0, 3), ['GET 200', 'GET 200', 'POST 409']);
  assert.equal(tail.slice(3).filter((one) => one === 'POST 409').length, 1);
  const { tail: none } = await tailOf({ fault: findVariant('twelve-categories-at-most') });
  assert.equal(none.filter((one) => one === 'POST 403').length, 1);
  assert.equal(none.at(-1), 'GET 429');
});

/** The operation after these requests, with their durations in milliseconds. */
function chosenAfter(...requests: readonly (readonly [milliseconds: number, staged: StagedExchange])[]) {
  const run = new Synthesis();
  let sent = 0;
  for (const [milliseconds, staged] of requests) {
    run.add({ sent, received: sent + milliseconds, ...staged });
    sent += milliseconds + 1;
  }
  return exhaustingOperation(run.exchanges, RUN.limits);
}

const list: StagedExchange = {};
const creation: StagedExchange = { method: 'POST', status: 201, body: '{}' };
const orders: StagedExchange = { path: '/store/orders' };

test('the list exhausts a quota while a window holds one', () => {
  assert.equal(chosenAfter(), 'list');
  assert.equal(chosenAfter([400, list], [1, orders], [1, creation]), 'list');
});

test('where lists take too long, a named operation that is accepted does, else a creation', () => {
  assert.equal(chosenAfter([3000, list], [20, orders], [20, creation]), '/store/orders');
  assert.equal(chosenAfter([3000, list], [20, { ...orders, status: 501 }], [20, creation]), 'creation');
  assert.equal(chosenAfter([3000, list], [20, { ...creation, status: 400 }]), 'list');
});

test('an operation that is hardly quicker is not used', () => {
  assert.equal(chosenAfter([3000, list], [2000, orders], [2000, creation]), 'list');
});
