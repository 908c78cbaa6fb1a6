import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  burst,
  bursts,
  exhausted,
  limited,
  polite,
  preflight,
  scheduled,
  waitOut,
} from '../../evaluation/testing/load/rows.ts';
import type { StagedRun } from '../../evaluation/testing/load/runs.ts';
import { countdown, runOf } from '../../evaluation/testing/load/runs.ts';
import { randomTraffic, recordTraffic } from '../../evaluation/testing/suites/traffic.ts';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { headerValue } from '../../kernel/exchanges/headers.ts';
import type { Outcome } from '../../kernel/findings/record.ts';
import type { Profile } from '../model/profile.ts';
import type { Sample } from '../model/sample.ts';
import { findProfile, PROFILE_IDS } from '../profiles/index.ts';
import { expectations } from './expectations/index.ts';
import { judgeLoad } from './judge.ts';

test('every expectation has its own id, and every profile expects only what can be judged', () => {
  for (const [id, expectation] of Object.entries(expectations)) assert.equal(expectation.entry.id, id);
  for (const id of PROFILE_IDS)
    assert.ok(
      findProfile(id).expects.every((one) => one in expectations),
      id,
    );
});

describe('the record', () => {
  const all: Profile['expects'] = ['SENT', 'CONTRACT', 'NO-5XX', 'FLOOR', 'CEILING', 'RATE-LIMITED'];

  test('counts what was planned and what happened, key by key', () => {
    const record = judgeLoad(runOf(all, bursts([...exhausted, { at: 2000, status: 502 }])));
    assert.deepEqual(record.keys, [
      { key: 'key', planned: 12, sent: 12, accepted: 10, rateLimited: 1, failed: 1 },
    ]);
    assert.deepEqual(record.latencyMs, {
      ...{ count: 11, min: 10, p50: 10, p90: 10, p99: 10, p999: 10, max: 10 },
      twentieths: Array(19).fill(10),
    });
    assert.equal(record.scheduleDelayMs, null);
  });

  test('measures latency from the intended time', () => {
    const { latencyMs, scheduleDelayMs } = judgeLoad(runOf(['SENT'], scheduled(10, 30)));
    assert.equal(latencyMs?.max, 40);
    assert.deepEqual(scheduleDelayMs, { p50: 30, p99: 30, max: 30 });
  });

  const outcomeOf = (staged: StagedRun): Outcome => judgeLoad(runOf(all, staged)).outcome;

  test('fails by one failure, is inconclusive by one inconclusive finding, and passes otherwise', () => {
    assert.equal(outcomeOf(bursts(exhausted)), 'conforms');
    assert.equal(outcomeOf(bursts([...exhausted, { at: 2000, silent: true }])), 'incomplete');
    assert.equal(
      outcomeOf(bursts([...exhausted, { at: 2000, silent: true }, { at: 3000, status: 500 }])),
      'violates',
    );
  });

  test('keeps what was proven before an interruption', () => {
    const ended = { how: 'interrupted', because: 'Ctrl-C.' } as const;
    const staged = { ...bursts([...countdown(11, 9, {}, 300), limited(3300)]), ended };
    const record = judgeLoad(runOf(all, staged));
    const failed = record.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    assert.deepEqual([record.outcome, failed], ['violates', ['CEILING']]);
  });

  test('passes nothing that expects nothing', () => {
    assert.equal(judgeLoad(runOf([], bursts(exhausted))).outcome, 'incomplete');
  });
});

const RUNS = Number(process.env['SOUNDNESS_RUNS'] ?? 500);

/** The sample that k6 would write; one of three was sent in a burst, the others by a polite client. */
function sampleOf({ n, sent, received, outcome }: Exchange): Sample {
  const [step, kind] = n % 3 === 1 ? ([1, 'burst'] as const) : ([3, 'polite'] as const);
  const about = { key: 'key', n, step, kind, operation: 'list', planned: null } as const;
  const times = { sent: sent.mono, received: received.mono };
  if (outcome.kind === 'no-response')
    return { ...about, ...times, outcome: { kind: 'no-response', error: outcome.detail } };
  const names = {
    limit: 'X-RateLimit-Limit',
    remaining: 'X-RateLimit-Remaining',
    reset: 'X-RateLimit-Reset',
    retryAfter: 'Retry-After',
    date: 'Date',
  } as const;
  const present = Object.entries(names).flatMap(([field, name]) => {
    const value = headerValue(outcome.headers, name);
    return value === undefined ? [] : [[field, value] as const];
  });
  return {
    ...about,
    ...times,
    outcome: { kind: 'answer', status: outcome.status, ...Object.fromEntries(present) },
  };
}

test('no expectation about limits fails a conforming limiter, under random traffic', () => {
  const about: Profile['expects'] = [
    ...([
      'NO-429',
      'FLOOR',
      'CEILING',
      'RATE-LIMITED',
      'REMAINING',
      'RECOVERY',
      'GOODPUT',
      'NO-BAN',
      'BAN-ENDS',
      'DAY',
    ] as const),
  ];
  fc.assert(
    fc.property(randomTraffic, (one) => {
      const samples = recordTraffic(one).exchanges.map(sampleOf);
      const { limit, windowMs } = one.quota;
      const limits = { perMinute: limit, perDay: 1000, minuteSeconds: windowMs / 1000, daySeconds: 86_400 };
      const steps = [preflight, burst(1), waitOut, polite(samples.length)];
      const run = runOf(about, { scenarios: [['key', steps]], samples: [] });
      const { requirements: findings } = judgeLoad({
        ...run,
        inputs: { ...run.inputs, limits },
        trace: { samples, events: [] },
      });
      for (const { id, verdict, because } of findings) assert.notEqual(verdict, 'fail', `${id}: ${because}`);
    }),
    { numRuns: RUNS, includeErrorInReport: true },
  );
});
