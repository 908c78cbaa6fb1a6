import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { virtualLoad } from '../../evaluation/load/virtual-load.ts';
import {
  beside,
  burst,
  bursts,
  exhausted,
  limited,
  paced,
  polite,
  preflight,
  scheduled,
  waitOut,
} from '../../evaluation/testing/load/rows.ts';
import type { StagedRun, StagedSample } from '../../evaluation/testing/load/runs.ts';
import { countdown, judgeLoad, keyTraces, runOf } from '../../evaluation/testing/load/runs.ts';
import { randomTraffic, recordedRuns } from '../../evaluation/testing/rate-limits/bursts.ts';
import { assertPage } from '../../evaluation/testing/tools/page.ts';
import { definedFields } from '../../kernel/basics/json.ts';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { headerValue } from '../../kernel/exchanges/headers.ts';
import type { Threshold } from '../../kernel/findings/load.ts';
import type { LoadRecord, Outcome } from '../../kernel/findings/record.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { Profile } from '../model/profile.ts';
import type { Sample, Trace } from '../model/sample.ts';
import { KEPT_HEADERS } from '../model/sample.ts';
import type { ProfileId } from '../profiles/index.ts';
import { findProfile, PROFILE_IDS } from '../profiles/index.ts';
import { expectations } from './expectations/index.ts';
import { EXCLUSIVE, RunJudge } from './run-judge.ts';

const FLEET = 6;
const MINUTES = 6;

/** Judges a run as a long one, its keys in another order; about half of so many requests are kept. */
function asLong(
  profile: ProfileId,
  { record, trace }: { record: LoadRecord; trace: Trace },
  most: number,
  thresholds: readonly Threshold[] = [],
) {
  const inputs = {
    ...{ limits: limitsOf(loadPlans(), 'free'), fleet: FLEET, minutes: MINUTES },
    exclusiveKeys: true as const,
  };
  const { suite, spec, target, environment, ended, startedAt, finishedAt } = record;
  const run = { suite, spec, target, environment, profile: findProfile(profile), inputs, thresholds };
  const judge = new RunJudge(run, most);
  for (const key of [...keyTraces(trace)].reverse()) judge.add(key);
  return judge.conclude({ ended, startedAt, finishedAt });
}

const verdictsOf = ({ requirements: findings }: LoadRecord) =>
  findings.map(({ id, verdict }) => `${id} ${verdict}`);

