import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Quota } from './algorithm.ts';
import type { AlgorithmName } from './index.ts';
import { algorithms, createLedger, DEFAULT_ALGORITHM } from './index.ts';
import type { Ledger } from './ledger.ts';

const WINDOW_MS = 60_000;
const START = Date.UTC(2026, 10, 21, 1, 2, 3, 456);

/** How many requests any span of `ms` milliseconds may see accepted: the table of each algorithm's docstring. */
const bounds: Record<AlgorithmName, (limit: number, ms: number) => number> = {
  'fixed-window-from-first': (limit, ms) => limit * (Math.floor(ms / WINDOW_MS) + 2) - 1,
  'fixed-window': (limit, ms) => limit * (Math.ceil(ms / WINDOW_MS) + 1),
  'sliding-log': (limit, ms) => limit * (Math.floor(ms / WINDOW_MS) + 1),
  'sliding-counter': (limit, ms) => limit * (1 + ms / WINDOW_MS),
  'token-bucket': (limit, ms) => limit * (1 + ms / WINDOW_MS),
  gcra: (limit, ms) => limit * (1 + ms / WINDOW_MS),
};

function quotaOf(limit: number): Quota {
  return { window: 'minute', limit, windowMs: WINDOW_MS };
}

function spend(ledger: Ledger, limit: number, now: number) {
  const pending = ledger.check('a', quotaOf(limit), now);
  if (pending.allowed) pending.commit();
  return pending;
}

/** How the time passes between two requests, mostly in bursts; the last two chase the limiter's own promises. */
const step = fc.oneof(
  fc.constant({ kind: 'wait', ms: 0 } as const),
  fc.integer({ min: 0, max: 70_000 }).map((ms) => ({ kind: 'wait', ms }) as const),
  fc.constant({ kind: 'until-reset' } as const),
  fc.constant({ kind: 'until-retry' } as const),
);
const steps = fc.array(step, { minLength: 1, maxLength: 120 });
const limits = fc.integer({ min: 1, max: 13 });

for (const name of algorithms) {
  describe(`${name}: what it promises`, () => {
    test('accepts exactly the limit at once, counting down to 0', () => {
      for (const limit of [1, 5, 60, 1000, 100_000]) {
        const ledger = createLedger(name);
        const batch = Math.min(limit, 2000);
        for (let n = 1; n <= batch; n += 1) {
          const { allowed, remaining } = spend(ledger, limit, START);
          assert.deepEqual({ allowed, remaining }, { allowed: true, remaining: limit - n });
        }
        if (batch === limit) assert.equal(spend(ledger, limit, START).allowed, false);
      }
    });

    test('never accepts more than its bound in any span', () => {
      fc.assert(
        fc.property(limits, steps, (limit, plan) => {
          const ledger = createLedger(name);
          const accepted: number[] = [];
          let now = START;
          let last = spend(ledger, limit, now);
          if (last.allowed) accepted.push(now);
          for (const one of plan) {
            if (one.kind === 'wait') now += one.ms;
            else now = Math.max(now, one.kind === 'until-reset' ? last.resetAt : last.retryAt);
            last = spend(ledger, limit, now);
            if (last.allowed) accepted.push(now);
          }
          for (let from = 0; from < accepted.length; from += 1) {
            for (let to = from; to < accepted.length; to += 1) {
              const span = (accepted[to] ?? 0) - (accepted[from] ?? 0);
              assert.ok(to - from + 1 <= bounds[name](limit, span) + 1e-6, `${to - from + 1} in ${span} ms`);
            }
          }
        }),
      );
    });

    test('keeps its promises: remaining is accepted at once and no more, retryAt is accepted and no earlier', () => {
      fc.assert(
        fc.property(limits, steps, (limit, plan) => {
          const ledger = createLedger(name);
          let now = START;
          for (const one of plan) {
            if (one.kind === 'wait') now += one.ms;
            const { allowed, remaining, retryAt, resetAt } = spend(ledger, limit, now);
            assert.ok(remaining >= 0 && remaining <= limit && Number.isInteger(remaining));
            assert.ok(resetAt >= now && resetAt <= now + WINDOW_MS, `resets in ${resetAt - now} ms`);
            assert.equal(allowed, retryAt === now);
            if (!allowed) {
              assert.ok(remaining === 0 && Number.isInteger(retryAt));
              assert.equal(ledger.check('a', quotaOf(limit), retryAt - 1).allowed, false);
              assert.equal(ledger.check('a', quotaOf(limit), retryAt).allowed, true);
              now = retryAt;
            }
            if (allowed && one.kind === 'until-reset') {
              for (let n = 0; n < remaining; n += 1) assert.equal(spend(ledger, limit, now).allowed, true);
              assert.equal(spend(ledger, limit, now).allowed, false);
            }
          }
        }),
      );
    });
  });

  describe(`${name}: what it remembers`, () => {
    test('a refused request does not count', () => {
      const [patient, pushing] = [createLedger(name), createLedger(name)];
      for (let n = 0; n < 5; n += 1) {
        spend(patient, 5, START);
        spend(pushing, 5, START);
      }
      const { retryAt } = spend(patient, 5, START);
      for (let now = START; now < retryAt; now += 7) assert.equal(spend(pushing, 5, now).allowed, false);
      assert.equal(spend(pushing, 5, retryAt).remaining, spend(patient, 5, retryAt).remaining);
    });

    const callers = name === DEFAULT_ALGORITHM ? 1_000_000 : 100_000;
    test(`forgets idle callers: ${callers} of them leave a bounded ledger`, () => {
      const ledger = createLedger(name);
      const quota = quotaOf(5);
      let largest = 0;
      for (let n = 0; n < callers; n += 1) {
        ledger.check(`caller ${n}`, quota, START + n * 10).commit();
        largest = Math.max(largest, ledger.size);
      }
      const alive = (2 * WINDOW_MS) / 10;
      assert.ok(largest <= 2 * alive, `${largest} callers were remembered at once`);
    });

    test('forgetting changes nothing: an idle state answers like none', () => {
      fc.assert(
        fc.property(limits, steps, (limit, plan) => {
          const ledger = createLedger(name);
          let now = START;
          for (const one of plan) {
            if (one.kind === 'wait') now += one.ms;
            spend(ledger, limit, now);
          }
          now += 2 * WINDOW_MS;
          const { remaining, resetAt } = ledger.check('a', quotaOf(limit), now);
          const fresh = createLedger(name).check('a', quotaOf(limit), now);
          assert.deepEqual({ remaining, resetAt }, { remaining: fresh.remaining, resetAt: fresh.resetAt });
        }),
      );
    });
  });
}

test('beyond its capacity a ledger counts all newcomers together, and nobody else with them', () => {
  const ledger = createLedger('fixed-window', 2);
  const quota = quotaOf(2);
  const remaining = ['a', 'b', 'c', 'd', 'a'].map((id) => {
    const pending = ledger.check(id, quota, START);
    pending.commit();
    return pending.remaining;
  });
  assert.deepEqual(remaining, [1, 1, 1, 0, 0]);
  assert.equal(ledger.check('e', quota, START).allowed, false);
  assert.equal(ledger.check('b', quota, START).allowed, true);
  assert.equal(ledger.size, 3);
});
