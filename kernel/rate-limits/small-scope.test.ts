import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock, Trace } from '../../evaluation/testing/rate-limits/small-scope.ts';
import {
  acceptedBetween,
  clocksOf,
  laterReset,
  limitsOf,
  moreAfter,
  traceOf,
  tracesIn,
  tracesOf,
  without,
} from '../../evaluation/testing/rate-limits/small-scope.ts';
import { limitersOf } from '../../evaluation/testing/suites/limiters.ts';
import { sampleOf } from '../../tools/sample.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { isRateLimited } from '../exchanges/outcome-kinds.ts';
import { causeOf429 } from './attribution.ts';
import { advertisedBeyondOneReset, beyondOneReset } from './bounds/one-reset.ts';
import {
  beyondLimitBeforeRefill,
  beyondLimitPlusRefill,
  beyondLimitWithoutRefill,
  beyondTwiceTheLimit,
  firstOverrun,
} from './bounds/overrun.ts';
import type { Stretch } from './bounds/refill.ts';
import {
  findJumpWithinOneReset,
  findMiscount,
  fullBeforeReset,
  refilledTooOften,
  stretchesOf,
} from './bounds/refill.ts';
import { acceptedBetween429s } from './bounds/windows.ts';
import type { Quota } from './quota.ts';
import type { Transition } from './series.ts';
import { beforeFirst429, exchangesOf, isJump, transitionsBefore429 } from './series.ts';

// Every conforming limiter meets every schedule of six requests, in a week all of them, at small limits and windows, and
// no bound refutes what it shows. SMALL_SCOPE=1 judges every trace (of the week with TEST_SAMPLE=all); without it, one of so many.
const STRIDE = process.env['SMALL_SCOPE'] === undefined ? 8 : 1;

/** The bounds that judge the requests of one window: from the first reading to the last, without a jump. */
const ofOneWindow =
  (
    bound: (
      read: readonly Exchange[],
      changes: readonly Transition[],
      stretches: readonly Stretch[],
      quota: Quota,
    ) => unknown,
  ) =>
  ({ series, quota }: Trace): unknown => {
    const changes = transitionsBefore429(series, quota.limit);
    const last = changes.at(-1)?.to.exchange.sent.mono;
    if (
      last === undefined ||
      series[0]?.reading === undefined ||
      changes.some((change) => isJump(change, quota))
    )
      return undefined;
    const read = exchangesOf(beforeFirst429(series)).filter(({ sent }) => sent.mono <= last);
    const found = bound(read, changes, stretchesOf(changes), quota);
    return found === 'open' ? undefined : found;
  };

/** Every bound, and by how many requests more than a conforming limiter accepts it is exceeded at the least. */
const BOUNDS: Readonly<Record<string, (trace: Trace) => unknown>> = {
  'Twice the limit': ({ served, quota }) => beyondTwiceTheLimit(served, quota),
  'The limit plus refill': ofOneWindow((read, _, stretches, quota) =>
    beyondLimitPlusRefill(read, stretches, quota),
  ),
  'Exactly the limit, before refill': ofOneWindow((read, _, stretches, quota) =>
    beyondLimitBeforeRefill(read, stretches, quota),
  ),
  'Exactly the limit, without refill': ofOneWindow((read, changes, _, quota) =>
    beyondLimitWithoutRefill(read, changes, quota),
  ),
  'All bounds on accepted requests': ({ series, limits }) => firstOverrun(series, limits),
  'One announced Reset': ({ exchanges, quota }) => beyondOneReset(exchanges, quota),
  'One announced Reset, announced quota': ({ exchanges, quota }) =>
    advertisedBeyondOneReset(exchanges, quota),
  'A jump that is no new window': ({ series, quota }) => findJumpWithinOneReset(series, quota),
  'Full before Reset': ({ series, quota }) => fullBeforeReset(series, quota),
  'Between two 429 responses': ({ exchanges, quota }) => acceptedBetween429s(exchanges, () => true, quota),
  'Impossible gain': ({ series, quota }) => findMiscount(series, quota),
  'Impossible gain among parallel requests': ({ series, quota }) => refilledTooOften(series, quota),
  'A 429 that no conforming limiter sends': ({ exchanges, series, limits }) =>
    exchanges.find(
      (one) => isRateLimited(one) && causeOf429({ exchanges, series: [series] }, one, limits) === 'target',
    ),
};

/** A schedule in short: the seconds before each batch, and its size. */
const stepsIn = (schedule: string) =>
  schedule.split(' ').map((step) => ({ gap: Number(step[0]), size: Number(step[2]) }));

const refutes = (bound: string, trace: Trace): boolean => BOUNDS[bound]?.(trace) !== undefined;

const scopes = [6000, 12_000].flatMap((window) => [2, 3, 4].map((limit) => ({ window, limit })));

