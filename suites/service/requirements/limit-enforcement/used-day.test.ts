import { virtualRun } from '../../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import { testJudges } from '../../../../evaluation/testing/suites/verdict-rows.ts';
import type { JournalLine } from '../../model/journal.ts';
import { EXHAUSTED_KEY_REQUESTS, exhaustedDay } from '../../probes/other-callers.ts';
import { preflight } from '../../probes/preflight.ts';
import { spendDay } from '../../probes/spend-day.ts';

const { each, fail, inconclusive, notTested, pass, rowsOf, warn } = edit;
const exhausted = edit.asked(exhaustedDay.id);

/** A day of 150 requests, of which the run used 60 before it uses the rest. */
const LIMITS = { perMinute: 60, perDay: 150, minuteSeconds: 60, daySeconds: 86_400 };
const USED_BEFORE = 60;
/** From the first request of the day to its end, in seconds, after as many requests at an even pace as the rest holds. */
const TO_END = LIMITS.daySeconds - 215;

/** A response, and how long after the one before it its request was sent, in seconds. */
type Later = readonly [staged: StagedExchange, waited?: number | undefined];

/** The first requests of the day, then as many at the even pace that are accepted, and these after them. */
function day(accepted: number, after: readonly Later[], first: StagedExchange = {}): Synthesis {
  // The clock of a run begins when its machine does.
  const run = new Synthesis().wait(30 * LIMITS.daySeconds);
  for (let i = 0; i < USED_BEFORE; i += 1)
    run.add({ left: 59 - i, probe: preflight.id, ...(i === 0 ? first : {}) });
  run.wait(120);
  const served: readonly Later[] = Array.from({ length: accepted }, () => [{ left: 57 }]);
  for (const [one, waited = 1.05] of [...served, ...after])
    run.wait(waited).add({ probe: spendDay.id, step: spendDay.steps.atPace, ...one });
  return run;
}

const linesOf = (run: Synthesis, inputs: Partial<typeof RUN.inputs> = {}): readonly JournalLine[] =>
  run.lines({ limits: LIMITS, inputs: { ...RUN.inputs, exhaustedKey: false, spendDay: true, ...inputs } });

const shared =
  (...args: Parameters<typeof day>): edit.Change =>
  () =>
    linesOf(day(...args));

/** Of a key that no other client uses. */
const alone =
  (...args: Parameters<typeof day>): edit.Change =>
  () =>
    linesOf(day(...args), { exclusiveKey: true });

const servesExhausted: edit.Change = () => {
  const run = day(90, [limited()]);
  for (let i = 0; i < EXHAUSTED_KEY_REQUESTS; i += 1)
    run.add({ probe: exhaustedDay.id, caller: 'exhausted' });
  return linesOf(run, { exhaustedKey: true });
};

/** A 429 with the end of the day, or what it announces instead, in seconds. */
function limited(retryAfter: number = TO_END, waited?: number, more: StagedExchange = {}): Later {
  return [
    { status: 429, left: 0, limit: 150, headers: [['Retry-After', String(retryAfter)]], ...more },
    waited,
  ];
}
const ofMinute = limited(30, 1.05, { limit: 60 });
const success = (waited: number): Later => [{ left: 57 }, waited];
/** Twice a 429 about the minute, and an accepted request between. */
const minuteTwice = [ofMinute, success(31), ofMinute];

/** Five further requests of the exhausted key are accepted, or changed so. */
const serves = (...edits: readonly edit.Edit[]): edit.Change =>
  edit.all(
    edit.at(exhausted, edit.status(200), edit.responseBody([]), ...edits),
    edit.repeatedly(exhausted, 5),
  );