describe('a long run, of which one in so many requests is kept', () => {
  for (const profile of ['soak', 'breakpoint', 'capacity'] as const) {
    test(`${profile}: the verdicts and counts are those of all requests`, async () => {
      const whole = await virtualLoad({ profile, fleet: FLEET, minutes: MINUTES });
      const { record, trace } = asLong(profile, whole, Math.ceil((2 * whole.trace.samples.length) / 3));
      assert.deepEqual(verdictsOf(record), verdictsOf(whole.record));
      for (const field of ['keys', 'latencyMs', 'scheduleDelayMs', 'outcome'] as const)
        assert.deepEqual(record[field], whole.record[field], field);
      assert.equal(trace.oneOf, 3);
      assert.ok(Math.abs(trace.samples.length - whole.trace.samples.length / 3) <= FLEET);
      for (const { id, because } of record.requirements)
        assert.equal(
          /This rests on one of every 3 requests/.test(because),
          ['STEADY', 'HOLDS'].includes(id),
          id,
        );
    });
  }

  test('the figures of phases are estimates of the same', async () => {
    const whole = await virtualLoad({ profile: 'breakpoint', fleet: FLEET });
    const { record } = asLong('breakpoint', whole, whole.trace.samples.length / 3);
    for (const [at, { offeredPerSecond }] of (whole.record.phases ?? []).entries()) {
      const estimate = record.phases?.[at]?.offeredPerSecond ?? 0;
      assert.ok(Math.abs(estimate - offeredPerSecond) < 0.35 * offeredPerSecond, `${at}: ${estimate}`);
    }
  });

  test('thresholds rest on all requests, as in a short run', async () => {
    const whole = await virtualLoad({ profile: 'soak', fleet: FLEET, minutes: MINUTES });
    // Every tenth request fails, so that one of three would show another share.
    const samples = whole.trace.samples.map((sample) =>
      sample.n % 10 === 3 && sample.outcome.kind === 'answer'
        ? { ...sample, outcome: { ...sample.outcome, status: 503 } }
        : { ...sample, received: sample.received + (sample.n % 7) },
    );
    const run = { ...whole, trace: { ...whole.trace, samples } };
    const thresholds = [{ operation: 'list', p50: 1, p99: 1, errorRate: 0.05, minimumRate: 1 }] as const;
    const found = [samples.length, samples.length / 3].map((kept) =>
      asLong('soak', run, kept, thresholds).record.requirements.filter(({ id }) =>
        id.startsWith('THRESHOLD'),
      ),
    );
    assert.equal(found[0]?.length, 4);
    assert.deepEqual(found[1], found[0]);
    assert.deepEqual(
      found[0]?.map(({ verdict }) => verdict),
      ['fail', 'fail', 'fail', 'pass'],
    );
  });

  test('a key that is missing was not sent, whatever the others show', async () => {
    const whole = await virtualLoad({ profile: 'soak', fleet: FLEET, minutes: MINUTES });
    const trace = { ...whole.trace, samples: whole.trace.samples.filter(({ key }) => key !== 'fleet-2') };
    const { record } = asLong('soak', { ...whole, trace }, 500);
    assert.ok(record.requirements.every(({ verdict }) => verdict === 'inconclusive'));
    assert.match(
      record.requirements[0]?.because ?? '',
      /^Key fleet-2: 0 of \d+ planned requests were sent\.$/,
    );
  });

  test('a 429 of one of many keys that may share an account is no failure, of a key whose responses show its own count it is', async () => {
    const whole = await virtualLoad({ profile: 'soak', fleet: FLEET, minutes: MINUTES });
    const spoiled = (others: number) =>
      whole.trace.samples.map((sample) => {
        if (sample.outcome.kind !== 'answer') return sample;
        const isOfOthers = sample.key !== 'fleet-3';
        if (!isOfOthers && sample.n !== 20) return sample;
        const more = isOfOthers ? { status: others } : { status: 429, remaining: '0', retryAfter: '40' };
        return { ...sample, outcome: { ...sample.outcome, ...more } };
      });
    const found = [200, 503].map((others) => {
      const trace = { ...whole.trace, samples: spoiled(others) };
      const { requirements } = asLong('soak', { ...whole, trace }, 500).record;
      return requirements.find(({ id }) => id === 'NO-429');
    });
    assert.deepEqual(
      found.map((one) => one?.verdict),
      ['fail', 'inconclusive'],
    );
    assert.match(found[0]?.because ?? '', /request 20 \(key fleet-3\)/);
    assert.match(found[1]?.because ?? '', /^Key fleet-3: .* Keys of one account may be counted together/);
  });
});

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
    const creation = { at: 2000, status: 502, operation: 'create' } as const;
    const { record } = judgeLoad(runOf(all, bursts([...exhausted, creation])));
    assert.deepEqual(record.keys, [
      { key: 'key', planned: 12, sent: 12, accepted: 10, rateLimited: 1, failed: 1 },
    ]);
    assert.deepEqual(record.requests, { total: 12, keyed: 12 });
    assert.deepEqual(record.latencyMs, {
      ...{ count: 11, min: 10, p50: 10, p90: 10, p99: 10, p999: 10, max: 10 },
      twentieths: Array(19).fill(10),
    });
    assert.equal(record.scheduleDelayMs, null);
  });

  test('names the version of its form and the plan of each key, and says on which keys it rests', () => {
    const run = runOf(['CONTRACT'], {
      scenarios: [['fleet-1', [burst(1)]]],
      samples: [{ key: 'fleet-1', at: 0, limit: 11 }],
    });
    const { record } = judgeLoad({
      ...run,
      inputs: { ...run.inputs, fleetPlans: [{ plan: 'small', limits: run.inputs.limits, keys: 1 }] },
    });
    assert.deepEqual([record.schemaVersion, record.strict, record.remarks], [2, false, []]);
    assert.match(record.requirements[0]?.because ?? '', /the Limit of the plan "small"/);
    assert.deepEqual(judgeLoad(runOf([], { ...bursts(exhausted), exclusive: true })).record.remarks, [
      EXCLUSIVE,
    ]);
  });

  test('a ban of a disposable key ends its scenario as planned, and that of another key does not', () => {
    const sentBy = (key: 'key' | 'disposable', because: 'banned' | 'unreachable', others = 0) =>
      judgeLoad(
        runOf(['SENT'], {
          scenarios: [[key, [burst(3)]], ...(others === 0 ? [] : [['other', [burst(others)]] as const])],
          samples: [
            { key, at: 0 },
            ...Array.from({ length: others }, () => ({ key: 'other' as const, at: 0 })),
          ],
          stopped: [{ kind: 'stopped', key, at: 0, because, detail: '403' }],
          ended: { how: 'stopped', because: 'A key was banned.' },
        }),
      ).record.outcome;
    assert.equal(sentBy('disposable', 'banned'), 'conforms');
    assert.equal(sentBy('disposable', 'banned', 1), 'conforms');
    assert.equal(sentBy('disposable', 'unreachable'), 'incomplete');
    assert.equal(sentBy('key', 'banned'), 'incomplete');
  });

  test('keeps all requests of two keys, however many there are', () => {
    const run = runOf(['NEIGHBOUR'], beside(countdown(5, 9, {}, 900), countdown(11, 9)));
    const judge = new RunJudge(run, 5);
    for (const key of keyTraces(run.trace)) judge.add(key);
    assert.equal(judge.conclude(run).trace.oneOf, undefined);
  });

  test('attributes no failure of many keys of a long run that is judged without what the others sent', () => {
    const keys = Array.from({ length: 22 }, (_, at) => `fleet-${at + 1}` as const);
    const run = runOf(['NO-429'], {
      scenarios: keys.map((key) => [key, [preflight, burst(6)]]),
      samples: keys.flatMap((key) => [...countdown(6, 9), limited(700)].map((one) => ({ ...one, key }))),
      exclusive: true,
    });
    const judge = new RunJudge(run, 5);
    for (const key of keyTraces(run.trace)) judge.add(key);
    assert.equal(judge.conclude(run).record.requirements[0]?.verdict, 'inconclusive');
  });

  test('measures latency from the intended time', () => {
    const { latencyMs, scheduleDelayMs } = judgeLoad(runOf(['SENT'], scheduled(10, 30))).record;
    assert.equal(latencyMs?.max, 40);
    assert.deepEqual(scheduleDelayMs, { p50: 30, p99: 30, max: 30 });
  });

  const outcomeOf = (staged: StagedRun): Outcome => judgeLoad(runOf(all, staged)).record.outcome;

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
    const { record } = judgeLoad(runOf(all, staged));
    const failed = record.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    assert.deepEqual([record.outcome, failed], ['violates', ['CEILING']]);
  });

  test('passes nothing that expects nothing', () => {
    assert.equal(judgeLoad(runOf([], bursts(exhausted))).record.outcome, 'incomplete');
  });
});

