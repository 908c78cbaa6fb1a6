import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { Where } from '../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf, warn } from '../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import {
  anew,
  bare,
  counts,
  falls,
  gets,
  isRateLimited,
  paced,
  posts,
  thrice,
  used,
  workers,
} from '../../../evaluation/testing/suites/uses.ts';
import { testJudges } from '../../../evaluation/testing/suites/verdict-rows.ts';
import { RATE_HEADERS } from '../../../kernel/exchanges/judged-headers.ts';
import { refill } from '../probes/recovery.ts';

const { lines } = await virtualRun();
const { at, asked, answered, both } = edit;
const [LIMIT, REMAINING, RESET] = RATE_HEADERS;
const look = asked('preflight');
const limited = both(asked('exhaust-quota'), answered(429));

/** What speaks for and against the presence of the three headers, shown in the answers that `where` names. */
const presenceRows = (id: 'RATE-1' | 'RATE-2' | 'RATE-3' | 'RATE-4', where: Where) =>
  rowsOf(id, {
    'all three': pass(edit.unchanged),
    ...each(RATE_HEADERS, (name) => [`no ${name}`, fail(at(where, edit.header(name)))]),
    'one value of two lines that a gateway joined (K71)': warn(at(where, edit.header(LIMIT, '60, 60'))),
    'a line twice with two values': fail(at(where, edit.header(LIMIT, '60', '1000'))),
    'missing in an answer that a cache gave': pass(at(where, edit.header(RESET), edit.header('Age', '5'))),
  });

/** The request as one for a named operation. */
const ofOrders: edit.Edit = (exchange) => ({
  ...exchange,
  request: { ...exchange.request, method: 'GET', target: '/v1/store/orders', body: null },
});

/** RATE-4 where a named operation exhausted the quota. */
const namedLimitRows = rowsOf('RATE-4', {
  'a 429 of a named operation alone, without them': fail(
    edit.all(at(asked('other-operations'), edit.status(200)), at(limited, ofOrders, edit.withoutRateHeaders)),
  ),
  'a 429 of a named operation that never succeeds, without them': pass(
    at(limited, ofOrders, edit.withoutRateHeaders),
  ),
});

/** A list that the client has already: "Every API response carries" the headers. */
const conditionalListRows = rowsOf('RATE-1', {
  'a conditional list that returns 304, without them': warn(
    edit.at(edit.asked('identities'), edit.status(304), edit.withoutRateHeaders),
  ),
});

/** Accepted lists with these values of Remaining, of the day. */
const ofTheDay = (...left: readonly number[]): readonly StagedExchange[] =>
  gets(...left).map((one) => ({ ...one, limit: 1000 }));

/** A 429 for most of a minute, right after a response with Remaining above 0. */
const promised = () => falls(1, 1).add(isRateLimited(50));

/** The same in a window after these, for the next request, as of a small bucket. */
const promisedLater = (run: Synthesis): Synthesis =>
  run.wait(61).add(...[...gets(59, 58), isRateLimited(1)].map((one) => ({ ...one, probe: refill.id })));

