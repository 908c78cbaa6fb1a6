import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import type { Verdict } from '../../../../kernel/findings/record.ts';
import { loadSpecification } from '../../../../spec/specification.ts';
import { judge } from '../../judge/judge.ts';
import { EXHAUSTED_KEY_REQUESTS, exhaustedDay } from '../../probes/other-callers.ts';
import { preflight } from '../../probes/preflight.ts';
import { spendDay } from '../../probes/spend-day.ts';

/** A day of 150 requests, of which the run used 60 before it uses the rest. */
const LIMITS = { perMinute: 60, perDay: 150, minuteSeconds: 60, daySeconds: 86_400 };
const USED_BEFORE = 60;
/** From the first request of the day to its end, in seconds, after as many requests at an even pace as the rest holds. */
const TO_END = LIMITS.daySeconds - 215;

interface Spent {
  /** Requests that were accepted at the even pace. */
  readonly accepted: number;
  /** What came after them. */
  readonly after?: readonly StagedExchange[];
  readonly exclusive?: boolean;
  readonly first?: StagedExchange;
  /** Whether a key whose daily quota is exhausted was served, too. */
  readonly servesExhausted?: boolean;
}

async function judged({ accepted, after = [], exclusive = false, first = {}, servesExhausted }: Spent) {
  // The clock of a run begins when its machine does.
  const run = new Synthesis().wait(30 * LIMITS.daySeconds);
  for (let i = 0; i < USED_BEFORE; i += 1)
    run.add({ left: 59 - i, probe: preflight.id, ...(i === 0 ? first : {}) });
  run.wait(120);
  const atPace = { probe: spendDay.id, step: spendDay.steps.atPace } as const;
  for (let i = 0; i < accepted; i += 1) run.wait(1.05).add({ ...atPace, left: 57 });
  for (const one of after) {
    const wait = one.headers?.find(([name]) => name === 'X-Waited')?.[1];
    run.wait(Number(wait ?? 1.05)).add({ ...atPace, ...one });
  }
  for (let i = 0; servesExhausted === true && i < EXHAUSTED_KEY_REQUESTS; i += 1)
    run.add({ probe: exhaustedDay.id, caller: 'exhausted' });
  const inputs = {
    ...RUN.inputs,
    exhaustedKey: servesExhausted === true,
    spendDay: true,
    exclusiveKey: exclusive,
  };
  const lines = run.lines({ limits: LIMITS, inputs });
  const { requirements } = judge({ lines, damage: [] }, await loadSpecification(), { strict: false });
  const found = requirements.find(({ id }) => id === 'LIMIT-9');
  assert.ok(found !== undefined);
  return found;
}

/** A 429 with the end of the day, or what it announces instead, in seconds, sent so many seconds after the last request. */
const limited = (retryAfter: number = TO_END, waited = 1.05, limit = 150): StagedExchange => ({
  status: 429,
  left: 0,
  limit,
  headers: [
    ['Retry-After', String(retryAfter)],
    ['X-Waited', String(waited)],
  ],
});
const success = (waited = 1.05): StagedExchange => ({ left: 57, headers: [['X-Waited', String(waited)]] });

type Row = readonly [description: string, verdict: Verdict, spent: Spent, says: RegExp];

