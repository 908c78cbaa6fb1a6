import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProfileInputs } from '../../load/model/profile.ts';
import type { Sample } from '../../load/model/sample.ts';
import { isRateLimited } from '../../load/model/sample.ts';
import { dueMsOf, scenarioRequests } from '../../load/profiles/arithmetic.ts';
import type { ProfileId } from '../../load/profiles/index.ts';
import { findProfile, profiles } from '../../load/profiles/index.ts';
import { maximumDurationMs } from '../../load/script/options.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import type { HeaderLine, Outcome, RequestHandler } from '../../reference-server/service/message.ts';
import type { Limits } from '../../spec/plans.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { sampleOf } from '../../tools/sample.ts';
import { loopback } from '../simulation/service-wire.ts';
import { serviceThat } from './degradations.ts';
import { virtualScenarios } from './virtual-load.ts';

const real = loadPlans();
/** Every plan with the real minute, and a day short enough to be exhausted. */
const plans: Readonly<Record<string, Limits>> = {
  free: { ...limitsOf(real, 'free'), perDay: 300, daySeconds: 3600 },
  pro: { ...limitsOf(real, 'pro'), perDay: 1000, daySeconds: 3600 },
  tiny: { perMinute: 5, perDay: 40, minuteSeconds: 2, daySeconds: 120 },
};
const inputsOf = (limits: Limits): ProfileInputs => ({ limits, fleet: 2, minutes: 3 });

describe('a scenario sends exactly the requests of its steps', () => {
  for (const [plan, limits] of Object.entries(plans)) {
    for (const algorithm of algorithms) {
      for (const profile of sampleOf(profiles)) {
        test(`${profile.id}, ${plan}, ${algorithm}`, async () => {
          const inputs = inputsOf(limits);
          const scenarios = profile.scenarios(inputs);
          const run = await virtualScenarios(profile, inputs, { algorithm });
          const { samples, events, stops, counted } = run;
          assert.ok(stops.every((stop) => stop === undefined));
          for (const scenario of scenarios) {
            const stated = scenarioRequests(scenario);
            const own = samples.filter(({ key }) => key === scenario.key);
            assert.equal(counted.get(scenario.key), stated, 'the target counted the stated requests');
            const numbers = own.map(({ n }) => n).sort((a, b) => a - b);
            const each = Array.from({ length: stated }, (_, at) => at + 1);
            assert.deepEqual(numbers, each);
            const finished = events.find((event) => event.kind === 'finished' && event.key === scenario.key);
            assert.ok(finished?.kind === 'finished' && finished.requests === stated);
            const duration = Math.max(...own.map(({ received }) => received)) - (own[0]?.sent ?? 0);
            assert.ok(duration < maximumDurationMs(scenario));
          }
          const limited = rateLimitedCount(samples);
          if (profile.expects.includes('NO-429')) assert.equal(limited, 0);
          if (profile.expects.includes('RATE-LIMITED')) assert.ok(limited > 0);
          if (profile.id === 'at-limit') assert.equal(limited, 0);
        });
      }
    }
  }
});

const free = limitsOf(real, 'free');

test('the keys of a fleet change their rates together, however slow the target is', async () => {
  const slow = { there: () => 20, back: () => 3000 };
  const profile = findProfile('breakpoint');
  const inputs = { ...inputsOf(free), fleet: 3 };
  const { samples } = await virtualScenarios(profile, inputs, { network: slow });
  for (const [at, { key, steps }] of profile.scenarios(inputs).entries()) {
    const own = samples.filter((one) => one.key === key);
    let start = (own[0]?.received ?? 0) + steps.reduce((ms, one) => ms + ('forMs' in one ? one.forMs : 0), 0);
    for (const [position, step] of steps.entries()) {
      if (step.kind !== 'paced') continue;
      assert.equal(step.turn, (at + 0.5) / 3);
      const due = dueMsOf(step).map((ms) => start + ms);
      const planned = own.flatMap((one) => (one.step === position ? [one.planned ?? 0] : []));
      assert.deepEqual(planned.map(Math.round), due.map(Math.round));
      start += step.overMs;
    }
  }
});

const isNeverLimited = (limited: readonly boolean[]): boolean => !limited.includes(true);