/** What Remaining promises before a 429, and says on it: RATE-8. */
const remainingRows = rowsOf('RATE-8', {
  'the 429 describes the day (K23)': pass(
    edit.at(limited, edit.header('X-RateLimit-Limit', '1000'), edit.header('X-RateLimit-Remaining', '900')),
  ),
  'a 429 that promises some': fail(edit.at(limited, edit.header('X-RateLimit-Remaining', '3'))),
  'a 429 right after a promise, each time': fail(thrice(promised(), 3, [0, isRateLimited(50)])),
  'a 429 that promises some too early, each time, without a promise before it': fail(
    thrice(used(40, bare).add(isRateLimited(50, { left: 1 })), 40, [0, isRateLimited(50, { left: 1 })]),
  ),
  'the same, and in another window a 429 of a small bucket': fail(
    thrice(promisedLater(used(40, bare).add(isRateLimited(50, { left: 1 }))), 40, [
      0,
      isRateLimited(50, { left: 1 }),
    ]),
  ),
  'the same once, and in another window a 429 of a small bucket': warn(
    promisedLater(used(60).add(isRateLimited(60, { left: 5 }))),
  ),
  'a 429 right after a promise, and none when it was tried again': inconclusive(anew(promised(), 20)),
  'a 429 right after a promise, and one of the day when it was tried again': inconclusive(
    anew(promised(), 3, [0, isRateLimited(4000)]),
  ),
  'a 429 right after a promise once, and it was not tried again (K38)': inconclusive(promised()),
  'a 429 right after a promise of another number each time (K38)': inconclusive(
    anew(anew(promised(), 3, [0, isRateLimited(50)]), 30, [0, isRateLimited(50)]),
  ),
  'the same with the wait of a penalty (K07)': inconclusive(
    falls(1, 1).add({ status: 429, left: 0, headers: [['Retry-After', '120']] }),
  ),
  'the same, and 65 accepted at the pace of the plan': warn(paced(10, 65)),
  'the daily quota is exhausted by earlier runs (K40)': inconclusive(
    falls(1, 1).add({ status: 429, left: 0, limit: 1000, headers: [['Retry-After', '40000']] }),
  ),
  'a 429 that promises some, right after an odd presentation, and not tried again (K38)': inconclusive(
    counts({ caller: 'unspecified', left: 58 }, isRateLimited(60, { left: 58 })),
  ),
  'a 429 in a batch for which Remaining was enough, where each request takes two': pass(
    falls(...Array<number>(28).fill(2)).together(3, (i) => (i === 0 ? { left: 1 } : isRateLimited(50))),
  ),
  'a 429 right after a promise of one of two workers': inconclusive(
    workers(isRateLimited(50)),
    /Remaining is not one count/,
  ),
  'no 429': inconclusive(falls(1, 1)),
});

testJudges('rate-limit-headers', lines, [
  ...presenceRows('RATE-1', look),
  ...presenceRows('RATE-1', asked('first-creation')),
  ...presenceRows('RATE-2', asked('rejections', 'body is a string')),
  ...presenceRows('RATE-3', asked('unauthenticated-creations', 'creation without a key')),
  ...presenceRows('RATE-4', limited),
  ...conditionalListRows,
  ...rowsOf('RATE-1', {
    'a named operation that is answered without them': fail(
      at(asked('other-operations'), edit.status(200), edit.withoutRateHeaders),
    ),
  }),
  ...namedLimitRows,

  ...rowsOf('RATE-3', {
    'no 401': inconclusive(edit.without(answered(401))),
  }),
  ...rowsOf('RATE-5', {
    'the number of the minute': pass(edit.unchanged),
    'the number of the day beside a Remaining that rises by a sixth of the minute, long after the start':
      warn(new Synthesis().wait(5000).add(...ofTheDay(50, 60))),
    'the number of the day beside a Remaining that rises to more than the minute': pass(
      new Synthesis().add(...ofTheDay(50, 61)),
    ),
    'the number of the day beside a Remaining that rises by twelve in a quarter of an hour, as a day that rolls gives back':
      pass(
        new Synthesis()
          .add(...ofTheDay(40))
          .wait(900)
          .add(...ofTheDay(52)),
      ),
    'another number': fail(at(look, edit.header(LIMIT, '59'))),
    'a decimal': fail(at(look, edit.header(LIMIT, '60.0'))),
  }),
  ...rowsOf('RATE-6', {
    'Limit itself': pass(at(look, edit.header(REMAINING, '60'))),
    'one more than Limit': fail(at(look, edit.header(REMAINING, '61'))),
    'below zero': fail(at(limited, edit.header(REMAINING, '-1'))),
  }),
  ...rowsOf('RATE-7', {
    'a window turns over in a batch (K09)': pass(
      counts(...gets(58, 57, 56, 55, 54)).together(6, (i) => ({ left: [53, 59, 58, 57, 52, 56][i] ?? 0 })),
    ),
    'a list that a cache had stored, between creations': fail(
      counts(...posts(58, 57), ...gets(59), ...posts(56)),
    ),
    'it never falls': fail(falls(0, 0, 0, 0, 0, 0)),
    'two for each': fail(falls(2, 2, 2, 2, 2)),
    'an odd presentation of the key is counted as a stranger’s': pass(
      at(asked('presentations', 'extra spaces'), edit.header(REMAINING, '51')),
    ),
    'Remaining of the day falls by one for each': pass(new Synthesis().add(...ofTheDay(950, 949, 948))),
    'Remaining of the day falls by more': inconclusive(new Synthesis().add(...ofTheDay(950, 940, 930, 920))),
  }),
  ...remainingRows,
]);
