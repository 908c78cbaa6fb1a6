import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { headerValue } from '../../kernel/exchanges/headers.ts';
import { findProfile } from '../../load/profiles/index.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { unshownDays } from '../../reference-server/catalogue/variants/day.ts';
import { findVariant } from '../../reference-server/catalogue/variants/index.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import type { Decision } from '../../reference-server/limiters/limiter.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { Outcome, RequestHandler } from '../../reference-server/service/message.ts';
import { loadPlans } from '../../spec/plans.ts';
import { sampleOf } from '../../tools/sample.ts';
import { seededBy } from '../testing/suites/limiters.ts';
import { idsWith, reasonsOf } from '../testing/verdicts.ts';
import { serviceThat } from './degradations.ts';
import type { VirtualLoad } from './virtual-load.ts';
import { assertVerdict, virtualLoad } from './virtual-load.ts';

const FLEET = ['pro', 'free', 'business', 'free'];

/** A start in this second of a minute. */
const startAt = (second: number): number => Date.UTC(2026, 10, 21, 10) + second * 1000;

const ofPlans = (load: Omit<VirtualLoad, 'profile'>): VirtualLoad => ({
  ...{ profile: 'plans', fleetOf: FLEET, exclusive: true },
  ...load,
});

const keyOf = (request: Parameters<RequestHandler>[0]): string =>
  (headerValue(request.headers, 'Authorization') ?? '').replace('Bearer ', '');

/** Where the key `as` answers in place of the key `of`. */
const countedWith =
  (of: string, as: string) =>
  (answer: RequestHandler): RequestHandler =>
  (request) =>
    answer(keyOf(request) === of ? { ...request, headers: [['Authorization', `Bearer ${as}`]] } : request);

/** After the first 429 of a key, every other key gets one for so long. */
const spreading =
  (forMs: number) =>
  (answer: RequestHandler, now: () => number): RequestHandler => {
    let first:
      | { readonly key: string; readonly at: number; readonly outcome: ReturnType<RequestHandler> }
      | undefined;
    return (request) => {
      const outcome = answer(request);
      const key = keyOf(request);
      if (outcome.kind === 'response' && outcome.status === 429) first ??= { key, at: now(), outcome };
      return first !== undefined && key !== first.key && now() - first.at < forMs
        ? limitedAs(outcome, first.outcome)
        : outcome;
    };
  };

/** The 429, with the headers about the limit of the response in whose place it comes. */
const limitedAs = (
  own: ReturnType<RequestHandler>,
  limited: ReturnType<RequestHandler>,
): ReturnType<RequestHandler> =>
  own.kind === 'response' && limited.kind === 'response'
    ? { ...limited, headers: [...own.headers, ['Retry-After', '30']] }
    : own;

describe('keys of several plans at the same time', () => {
  for (const algorithm of sampleOf(algorithms)) {
    test(`${algorithm}: each is judged by its own plan, and all pass`, async () => {
      for (const second of [0, 29, 58.2]) {
        const { record } = await virtualLoad(ofPlans({ algorithm, start: startAt(second) }));
        assert.deepEqual(reasonsOf(record, 'fail', 'inconclusive'), []);
      }
    });

    test(`${algorithm}: a plan whose exhaustion limits the other plans fails`, async () => {
      const load = ofPlans({ algorithm, wrap: spreading(20_000) });
      assert.match(await assertVerdict(load, 'NEIGHBOUR', 'fail'), /key fleet-\d/i);
    });
  }

  test('the first key of the smallest plan exceeds its limit', async () => {
    const { record } = await virtualLoad({ profile: 'plans', fleetOf: FLEET });
    const limited = record.keys.filter(({ rateLimited }) => rateLimited > 0);
    assert.equal(limited.map(({ key }) => key).join(), 'fleet-2');
  });

  test('a limit of another plan behind the headers of the own one fails', async () => {
    await assertVerdict(ofPlans({ fault: findFault('half-the-limit') }), 'NEIGHBOUR', 'fail');
    await assertVerdict(ofPlans({ fault: findFault('one-too-many') }), 'CEILING', 'fail');
  });

  test('two keys of one plan may be of one account', async () => {
    await assertVerdict(ofPlans({ wrap: countedWith('fleet-4', 'fleet-2') }), 'NEIGHBOUR', 'inconclusive');
  });
});