/** What a conforming limiter must do with the requests of a profile, the first of a run first, however small its limit is. */
const MUST: Readonly<
  Partial<Record<ProfileId, (limited: readonly boolean[], perMinute: number) => boolean>>
> = {
  ...Object.fromEntries(
    ['smoke', 'under', 'at-limit', 'soak', 'spike', 'breakpoint'].map((id) => [id, isNeverLimited]),
  ),
  'over-limit': (limited, perMinute) =>
    limited.indexOf(true) >= perMinute && limited.filter(Boolean).length >= 2,
  // Of the two requests after the waits one is accepted.
  recovery: (limited) => limited.slice(-2).includes(false),
  backoff: (limited, perMinute) =>
    limited.includes(true) && limited.filter((one) => !one).length >= perMinute,
  isolation: (limited) => limited.includes(true),
  offender: (limited) => limited.includes(true),
};

describe('limits from 1 up, at every phase of the minute', () => {
  for (const algorithm of algorithms) {
    test(`${algorithm} accepts what must be accepted, and the other caller is never rate-limited`, async () => {
      for (const [id, holds] of Object.entries(MUST)) {
        for (const perMinute of [1, 2, 3, 4, 5, 6, 10, 13]) {
          for (const phase of [0.2, 12.2, 24.2, 36.2, 48.2]) {
            const limits = { ...free, perMinute, perDay: 3000 };
            const start = Date.UTC(2026, 10, 21) + phase * 1000;
            const inputs = { ...inputsOf(limits), fleet: 3 };
            const { samples } = await virtualScenarios(findProfile(id), inputs, { algorithm, start });
            const quiet = { isolation: 'other', offender: 'key' }[id];
            const [others, own] = [true, false].map((isQuiet) =>
              samples.filter(({ key }) => (key === quiet) === isQuiet).map(isRateLimited),
            );
            const where = `${id}, ${perMinute} a minute, from second ${phase}`;
            assert.ok(holds(own ?? [], perMinute), where);
            assert.ok(!others?.includes(true), where);
          }
        }
      }
    });
  }
});

const rateLimitedCount = (samples: readonly Sample[]): number => samples.filter(isRateLimited).length;

/** Seconds of the minute at which runs start; the last two are so close to its end that a burst would cross it. */
const PHASES = [0.2, 14, 47, 58.9, 59.998];
const links = { loopback, slow: { there: () => 90, back: () => 90 } };

describe('a burst never crosses the end of a window, and no earlier request affects it', () => {
  for (const algorithm of algorithms) {
    for (const [name, network] of Object.entries(links)) {
      test(`${algorithm}, ${name} link, at every phase of the minute, whatever the target's clock shows`, async () => {
        for (const [at, phase] of sampleOf([...PHASES.entries()])) {
          const start = Date.UTC(2026, 10, 21, 10, 0, 0) + phase * 1000;
          const load = { algorithm, network, start, clockOffset: [0, 40_000, -1900, 0, 0][at] ?? 0 };
          const exact = await virtualScenarios(findProfile('at-limit'), inputsOf(free), load);
          assert.equal(rateLimitedCount(exact.samples), 0, `at-limit from second ${phase}`);
          const over = await virtualScenarios(findProfile('over-limit'), inputsOf(free), load);
          assert.ok(
            rateLimitedCount(over.samples) >= 2,
            `over-limit from second ${phase}: ${rateLimitedCount(over.samples)}`,
          );
        }
      });
    }
  }
});