const RUNS = Number(process.env['SOUNDNESS_RUNS'] ?? 250);

/** The sample that k6 would write; one of three was sent in a burst, the others by a polite client. */
function sampleOf({ n, sent, received, outcome }: Exchange): Sample {
  const [step, kind] = n % 3 === 1 ? ([1, 'burst'] as const) : ([3, 'polite'] as const);
  const about = { key: 'key', n, step, kind, operation: 'list', planned: null } as const;
  const times = { sent: sent.mono, received: received.mono };
  if (outcome.kind === 'no-response')
    return { ...about, ...times, outcome: { kind: 'no-response', error: outcome.detail } };
  const kept = KEPT_HEADERS.map(([field, name]) => [field, headerValue(outcome.headers, name)]);
  const { status } = outcome;
  return {
    ...about,
    ...times,
    outcome: { kind: 'answer', status, ...definedFields(Object.fromEntries(kept)) },
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
  for (const { name, recorded, limits } of recordedRuns(RUNS, 'loaded traffic', randomTraffic)) {
    const samples = recorded.exchanges.map(sampleOf);
    const steps = [preflight, burst(1), waitOut, polite(samples.length)];
    const run = runOf(about, { scenarios: [['key', steps]], samples: [] });
    const trace = { samples, events: [] };
    const { record } = judgeLoad({ ...run, inputs: { ...run.inputs, limits }, trace });
    for (const { id, verdict, because } of record.requirements)
      assert.notEqual(verdict, 'fail', `${name}, ${id}: ${because}`);
  }
});

