import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { shows } from '../../../evaluation/testing/rate-limits/bursts.ts';
import { asked, exchangesIn } from '../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../../reference-server/catalogue/variants/index.ts';
import { loadPlans } from '../../../spec/plans.ts';
import type { JournalLine } from '../model/journal.ts';
import { exhaustingOperation, exhaustQuota, remainingByTarget } from './exhaust-quota.ts';
import { recovery } from './recovery.ts';

const rests = (lines: readonly JournalLine[]): number =>
  lines.filter((line) => line.kind === 'wait' && line.because.startsWith('Remaining after a pause')).length;
const statusesWhileExhausting = (lines: readonly JournalLine[]) =>
  exchangesIn(lines, asked(exhaustQuota.id)).map(statusOf);
const keyedIn = (lines: readonly JournalLine[]): number =>
  exchangesIn(lines, ({ caller }) => caller === 'key').length;

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
  const exchanges = exchangesIn(lines);
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