describe('a scenario that stops says why, and records every request that was counted', () => {
  const answering = (status: number, headers: readonly HeaderLine[] = []): Outcome => ({
    kind: 'response',
    status,
    headers,
    body: new Uint8Array(),
  });
  const after =
    (requests: number, outcome: Outcome) =>
    (answer: RequestHandler): RequestHandler => {
      let seen = 0;
      return (request) => {
        seen += 1;
        return seen > requests ? outcome : answer(request);
      };
    };
  const otherLimit: HeaderLine[] = [['X-RateLimit-Limit', '61']];
  const dropped: Outcome = { kind: 'dropped' };
  for (const [name, accepted, outcome, because, detail, requests] of [
    ['a page of another site', 0, answering(200), 'wrong target', /no rate-limit header/, 1],
    ['a redirect', 0, answering(302), 'wrong target', /302; expected 200 or 429/, 1],
    ['an unknown key', 0, answering(401), 'wrong target', /401: the key/, 1],
    ['no server', 0, dropped, 'unreachable', /no response to the first request: other side closed/, 1],
    ['another plan at once', 0, answering(200, otherLimit), 'wrong plan', /61; the stated plan has 60/, 1],
    ['another plan later', 9, answering(200, otherLimit), 'wrong plan', /61/, 10],
    ['a ban', 9, answering(403), 'banned', /403 for a key that was accepted/, 10],
    ['server errors', 9, answering(503), 'server errors', /3 in a row, most recently 503/, 12],
    ['a target that stops responding', 9, dropped, 'unreachable', /3 requests in a row/, 12],
  ] as const) {
    test(name, async () => {
      const wrap = after(accepted, outcome);
      const run = await virtualScenarios(findProfile('at-limit'), inputsOf(free), { wrap });
      const [stop] = run.stops;
      assert.equal(stop?.because, because);
      assert.match(stop?.detail ?? '', detail);
      assert.equal(run.counted.get('key'), requests);
      assert.equal(run.samples.length, requests);
      const recorded = run.events.find((event) => event.kind === 'stopped');
      assert.ok(
        recorded?.kind === 'stopped' && recorded.because === because && recorded.detail === stop?.detail,
      );
    });
  }

  test('two server errors in a row are not three', async () => {
    let seen = 0;
    const wrap =
      (answer: RequestHandler): RequestHandler =>
      (request) => {
        seen += 1;
        return seen > 3 && seen % 3 !== 0 ? answering(500) : answer(request);
      };
    const { stops, counted } = await virtualScenarios(findProfile('at-limit'), inputsOf(free), { wrap });
    assert.deepEqual([stops, counted.get('key')], [[undefined], 60]);
  });

  test('requests in flight are recorded as well', async () => {
    const network = { there: () => 20, back: () => 200 };
    const business = limitsOf(real, 'business');
    const wrap = after(100, answering(503));
    const inputs = inputsOf(business);
    const run = await virtualScenarios(findProfile('over-limit'), inputs, { wrap, network });
    assert.equal(run.stops[0]?.because, 'server errors');
    assert.equal(run.samples.length, run.counted.get('key'));
    assert.ok(run.samples.length > 103, 'a steep burst has more than three in flight');
  });

  test('a Retry-After longer than any limiter of a minute announces', async () => {
    const longer = serviceThat((outcome) => {
      if (outcome.kind === 'dropped' || outcome.status !== 429) return outcome;
      const others = outcome.headers.filter(([name]) => name !== 'Retry-After');
      return { ...outcome, headers: [...others, ['Retry-After', '43200']] };
    });
    for (const id of ['recovery', 'backoff']) {
      const [stop] = (await virtualScenarios(findProfile(id), inputsOf(free), longer)).stops;
      assert.equal(stop?.because, 'wait too long', id);
      assert.match(stop?.detail ?? '', /^43200 s more|^432\d\d s more/);
    }
  });

  test('a disposable key continues when it is banned, whatever the ban looks like', async () => {
    for (const ban of [answering(403), dropped]) {
      const banning = serviceThat((outcome) =>
        outcome.kind === 'response' && outcome.status === 429 ? ban : outcome,
      );
      const profile = findProfile('offender');
      const { stops, counted } = await virtualScenarios(profile, inputsOf(free), banning);
      const [scenario] = profile.scenarios(inputsOf(free));
      assert.deepEqual(stops, [undefined, undefined]);
      assert.equal(counted.get('disposable'), scenario === undefined ? 0 : scenarioRequests(scenario));
    }
  });
});

describe('a polite step', () => {
  for (const algorithm of algorithms) {
    test(`${algorithm}: never sends a request before Retry-After`, async () => {
      const { samples } = await virtualScenarios(findProfile('backoff'), inputsOf(free), { algorithm });
      assert.ok(rateLimitedCount(samples) > 0);
      for (const [at, sample] of samples.entries()) {
        const next = samples[at + 1];
        if (next === undefined || sample.outcome.kind !== 'answer' || sample.outcome.status !== 429) continue;
        const announced = Number(sample.outcome.retryAfter) * 1000;
        assert.ok(announced > 0 && next.sent - sample.received >= announced);
      }
    });
  }
});
