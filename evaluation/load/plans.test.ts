import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { headerValue } from '../../kernel/exchanges/headers.ts';
import type { Finding } from '../../kernel/findings/record.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import type { RequestHandler } from '../../reference-server/service/message.ts';
import { loadPlans } from '../../spec/plans.ts';
import { sampleOf } from '../../tools/sample.ts';
import { seededBy } from '../testing/suites/limiters.ts';
import { idsWith } from '../testing/verdicts.ts';
import { serviceThat } from './degradations.ts';
import type { VirtualLoad } from './virtual-load.ts';
import { virtualLoad } from './virtual-load.ts';

const FLEET = ['pro', 'free', 'business', 'free'];

async function findingsOf(load: Omit<VirtualLoad, 'profile'>): Promise<readonly Finding[]> {
  const { record } = await virtualLoad({ profile: 'plans', fleetOf: FLEET, exclusive: true, ...load });
  return record.requirements;
}

/** The findings that did not pass, as `ID verdict`. */
const trouble = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict }) => `${id} ${verdict}`);

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
      for (const start of [0, 29_000, 58_200])
        assert.deepEqual(
          trouble(await findingsOf({ algorithm, start: Date.UTC(2026, 10, 21, 10) + start })),
          [],
        );
    });

    test(`${algorithm}: a plan whose exhaustion limits the other plans fails`, async () => {
      const findings = await findingsOf({ algorithm, wrap: spreading(20_000) });
      const found = findings.find(({ id }) => id === 'NEIGHBOUR');
      assert.equal(found?.verdict, 'fail', found?.because);
      assert.match(found?.because ?? '', /key fleet-\d/i);
    });
  }

  test('the first key of the smallest plan exceeds its limit', async () => {
    const { record } = await virtualLoad({ profile: 'plans', fleetOf: FLEET });
    assert.deepEqual(
      record.keys.map(({ key, rateLimited }) => [key, rateLimited > 0]),
      [
        ['fleet-1', false],
        ['fleet-2', true],
        ['fleet-3', false],
        ['fleet-4', false],
      ],
    );
  });

  test('a limit of another plan behind the headers of the own one fails', async () => {
    assert.ok(trouble(await findingsOf({ fault: findFault('half-the-limit') })).includes('NEIGHBOUR fail'));
    assert.ok(trouble(await findingsOf({ fault: findFault('one-too-many') })).includes('CEILING fail'));
  });

  test('two keys of one plan may be of one account', async () => {
    const found = (await findingsOf({ wrap: countedWith('fleet-4', 'fleet-2') })).find(
      ({ id }) => id === 'NEIGHBOUR',
    );
    assert.equal(found?.verdict, 'inconclusive', found?.because);
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
        const { record } = await virtualLoad({
          ...{ profile: 'over-limit', plan, plans: { ...loadPlans(), minuteSeconds }, ...undated },
          fault: findFault('twice-the-limit'),
          network: networkOf(`undated ${plan} ${minuteSeconds}`),
        });
        const { verdict, because } = record.requirements.find(({ id }) => id === 'CEILING') ?? {};
        assert.equal(verdict, minuteSeconds === 60 ? 'fail' : 'inconclusive', because);
        if (minuteSeconds === 5) assert.match(because ?? '', /without a Date header in any response/);
      }
    });
  }

  test('no algorithm fails, wherever the window ends and whatever the clock of the target shows', async () => {
    for (const algorithm of algorithms) {
      for (const [at, phase] of [0.3, 29, 58.2, 59.4].entries()) {
        const { record } = await virtualLoad({
          ...{ profile: 'over-limit', algorithm, ...undated },
          ...{
            start: Date.UTC(2026, 10, 21, 10) + phase * 1000,
            clockOffset: [0, 7000, -900, 40_000][at] ?? 0,
          },
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
    const { record } = await virtualLoad({ profile: 'over-limit', fault: findFault(fault) });
    const found = record.requirements.find(({ id }) => id === 'CEILING');
    assert.equal(found?.verdict, 'fail', found?.because);
    assert.match(found?.because ?? '', named);
    assert.equal(/cache/.test(found?.because ?? ''), fault.includes('cache'));
  });
}
