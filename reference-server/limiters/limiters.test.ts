import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Quota } from './algorithm.ts';
import type { CallerCounters } from './caller-counters.ts';
import { algorithms, createCounters, mostAccepted } from './index.ts';

const WINDOW_MS = 60_000;
const START = Date.UTC(2026, 10, 21, 1, 2, 3, 456);

function quotaOf(limit: number): Quota {
  return { window: 'minute', limit, windowMs: WINDOW_MS };
}

function consume(counters: CallerCounters, limit: number, now: number) {
  const pending = counters.check('a', quotaOf(limit), now);
  if (pending.check.allowed) counters.count(pending);
  return pending.check;
}

/** How the time passes between two requests, mostly in bursts; the last two wait until the times that the limiter announced. */
const step = fc.oneof(
  fc.constant({ kind: 'wait', ms: 0 } as const),
  fc.integer({ min: 0, max: 70_000 }).map((ms) => ({ kind: 'wait', ms }) as const),
  fc.constant({ kind: 'until-reset' } as const),
  fc.constant({ kind: 'until-retry' } as const),
);
const steps = fc.array(step, { minLength: 1, maxLength: 120 });
const limits = fc.integer({ min: 1, max: 13 });

for (const name of algorithms) {
  describe(`${name}: what it accepts`, () => {
    test('accepts exactly the limit at once, counting down to 0', () => {
      for (const limit of [1, 5, 60, 1000, 100_000]) {
        const counters = createCounters(name);
        const batch = Math.min(limit, 2000);
        for (let n = 1; n <= batch; n += 1) {
          const { allowed, remaining } = consume(counters, limit, START);
          assert.deepEqual({ allowed, remaining }, { allowed: true, remaining: limit - n });
        }
        if (batch === limit) assert.equal(consume(counters, limit, START).allowed, false);
      }
    });

    test('never accepts more than its bound in any span', () => {
      fc.assert(
        fc.property(limits, steps, (limit, plan) => {
          const counters = createCounters(name);
          const accepted: number[] = [];
          let now = START;
          let last = consume(counters, limit, now);
          if (last.allowed) accepted.push(now);
          for (const one of plan) {
            if (one.kind === 'wait') now += one.ms;
            else now = Math.max(now, one.kind === 'until-reset' ? last.resetAt : last.retryAt);
            last = consume(counters, limit, now);
            if (last.allowed) accepted.push(now);
          }
          for (let from = 0; from < accepted.length; from += 1) {
            for (let to = from; to < accepted.length; to += 1) {
              const span = (accepted[to] ?? 0) - (accepted[from] ?? 0);
              const most = mostAccepted(name, limit, span / WINDOW_MS) + 1e-6;
              assert.ok(to - from + 1 <= most, `${to - from + 1} in ${span} ms`);
            }
          }
        }),
      );
    });

    test('accepts exactly the remaining quota at once, and a request at retryAt but not before', () => {
      fc.assert(
        fc.property(limits, steps, (limit, plan) => {
          const counters = createCounters(name);
          let now = START;
          for (const one of plan) {
            if (one.kind === 'wait') now += one.ms;
            const { allowed, remaining, retryAt, resetAt } = consume(counters, limit, now);
            assert.ok(remaining >= 0 && remaining <= limit && Number.isInteger(remaining));
            assert.ok(resetAt >= now && resetAt <= now + WINDOW_MS, `resets in ${resetAt - now} ms`);
            assert.equal(allowed, retryAt === now);
            if (!allowed) {
              assert.ok(remaining === 0 && Number.isInteger(retryAt));
              assert.equal(counters.check('a', quotaOf(limit), retryAt - 1).check.allowed, false);
              assert.equal(counters.check('a', quotaOf(limit), retryAt).check.allowed, true);
              now = retryAt;
            }
            if (allowed && one.kind === 'until-reset') {
              for (let n = 0; n < remaining; n += 1)
                assert.equal(consume(counters, limit, now).allowed, true);
              assert.equal(consume(counters, limit, now).allowed, false);
            }
          }
        }),
      );
    });
  });

  describe(`${name}: what it stores`, () => {
    test('a rate-limited request does not count', () => {
      const [patient, pushing] = [createCounters(name), createCounters(name)];
      for (let n = 0; n < 5; n += 1) {
        consume(patient, 5, START);
        consume(pushing, 5, START);
      }
      const { retryAt } = consume(patient, 5, START);
      for (let now = START; now < retryAt; now += 7) assert.equal(consume(pushing, 5, now).allowed, false);
      assert.equal(consume(pushing, 5, retryAt).remaining, consume(patient, 5, retryAt).remaining);
    });

    const callers = 100_000;
    test(`drops idle callers: the size stays bounded after ${callers} of them`, () => {
      const counters = createCounters(name);
      const quota = quotaOf(5);
      let largest = 0;
      for (let n = 0; n < callers; n += 1) {
        counters.count(counters.check(`caller ${n}`, quota, START + n * 10));
        largest = Math.max(largest, counters.size);
      }
      const alive = (2 * WINDOW_MS) / 10;
      assert.ok(largest <= 2 * alive, `${largest} callers were stored at once`);
    });

    test('dropping changes nothing: an idle state gives the same results as none', () => {
      fc.assert(
        fc.property(limits, steps, (limit, plan) => {
          const counters = createCounters(name);
          let now = START;
          for (const one of plan) {
            if (one.kind === 'wait') now += one.ms;
            consume(counters, limit, now);
          }
          now += 2 * WINDOW_MS;
          const { remaining, resetAt } = counters.check('a', quotaOf(limit), now).check;
          const fresh = createCounters(name).check('a', quotaOf(limit), now).check;
          assert.deepEqual({ remaining, resetAt }, { remaining: fresh.remaining, resetAt: fresh.resetAt });
        }),
      );
    });
  });
}

test('beyond the capacity all new callers share one state, and no other caller does', () => {
  const counters = createCounters('fixed-window', 2);
  const quota = quotaOf(2);
  const remaining = ['a', 'b', 'c', 'd', 'a'].map((id) => {
    const pending = counters.check(id, quota, START);
    counters.count(pending);
    return pending.check.remaining;
  });
  assert.deepEqual(remaining, [1, 1, 1, 0, 0]);
  assert.equal(counters.check('e', quota, START).check.allowed, false);
  assert.equal(counters.check('b', quota, START).check.allowed, true);
  assert.equal(counters.size, 3);
});