testJudges(
  'limit-enforcement/used-day',
  (await virtualRun()).lines,
  rowsOf('LIMIT-9', {
    'a used day is served': fail(serves(edit.header('X-RateLimit-Remaining', '0'))),
    'a used day is served, and the headers describe the minute': fail(
      serves(edit.header('X-RateLimit-Limit', '60'), edit.header('X-RateLimit-Remaining', '40')),
    ),
    'a used day is served once, and no more were sent': inconclusive(
      edit.at(exhausted, edit.status(200), edit.responseBody([]), edit.header('X-RateLimit-Remaining', '0')),
    ),
    'a rolling day gives one back, and then refuses': pass(
      edit.precededBy(
        exhausted,
        edit.status(200),
        edit.responseBody([]),
        edit.header('X-RateLimit-Remaining', '0'),
      ),
    ),
    'the day is not spent, as the headers say': inconclusive(
      serves(edit.header('X-RateLimit-Limit', '1000'), edit.header('X-RateLimit-Remaining', '1')),
    ),
    'a wait of a minute, rounded up': inconclusive(
      edit.at(exhausted, edit.header('X-RateLimit-Limit', '60'), edit.header('Retry-After', '62')),
    ),
    'a second longer than that': pass(
      edit.at(exhausted, edit.header('X-RateLimit-Limit', '60'), edit.header('Retry-After', '63')),
    ),
    'neither a success nor a 429': inconclusive(
      serves(edit.status(500), edit.header('X-RateLimit-Remaining', '0')),
    ),
    'a day that ends within the minute': pass(edit.at(exhausted, edit.header('Retry-After', '30'))),
    'no such key': notTested(edit.inputs({ exhaustedKey: false })),
    'the quota of a day, then 429': pass(shared(90, [limited()]), /^After 150 accepted requests/),
    'the quota of a day, then 429, and an exhausted key that is served': fail(
      servesExhausted,
      /^Expected 429 for a key whose daily quota is exhausted/,
    ),
    'the quota of a day, and after its 429 one about the minute': pass(shared(90, [limited(), ofMinute])),
    'a short wait at the end of the quota, while some of the minute is left': pass(
      shared(90, [limited(30, 1.05, { limit: 60, left: 10 })]),
    ),
    'a 429 that may be about the minute': inconclusive(
      shared(90, minuteTwice),
      /Nothing in the 429 shows that it is about the day/,
    ),
    'a wait as for a minute after more than a day’s quota': inconclusive(
      shared(180, minuteTwice),
      /another client may have exhausted the quota of the minute/,
    ),
    'no 429 at all': fail(shared(245, []), /received 30\d accepted requests/),
    'twice the quota, and the end of a day that began with the first request': fail(
      shared(240, [limited(LIMITS.daySeconds - 380)]),
      /Only a day that began during these requests could explain them/,
    ),
    'a 429 of another client’s minute between, then the end of a day that began meanwhile': pass(
      shared(180, [ofMinute, success(31), limited(LIMITS.daySeconds - 100)]),
      /After 241 accepted requests/,
    ),
    'half the quota of a key that nobody else uses': fail(
      alone(15, [limited()]),
      /^Expected 150 accepted requests in a day, but received 429 after 75 requests/,
    ),
    ...each([75, 140], (left) => [
      `half the quota, and the first response has Remaining ${left} of the day`,
      inconclusive(
        alone(15, [limited()], { left, limit: 150 }),
        /exchange 1 .* shows that some of the day was used before this run/,
      ),
    ]),
    'half the quota, and the first response has all but what may be under way': fail(
      alone(15, [limited()], { left: 141, limit: 150 }),
    ),
    'half the quota, and the response before has what is left of the day': fail(
      alone(15, [[{ left: 74, limit: 150 }], limited()]),
    ),
    'half the quota in portions': warn(alone(15, [limited(577)]), /smaller bursts/),
    'half the quota, and a wait that is longer than that of a portion': fail(alone(15, [limited(578)])),
    'the same where another client may use the key': inconclusive(
      shared(90, [limited(60), limited(60, 61), limited(60, 61)]),
      /Another client of the key/,
    ),
    'a wait of a minute, in vain once': pass(alone(90, [limited(60), limited(60, 61), success(61)])),
    ...each([604_800, 90_003], (wait) => [
      `a wait of ${wait} s, longer than any day`,
      warn(shared(90, [limited(wait)]), /at most a day/),
    ]),
    'a wait of the longest day': pass(shared(90, [limited(90_002)])),
    ...each([400, 403, 499], (status) => [
      `${status} beyond the quota`,
      fail(alone(90, [[{ status, body: '{}' }]]), /received 4.. in exchange 151/),
    ]),
    ...each(
      [
        [90, 500],
        [89, 403],
        [50, 403],
      ],
      ([accepted, status]) => [
        `${status} after ${accepted} at the even pace`,
        inconclusive(alone(accepted, [[{ status, body: '{}' }]]), /No 429 about the day was received/),
      ],
    ),
  }),
);
