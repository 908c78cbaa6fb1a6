import { preflight } from '../../../suites/probes/preflight.ts';
import * as edit from './edits.ts';
import type { VerdictRow } from './rows.ts';
import { Synthesis, UNKNOWN_STEP } from './synthetic.ts';
import { anew, bare, counts, dropped, gets, isRateLimited, used } from './uses.ts';

/** Refused after so many requests, and then after these, each time from a limit that was left alone. */
const early = (first: number, ...then: readonly number[]) =>
  then.reduce((run, count) => anew(run, count, [0, isRateLimited(55)]), used(first).add(isRateLimited(55)));

/** Answered 403 beyond the limit, and then with these. */
const forbidden = (...then: readonly number[]) =>
  then.reduce(
    (run, status) => anew(run, 60, [0, { status, left: 0 }]),
    used(60).add({ status: 403, left: 0 }),
  );

/** Refused after 50 each time, and each time one answer after it says what is left of the day. */
const early50 = (first: number, ...then: readonly number[]) =>
  then.reduce(
    (run, left) => anew(run, 50, [0, isRateLimited(55)], [55, { limit: 1000, left }]),
    used(50).add(isRateLimited(55)).wait(55).add({ limit: 1000, left: first }),
  );

/** So many answers more that say that nobody is there. */
function unavailable(count: number, run: Synthesis): Synthesis {
  for (let i = 0; i < count; i += 1) run.add({ status: 503, left: null });
  return run;
}

/** What speaks for and against the refusal itself: when it comes (LIMIT-2), and with which status (LIMIT-3). */
export const rateLimitedRows: readonly VerdictRow[] = [
  { id: 'LIMIT-2', says: '60 accepted', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'LIMIT-2',
    says: 'refused after 50, each time',
    journal: () => early(50, 50, 51).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-2',
    says: 'refused after 50 once, and it was not tried again (K38)',
    journal: () => used(50).add(isRateLimited(55)).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-2',
    says: 'refused after 50 twice, and after 60 then (K38)',
    journal: () => early(50, 50, 60).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-2',
    says: 'refused too early five times, after another number of requests each time',
    journal: () => early(50, 40, 45, 52, 41).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-2',
    says: 'refused after 50, 40 and 30, as somebody else happens to come between (K38)',
    journal: () => early(50, 40, 30).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-2',
    says: 'refused after 50 each time, while the day falls by what was used',
    journal: () => early50(948, 896, 844).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-2',
    says: 'refused after 50 each time, while the day falls although the key rests (K38)',
    journal: () => early50(948, 700, 500).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-2',
    says: 'refused after 10, to come again in a second (K17, K18)',
    journal: () => used(10).add(isRateLimited(1)).lines(),
    verdict: 'warn',
  },
  {
    id: 'LIMIT-2',
    says: 'refused after 10 for as long as a penalty (K07)',
    journal: () => used(10).add(isRateLimited(120)).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-2',
    says: 'the day is spent (K40)',
    journal: () =>
      used(10)
        .add(isRateLimited(40_000, { limit: 1000 }))
        .lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-2',
    says: 'the key was in use already (K38)',
    journal: () =>
      new Synthesis()
        .add({ probe: 'preflight', step: preflight.steps.baseline, left: 30 })
        .add(isRateLimited(55))
        .lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-2',
    says: 'the very first is refused (K39)',
    journal: () =>
      new Synthesis().add(isRateLimited(55, { probe: 'preflight', step: preflight.steps.baseline })).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-2',
    says: 'somebody else uses the key',
    journal: () => counts(...gets(58, 50, 49, 20, 19), isRateLimited(55)).lines(),
    verdict: 'inconclusive',
  },
  { id: 'LIMIT-3', says: '429', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'LIMIT-3',
    says: 'a list of which only an excerpt of white space was kept, when nothing was left',
    journal: (lines) => unread(edit.cut)(lines),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-3',
    says: 'a list that broke off, when nothing was left',
    journal: (lines) => unread(edit.broken)(lines),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-3',
    says: 'a list in a coding that was not unpacked, when nothing was left',
    journal: (lines) =>
      unread(edit.responseBody('\u001f\u008b'), edit.header('Content-Encoding', 'gzip'))(lines),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-3',
    says: 'a list behind much white space, when nothing was left',
    journal: (lines) => unread(edit.responseBody(`${' '.repeat(20_000)}[]`))(lines),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-3',
    says: 'an Error behind much white space, when nothing was left',
    journal: (lines) => unread(edit.responseBody(`${' '.repeat(20_000)}{"status":429}`))(lines),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-3',
    says: '403, each time',
    journal: () => forbidden(403, 403).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-3',
    says: '403 once, as whoever is banned for what somebody else did',
    journal: () => used(60).add({ status: 403, left: 0 }).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-3',
    says: '403 once, and 429 when it was tried again',
    journal: () => forbidden(429, 429).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-3',
    says: '503, as often as it is asked',
    journal: () => unavailable(3, used(60, bare)).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-3',
    says: '503 once beyond the limit, as a gateway that is alone for a moment, and then 429',
    journal: () => unavailable(1, used(60)).add(isRateLimited(55)).lines(),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-3',
    says: '503 once beyond the limit, and nothing was asked after it',
    journal: () => unavailable(1, used(60)).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-3',
    says: '200 with an Error',
    journal: () => used(60).add({ left: 0, body: '{"code":"a","message":"b","status":429}' }).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-3',
    says: 'three dropped connections',
    journal: () => dropped(3, used(60)).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-3',
    says: 'three lost answers over a network that lost others',
    journal: () => dropped(3, dropped(1, used(59)).add({ left: 0 })).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-3',
    says: 'two lost answers',
    journal: () => dropped(2, used(60)).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-3',
    says: 'a 500 long before the limit',
    journal: () => used(10).add({ status: 500 }).lines(),
    verdict: 'inconclusive',
  },
];

/** The answer to one more list, when nothing is left, is changed so. */
function unread(...edits: readonly edit.Edit[]): edit.Change {
  const run = used(60).add({ left: 0, step: UNKNOWN_STEP });
  return () => edit.at((one) => one.step === UNKNOWN_STEP, ...edits)(run.lines());
}