const rows: readonly Row[] = [
  [
    'the quota of a day, then 429',
    'pass',
    { accepted: 90, after: [limited()] },
    /^After 150 accepted requests/,
  ],
  [
    'the quota of a day, then 429, and an exhausted key that is served',
    'fail',
    { accepted: 90, after: [limited()], servesExhausted: true },
    /^Expected 429 for a key whose daily quota is exhausted/,
  ],
  [
    'the quota of a day, and after its 429 one about the minute',
    'pass',
    { accepted: 90, after: [limited(), limited(30, 1.05, 60)] },
    /^After 150 accepted requests/,
  ],
  [
    'a short wait at the end of the quota of a key that nobody else uses',
    'pass',
    { accepted: 90, after: [limited(30, 1.05, 60)], exclusive: true },
    /^After 150 accepted requests/,
  ],
  [
    'a short wait at the end of the quota, while some of the minute is left',
    'pass',
    { accepted: 90, after: [{ ...limited(30, 1.05, 60), left: 10 }] },
    /^After 150 accepted requests/,
  ],
  [
    'a bucket gives one back after the wait that it announces',
    'pass',
    { accepted: 90, after: [limited(150), success(151), limited(576)] },
    /^After 151 accepted requests/,
  ],
  [
    'more than a day’s quota, as where a day began meanwhile',
    'pass',
    { accepted: 180, after: [limited(LIMITS.daySeconds - 100)] },
    /possible where a day begins meanwhile/,
  ],
  [
    'a 429 that may be about the minute',
    'inconclusive',
    { accepted: 90, after: [limited(30, 1.05, 60), success(31), limited(30, 1.05, 60)] },
    /Nothing in the 429 shows that it is about the day/,
  ],
  [
    'a wait as for a minute after more than a day’s quota',
    'inconclusive',
    { accepted: 180, after: [limited(30, 1.05, 60), success(31), limited(30, 1.05, 60)] },
    /another client may have exhausted the quota of the minute/,
  ],
  ['no 429 at all', 'fail', { accepted: 245 }, /received 30\d accepted requests/],
  [
    'twice the quota, and the end of a day that began with the first request',
    'fail',
    { accepted: 240, after: [limited(LIMITS.daySeconds - 380)] },
    /Only a day that began during these requests could explain them/,
  ],
  [
    'twice the quota, and nothing announced',
    'inconclusive',
    { accepted: 240, after: [{ status: 429 }] },
    /A new day may have begun during the run/,
  ],
  [
    'a 429 of another client’s minute between, then the end of a day that began meanwhile',
    'pass',
    { accepted: 180, after: [limited(30, 1.05, 60), success(31), limited(LIMITS.daySeconds - 100)] },
    /After 241 accepted requests/,
  ],
  ['half the quota', 'inconclusive', { accepted: 15, after: [limited()] }, /Another client of the key/],
  [
    'half the quota of a key that nobody else uses',
    'fail',
    { accepted: 15, after: [limited()], exclusive: true },
    /^Expected 150 accepted requests in a day, but received 429 after 75 requests/,
  ],
  [
    'half the quota, and the first response shows that it was used before',
    'inconclusive',
    { accepted: 15, after: [limited()], exclusive: true, first: { left: 75, limit: 150 } },
    /exchange 1 .* shows that some of the day was used before this run/,
  ],
  ...([141, 140] as const).map(
    (left): Row => [
      `half the quota, and the first response has Remaining ${left} of the day`,
      left === 141 ? 'fail' : 'inconclusive',
      { accepted: 15, after: [limited()], exclusive: true, first: { left, limit: 150 } },
      left === 141 ? /429 after 75 requests/ : /used before this run/,
    ],
  ),
  [
    'half the quota, and the response before has what is left of the day',
    'fail',
    { accepted: 15, after: [{ left: 74, limit: 150 }, limited()], exclusive: true },
    /429 after 76 requests/,
  ],
  [
    'half the quota in portions',
    'warn',
    { accepted: 15, after: [limited(577)], exclusive: true },
    /smaller bursts/,
  ],
  [
    'half the quota, and a wait that is longer than that of a portion',
    'fail',
    { accepted: 15, after: [limited(578)], exclusive: true },
    /429 after 75 requests/,
  ],
  [
    'a wait of a minute, in vain twice',
    'fail',
    { accepted: 90, after: [limited(60), limited(60, 61), limited(60, 61)], exclusive: true },
    /The day does not end when the 429 in exchange 151 .* announces/,
  ],
  [
    'the same where another client may use the key',
    'inconclusive',
    { accepted: 90, after: [limited(60), limited(60, 61), limited(60, 61)] },
    /Another client of the key/,
  ],
  [
    'a wait of a minute, in vain once',
    'pass',
    { accepted: 90, after: [limited(60), limited(60, 61), success(61)], exclusive: true },
    /./,
  ],
  ['a wait of a week', 'warn', { accepted: 90, after: [limited(604_800)] }, /at most a day/],
  ['a wait beyond the longest day', 'warn', { accepted: 90, after: [limited(90_003)] }, /at most a day/],
  ['a wait of the longest day', 'pass', { accepted: 90, after: [limited(90_002)] }, /^After 150/],
  [
    'the end of the day in milliseconds',
    'pass',
    { accepted: 90, after: [{ ...limited(90_000_000), resetIn: 90_000 }] },
    /^After 150/,
  ],
  ...[400, 403, 499].map(
    (status): Row => [
      `${status} beyond the quota`,
      'fail',
      { accepted: 90, after: [{ status, body: '{}' }], exclusive: true },
      /received 4.. in exchange 151/,
    ],
  ),
  ...(
    [
      [90, 500],
      [89, 403],
    ] as const
  ).map(
    ([accepted, status]): Row => [
      `${status} after ${accepted} at the even pace`,
      'inconclusive',
      { accepted, after: [{ status, body: '{}' }], exclusive: true },
      /No 429 about the day was received/,
    ],
  ),
  [
    '403 before the end of the quota',
    'inconclusive',
    { accepted: 50, after: [{ status: 403, body: '{}' }], exclusive: true },
    /No 429 about the day was received/,
  ],
  [
    'no response',
    'inconclusive',
    { accepted: 90, after: [{ noResponse: 'timeout' }] },
    /No 429 about the day/,
  ],
  ['too few requests', 'inconclusive', { accepted: 20 }, /of 150 a day/],
];
for (const [description, verdict, spent, says] of rows) {
  test(`LIMIT-9 ${verdict}: ${description}`, async () => {
    const found = await judged(spent);
    assert.equal(found.verdict, verdict, found.because);
    assert.match(found.because, says);
  });
}