/** What is special about some of twenty requests, by their places. */
const SPECIAL: Readonly<Record<number, Partial<StagedSample>>> = {
  3: { status: 429 },
  4: { silent: true },
  5: { silent: true },
  6: { status: 500 },
  9: { took: 510 },
  12: { took: 990 },
};

/** Two requests for each tenth of a run. */
const TENTHS: StagedRun = {
  ...scheduled(20),
  samples: scheduled(20).samples.map((one, i) => ({ ...one, ...SPECIAL[i] })),
};

/** A burst that begins with the response before it, ends when the request after it was due, and is followed by one more. */
const SPIKE: StagedRun = {
  scenarios: [['key', [paced(2, 1000), { kind: 'burst', requests: 2, concurrency: 2 }, paced(1, 500)]]],
  samples: [
    { at: 500, planned: 500 },
    { at: 1000, planned: 1000, took: 100 },
    { step: 1, at: 1100, took: 300 },
    { step: 1, at: 1101, took: 399 },
    { step: 2, at: 1600, planned: 1500, took: 20 },
  ],
};

/** Three keys, each with its turn within half a second, and the moment at which it starts. */
const KEYS = [
  ['fleet-1', 0.5, 0],
  ['fleet-2', 1, 100],
  ['fleet-3', 0.75, 300],
] as const;

/** The requests of each: steps of two, one and two, the second with a slow response, the third with errors. */
const STEPPED: readonly Omit<StagedSample, 'at'>[] = [
  ...[{ step: 1 }, { step: 1 }],
  { step: 2, took: 1250 },
  ...[
    { step: 3, status: 503 },
    { step: 3, status: 503 },
  ],
];

const STEPS: StagedRun = {
  scenarios: KEYS.map(([key, turn]) => [
    key,
    [preflight, ...[2, 1, 2].map((requests) => ({ ...paced(requests, 500 * requests), turn }))],
  ]),
  samples: KEYS.flatMap(([key, turn, start]) => [
    { key, at: 0 },
    ...STEPPED.map((one, i): StagedSample => {
      const at = start + 500 * (i + turn);
      return { key, ...one, at, planned: at };
    }),
  ]),
};

const PHASED_RUNS = [
  ['the tenths of a soak', 'STEADY', TENTHS],
  ['the parts of a spike', 'RECOVERS', SPIKE],
  ['the steps of a rising rate', 'HOLDS', STEPS],
] as const;

test('phases have the figures of the requests that were due in them', () => {
  const page = PHASED_RUNS.map(([name, id, staged]) => {
    const phases = judgeLoad(runOf([id], staged)).record.phases ?? [];
    return [name, ...phases.map((phase) => `  ${JSON.stringify(phase)}`)].join('\n');
  });
  assertPage('load/judging/phases.txt', `${page.join('\n')}\n`);
});
