import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { headerValue } from '../../kernel/exchanges/headers.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../reference-server/catalogue/variants/index.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import type { Outcome, RequestHandler } from '../../reference-server/service/message.ts';
import { sampleOf } from '../../tools/sample.ts';
import { idsWith } from '../testing/verdicts.ts';
import { assertVerdict, virtualLoad } from './virtual-load.ts';

/** After the first 429, responses to every other key take so many milliseconds, for so many requests. */
const slowing =
  (delayMs: number, requests: number) =>
  (answer: RequestHandler): RequestHandler => {
    let offender: string | undefined;
    let slowed = 0;
    return (request) => {
      const outcome = answer(request);
      if (outcome.kind !== 'response') return outcome;
      const key = headerValue(request.headers, 'Authorization');
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
          start: Date.UTC(2026, 10, 21, 10) + phase * 1000,
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
