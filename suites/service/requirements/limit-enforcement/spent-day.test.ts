import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import type { Verdict } from '../../../../kernel/findings/record.ts';
import { loadSpecification } from '../../../../spec/specification.ts';
import { judge } from '../../judge/judge.ts';
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
}

async function judged({ accepted, after = [], exclusive = false, first = {} }: Spent) {
  const run = new Synthesis();
  for (let i = 0; i < USED_BEFORE; i += 1)
    run.add({ left: 59 - i, probe: preflight.id, ...(i === 0 ? first : {}) });
  run.wait(120);
  const atPace = { probe: spendDay.id, step: spendDay.steps.atPace } as const;
  for (let i = 0; i < accepted; i += 1) run.wait(1.05).add({ ...atPace, left: 57 });
  for (const one of after) {
    const wait = one.headers?.find(([name]) => name === 'X-Waited')?.[1];
    run.wait(Number(wait ?? 1.05)).add({ ...atPace, ...one });
  }
  const inputs = { ...RUN.inputs, exhaustedKey: false, spendDay: true, exclusiveKey: exclusive };
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

const rows: readonly [description: string, verdict: Verdict, spent: Spent, says: RegExp][] = [
  [
    'the quota of a day, then 429',
    'pass',
    { accepted: 90, after: [limited()] },
    /^After 150 accepted requests/,
  ],
  [
    'a bucket gives one back after the wait that it announces',
    'pass',
    { accepted: 90, after: [limited(150), success(151), limited(576)] },
    /After the announced wait exchange 152 .* was accepted/,
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
  [
    'half the quota in portions',
    'warn',
    { accepted: 15, after: [limited(500)], exclusive: true },
    /smaller bursts/,
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
  [
    '403 beyond the quota',
    'fail',
    { accepted: 90, after: [{ status: 403, body: '{}' }], exclusive: true },
    /received 403 in exchange 151/,
  ],
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