// Too many accepted, at the limits of every plan and in windows of a minute and of seconds, over a network with jitter:
// a thousand requests in each run, so every day has some of the cases.

/** Round trips of 4 to 10 ms. */
function networkOf(seed: string) {
  const random = seededBy(seed);
  const delay = (): number => 2 + 3 * random();
  return { there: delay, back: delay };
}

async function failuresOf(profile: string, plan: string, minuteSeconds: number, fault: string) {
  const { record } = await virtualLoad({
    ...{ profile, plan, plans: { ...loadPlans(), minuteSeconds } },
    fault: findFault(fault),
    network: networkOf(`${profile} ${plan} ${minuteSeconds} ${fault}`),
  });
  return idsWith(record, 'fail');
}

describe('more is accepted than the plan allows', () => {
  const faults = ['twice-the-limit', 'lists-never-limited', 'updates-lost', 'one-too-many'];
  const cases = ['free', 'pro', 'business'].flatMap((plan) => faults.map((fault) => [plan, fault] as const));
  for (const [plan, fault] of sampleOf(cases)) {
    test(`over-limit finds ${fault}, ${plan}`, async () => {
      const expected = fault === 'one-too-many' ? ['CEILING'] : ['CEILING', 'RATE-LIMITED'];
      for (const minuteSeconds of [60, 20])
        assert.deepEqual(await failuresOf('over-limit', plan, minuteSeconds, fault), expected);
      // In a window of seconds nothing shows whether Reset follows the clock, so a counter's window may end unseen.
      const [found] = await failuresOf('over-limit', plan, 5, fault);
      assert.equal(found, fault === 'one-too-many' ? undefined : 'CEILING');
    });
  }

  for (const plan of sampleOf(['pro', 'business'])) {
    test(`at-limit finds updates-lost, ${plan}`, async () => {
      for (const minuteSeconds of [60, 5])
        assert.deepEqual(await failuresOf('at-limit', plan, minuteSeconds, 'updates-lost'), ['CEILING']);
    });
  }
});

/** A service whose responses have no Date. */
const undated = serviceThat((outcome) =>
  outcome.kind === 'response'
    ? { ...outcome, headers: outcome.headers.filter(([name]) => name !== 'Date') }
    : outcome,
);

describe('a service without Date', () => {
  for (const plan of ['free', 'pro', 'business']) {
    test(`over-limit finds twice-the-limit in a minute, and names Date in seconds, ${plan}`, async () => {
      for (const minuteSeconds of [60, 5]) {
        const load = {
          ...{ profile: 'over-limit', plan, plans: { ...loadPlans(), minuteSeconds }, ...undated },
          fault: findFault('twice-the-limit'),
          network: networkOf(`undated ${plan} ${minuteSeconds}`),
        };
        const because = await assertVerdict(load, 'CEILING', minuteSeconds === 60 ? 'fail' : 'inconclusive');
        if (minuteSeconds === 5) assert.match(because, /without a Date header in any response/);
      }
    });
  }

  test('no algorithm fails, wherever the window ends and whatever the clock of the target shows', async () => {
    for (const algorithm of algorithms) {
      for (const [at, phase] of [0.3, 29, 58.2, 59.4].entries()) {
        const { record } = await virtualLoad({
          ...{ profile: 'over-limit', algorithm, ...undated },
          ...{ start: startAt(phase), clockOffset: [0, 7000, -900, 40_000][at] ?? 0 },
          network: networkOf(`undated ${algorithm} ${phase}`),
        });
        assert.deepEqual(idsWith(record, 'fail'), [], `${algorithm} from second ${phase}`);
      }
    }
  });
});

for (const [fault, named] of [
  ['lists-from-a-cache', /A cache answered request \d+ \(X-Cache: HIT\)/],
  ['lists-from-a-cache-with-a-new-date', /A cache answered request \d+ \(Age: \d\)/],
  ['lists-from-a-cache-without-a-trace', /shows the Date, Remaining and Reset of request \d+ again: a cache/],
  ['one-too-many', /accepted/],
] as const) {
  test(`a load run finds ${fault}, and names a cache only where there is one`, async () => {
    const load = { profile: 'over-limit', fault: findFault(fault) };
    const because = await assertVerdict(load, 'CEILING', 'fail');
    assert.match(because, named);
    assert.equal(/cache/.test(because), fault.includes('cache'));
  });
}