for (const { window, limit } of sampleOf(scopes))
  test(`no bound refutes a conforming limiter of ${limit} in ${window / 1000} s`, () => {
    let seen = 0;
    for (const [limiter, trace] of tracesIn(limit, window)) {
      seen += 1;
      if (seen % STRIDE !== 0) continue;
      const clocks = STRIDE === 1 ? clocksOf(window) : [clocksOf(window)[seen % 4] as Clock];
      for (const clock of clocks) {
        const one = traceOf(trace, limitsOf(limit, window), clock);
        const found = Object.keys(BOUNDS).find((bound) => refutes(bound, one));
        if (found !== undefined) assert.fail(`${found}: ${limiter.name} ${JSON.stringify(trace)}`);
      }
    }
    assert.ok(seen > 10_000);
  });

test('a counter whose Reset is a window ahead gives back fractions that Remaining does not show', () => {
  const limiter = limitersOf(3, 6000).find(({ name }) => name === 'sliding counter at 1000');
  const trace = limiter && tracesOf(limiter, stepsIn('0x1 0x1 3x1 1x1'), [])[1];
  assert.ok(trace !== undefined);
  const shown = trace.map(({ status, remaining }) => `${status} ${remaining}`);
  assert.deepEqual(shown, ['200 2', '200 1', '200 0', '200 0']);
  const one = traceOf(trace, limitsOf(3, 6000), clocksOf(6000)[1]);
  const refuting = Object.keys(BOUNDS).filter((bound) => refutes(bound, one));
  assert.deepEqual(refuting, []);
});

// For each bound a conforming trace (limit, window, limiter, Reset and schedule), and how many violations of one kind it
// takes until the bound refutes it.
for (const [bound, [conforming, violated, least]] of Object.entries({
  'Twice the limit': ['2 in 12 s, fixed window at 1000, end: 0x1 0x1 1x1 4x1', moreAfter(1), 1],
  'The limit plus refill': [
    '2 in 6 s, sliding counter at 1000, weight rounded down, end: 0x1 0x1 1x1',
    moreAfter(1),
    1,
  ],
  'Exactly the limit, before refill': ['2 in 6 s, bucket, token: 0x1 0x1', moreAfter(1), 1],
  'Exactly the limit, without refill': [
    '3 in 6 s, sliding counter at 4000, end of the next window: 0x1 0x1 3x1',
    moreAfter(2),
    1,
  ],
  'All bounds on accepted requests': [
    '4 in 6 s, window from the first request, end: 0x1 3x1 0x1 0x1',
    moreAfter(3),
    1,
  ],
  'One announced Reset': [
    '2 in 12 s, sliding counter at 1000, weight rounded down, a window ahead: 0x1 0x1 1x1',
    moreAfter(1),
    1,
  ],
  'One announced Reset, announced quota': [
    '2 in 6 s, sliding counter at 1000, weight rounded down, a window ahead: 0x1 1x1',
    moreAfter(0),
    2,
  ],
  'A jump that is no new window': [
    '4 in 6 s, window from the first request, end: 0x1 0x1 0x1 3x1',
    moreAfter(1, 0),
    3,
  ],
  'Full before Reset': ['4 in 6 s, fixed window at 4000, end: 0x1 3x1 0x1 1x1', laterReset, 2],
  'Between two 429 responses': ['2 in 6 s, bucket, full: 0x1 0x1 0x1', acceptedBetween, 3],
  'Impossible gain': ['2 in 6 s, fixed window at 5000, end: 0x1 4x1 3x1 3x1 1x1 1x1', moreAfter(4), 3],
  'Impossible gain among parallel requests': [
    '3 in 12 s, fixed window at 4000, end: 0x1 3x1 0x1 1x3',
    moreAfter(2),
    3,
  ],
  'A 429 that no conforming limiter sends': [
    '2 in 6 s, window from the first request, end: 0x1 0x1 0x1',
    without(1),
    1,
  ],
} as const)) {
  test(`${bound} refutes ${conforming} with ${least} of one kind of violation`, () => {
    const [, limit, seconds, name, reset = '', schedule = ''] =
      /^(\d) in (\d+) s, (.*), (.*): (.*)$/.exec(conforming) ?? [];
    const [requests, window] = [Number(limit), 1000 * Number(seconds)];
    const limiter = limitersOf(requests, window).find((one) => one.name === name);
    assert.ok(limiter !== undefined);
    const trace = tracesOf(limiter, stepsIn(schedule), [])[Object.keys(limiter.resets).indexOf(reset)] ?? [];
    const clock = clocksOf(window)[1];
    const refuted = [0, least - 1, least].map((count) =>
      refutes(bound, traceOf(violated(trace, count), limitsOf(requests, window), clock)),
    );
    assert.deepEqual(refuted, [false, false, true]);
  });
}