/** Phases of the minute at which a day that is nearly exhausted ends with the Reset of the minute, in seconds. */
const PHASES = [8, 9, 10, 11, 12, 38, 39, 40, 41, 42];

describe('a nearly exhausted day behind the headers of the minute', () => {
  for (const profile of ['under', 'at-limit', 'over-limit', 'backoff', 'plans'])
    test(`fails no run of ${profile}, also where it ends with the minute`, async () => {
      for (const [id, fault] of Object.entries(unshownDays))
        for (const phase of sampleOf(PHASES)) {
          const { record } = await virtualLoad({
            ...{ profile, fault, start: startAt(180 + phase), algorithm: 'fixed-window' },
            ...(profile === 'plans' ? { fleetOf: ['free', 'pro', 'business'] } : {}),
          });
          assert.equal(record.outcome, 'incomplete');
          assert.deepEqual(idsWith(record, 'fail'), [], `${id}, second ${phase}`);
        }
    });
});

/** Half of the limit, from a 429 whose headers show that quota remains. */
const halfBehindItsHeaders: Seams = {
  wrapLimiter(limiter) {
    const shown = new Map<string, Decision>();
    return (caller, request, now) => {
      const last = shown.get(caller.id);
      const isUsed = last !== undefined && now < last.resetAt && last.remaining <= last.limit / 2;
      if (isUsed) return { ...last, allowed: false, retryAt: last.resetAt };
      const decision = limiter(caller, request, now);
      shown.set(caller.id, decision);
      return decision;
    };
  },
};

test('a lower limit of the minute whose 429 shows quota fails where it ends twice at one Remaining', async () => {
  for (const [profile, id, verdict] of [
    ['at-limit', 'REMAINING', 'inconclusive'],
    ['at-limit', 'FLOOR', 'inconclusive'],
    ['backoff', 'REMAINING', 'fail'],
    ['under', 'NO-429', 'fail'],
  ] as const)
    await assertVerdict({ profile, fault: halfBehindItsHeaders, algorithm: 'fixed-window' }, id, verdict);
});

// Two runs with the same keys, the second right after the first.

const after = (first: string) => ({ profile: findProfile(first), gapMs: 0 });

describe('a profile whose keys another run has just used', () => {
  for (const profile of [
    ...['under', 'at-limit', 'over-limit', 'recovery', 'backoff', 'isolation'],
    ...['soak', 'spike', 'breakpoint', 'capacity'],
  ]) {
    test(`${profile} waits for its quota, and then passes`, async () => {
      for (const algorithm of algorithms) {
        const fleet = ['soak', 'spike', 'breakpoint', 'capacity'].includes(profile) ? 'spike' : 'over-limit';
        const { record } = await virtualLoad({ profile, algorithm, earlier: after(fleet) });
        assert.deepEqual(reasonsOf(record, 'fail', 'inconclusive'), [], algorithm);
      }
    });
  }

  test('a 429 of a key that does not wait is explained by its earlier use, and by nothing else', async () => {
    for (const algorithm of algorithms) {
      const { record } = await virtualLoad({ profile: 'offender', algorithm, earlier: after('over-limit') });
      for (const reason of reasonsOf(record, 'fail', 'inconclusive'))
        assert.match(
          reason,
          /^NEIGHBOUR inconclusive: .*in use when the run began.*two windows after the last use/,
        );
    }
  });
});

/** After the first 429, responses to every other key take so many milliseconds, for so many requests. */
const slowing =
  (delayMs: number, requests: number) =>
  (answer: RequestHandler): RequestHandler => {
    let offender: string | undefined;
    let slowed = 0;
    return (request) => {
      const outcome = answer(request);
      if (outcome.kind !== 'response') return outcome;
      const key = keyOf(request);
      if (outcome.status === 429) offender ??= key;
      if (offender === undefined || key === offender || slowed >= requests) return outcome;
      slowed += 1;
      return { ...outcome, delayMs };
    };
  };

describe('a key that exceeds its limit, and its neighbour', () => {
  for (const profile of ['isolation', 'offender']) {
    for (const plan of ['free', 'pro', 'business']) {
      test(`${profile}, ${plan}: harm that lasts is found, a few slow responses and a little delay are not`, async () => {
        const load = (delayMs: number, requests = Number.POSITIVE_INFINITY) => ({
          ...{ profile, plan, wrap: slowing(delayMs, requests) },
        });
        assert.match(
          await assertVerdict(load(600), 'NEIGHBOUR', 'fail'),
          /median latency of the (?:other )?key was \d ms before .* and 60\d ms/,
        );
        await assertVerdict(load(600, 5), 'NEIGHBOUR', 'pass');
        await assertVerdict(load(40), 'NEIGHBOUR', 'pass');
      });
    }
  }
});

describe('a key that exceeds its limit, and one count for both', () => {
  for (const algorithm of algorithms) {
    test(`${algorithm}: isolation finds it, also where the other key gets no 429; offender names the account`, async () => {
      for (const phase of sampleOf([0.3, 29, 58.2])) {
        const load = {
          ...{ algorithm, fault: findFault('one-counter-for-each-plan') },
          start: startAt(phase),
        };
        for (const [profile, exclusive, verdict] of [
          ['isolation', true, 'fail'],
          ['isolation', false, 'inconclusive'],
          ['offender', true, 'inconclusive'],
        ] as const)
          await assertVerdict({ profile, exclusive, ...load }, 'NEIGHBOUR', verdict);
      }
    });
  }

  test('another client of the other key that sends at the same moment is no such count', async () => {
    for (const algorithm of algorithms) {
      for (const requests of sampleOf([12, 30, 46, 60])) {
        const wrap = usedOnce('other', requests, isLimited);
        const { record } = await virtualLoad({ profile: 'isolation', algorithm, wrap });
        assert.ok(!idsWith(record, 'fail').includes('NEIGHBOUR'), `${algorithm}, ${requests}`);
      }
    }
  });
});

/** A firewall that counts the new connections of this machine, before a target that closes each after its response. */
test('a limit of new connections fails no profile with several keys, and is named', async () => {
  const firewall = {
    ...{ fault: findVariant('new-connections-limited'), plan: 'pro' },
    ...{ exclusive: true, keepsConnections: false },
  };
  for (const load of [
    { profile: 'isolation' },
    { profile: 'offender' },
    { profile: 'plans', fleetOf: ['pro', 'free', 'business', 'free'] },
  ]) {
    const { requirements: findings } = (await virtualLoad({ ...firewall, ...load })).record;
    const found = findings.find(({ id }) => id === 'NEIGHBOUR');
    assert.equal(found?.verdict, 'inconclusive', found?.because);
    assert.match(found?.because ?? '', /new connection/);
    assert.ok(findings.every(({ verdict }) => verdict !== 'fail'));
  }
});

describe('another client that exhausts a key between two requests of the run', () => {
  for (const algorithm of algorithms) {
    test(`${algorithm}: is never taken for the target`, async () => {
      for (const [profile, key] of [
        ['under', 'key'],
        ['spike', 'fleet-1'],
        ['isolation', 'other'],
      ] as const) {
        for (const requests of [20, 60]) {
          const wrap = usedOnce(key, requests, (_, elapsedMs) => elapsedMs >= 31_200);
          const { record } = await virtualLoad({ profile, algorithm, wrap });
          assert.deepEqual(idsWith(record, 'fail'), [], `${profile}, ${requests}`);
        }
      }
    });
  }
});

/** At the first response at such a moment, so many requests of another client of a key arrive at once. */
const usedOnce =
  (key: string, requests: number, isMoment: (outcome: Outcome, elapsedMs: number) => boolean) =>
  (answer: RequestHandler, now: () => number): RequestHandler => {
    let start: number | undefined;
    let done = false;
    return (request) => {
      start ??= now();
      const outcome = answer(request);
      if (done || !isMoment(outcome, now() - start)) return outcome;
      done = true;
      const headers = [['Authorization', `Bearer ${key}`]] as const;
      for (let i = 0; i < requests; i += 1) answer({ ...request, headers });
      return outcome;
    };
  };

const isLimited = (outcome: Outcome): boolean => outcome.kind === 'response' && outcome.status === 429;
