import { virtualRun } from '../../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import {
  anew,
  bare,
  counts,
  dropped,
  exclusively,
  gets,
  isRateLimited,
  thrice,
  unavailable,
  used,
  withOneReset,
} from '../../../../evaluation/testing/suites/uses.ts';
import { testJudges } from '../../../../evaluation/testing/suites/verdict-rows.ts';
import { ban } from '../../probes/ban.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';
import { preflight } from '../../probes/preflight.ts';
import { unavailableAgain as unavailableProbe } from '../../probes/repetition.ts';

const { lines } = await virtualRun();

/** A creation at the end of the quota. */
const endingCreation = { method: 'POST', step: exhaustQuota.steps.creation, status: 201 } as const;

/** How the disposable key's quota was used before, and what its 429 responses announce; times in seconds. */
interface Beyond {
  /** Remaining of its first response. */
  readonly firstLeft?: number;
  /** The status of its creation within the limit. */
  readonly within?: number;
  /** How many requests it sends beyond the limit. */
  readonly times?: number;
  /** Between two of them. */
  readonly seconds?: number;
  /** The Retry-After of every 429 but the first. */
  readonly wait?: number;
}

/** A disposable key that exceeds its limit: creations, or other requests, each followed by a list that gets 429. */
function beyond(request: StagedExchange, more: Beyond = {}): Synthesis {
  const { firstLeft = 59, within = 201, times = 5, seconds = 0, wait = 60 } = more;
  const run = used(60).add(isRateLimited(60));
  const sent = { probe: ban.id, caller: 'disposable' } as const;
  run.add({ ...sent, step: ban.steps.exhaustQuota, left: firstLeft });
  run.add({ ...sent, method: 'POST', step: ban.steps.creation, status: within, left: firstLeft - 1 });
  for (let left = firstLeft - 2; left >= 0; left -= 1)
    run.add({ ...sent, step: ban.steps.exhaustQuota, left });
  run.add({ ...sent, step: ban.steps.exhaustQuota, ...isRateLimited(60) });
  run.add({ ...sent, step: ban.steps.persist, ...isRateLimited(wait) });
  for (let i = 0; i < times; i += 1) {
    run.wait(seconds).add({ ...sent, method: 'POST', step: ban.steps.persist, ...request });
    run.add({ ...sent, step: ban.steps.persist, ...isRateLimited(wait) });
  }
  return run;
}

/** Rows for LIMIT-1 and LIMIT-3: what a creation at the end of the quota and requests beyond it show about the limit. */
const endOfQuotaRows = [
  ...rowsOf('LIMIT-1', {
    '61 accepted at once, half a minute before Reset': fail(withOneReset(used(61), 30)),
    'a creation accepted beyond the limit of an exact count': fail(
      withOneReset(
        used(59)
          .wait(3)
          .add({ left: 0 })
          .add({ ...endingCreation, left: 0 }),
        60,
      ),
    ),
    'a creation accepted at Remaining 0 after two seconds in which a bucket gives back': inconclusive(
      used(58)
        .wait(2)
        .add({ left: 2 })
        .add({ left: 1 })
        .add({ left: 0 })
        .add({ ...endingCreation, left: 0 }),
    ),
    'a creation that is not accepted for another reason, and then a 429 to a list': pass(
      used(60)
        .add({ ...endingCreation, status: 409, left: 0 })
        .add(isRateLimited(60)),
    ),
    'every creation of the disposable key accepted, as slowly as a bucket gives back': pass(
      beyond({ status: 201, left: 0 }, { seconds: 1.5 }),
    ),
    'every creation of the disposable key accepted, but its quota was used before': pass(
      beyond({ status: 201, left: 0 }, { firstLeft: 40 }),
    ),
    'every creation of the disposable key accepted after a sign of a ban': pass(
      beyond({ status: 201, left: 0 }, { wait: 600 }),
    ),
    ...each(
      [
        ['403', edit.status(403)],
        ['no response', edit.silent('timeout')],
      ],
      ([sign, change]) => [
        `every creation of the disposable key accepted after ${sign}, as where it is banned`,
        pass(
          edit.at(
            edit.first(edit.asked(ban.id, ban.steps.persist)),
            change,
          )(beyond({ status: 201, left: 0 }).lines()),
        ),
      ],
    ),
    '62 requests of the disposable key accepted at once': fail(() => {
      const run = used(60).add(isRateLimited(60));
      for (let i = 0; i < 62; i += 1)
        run.add({ probe: ban.id, caller: 'disposable', left: Math.max(0, 59 - i) });
      return run;
    }),
    'a router that answers beyond the limit for a path that does not exist': pass(
      beyond({ method: 'GET', path: '/pets/1', left: null }),
    ),
    'an operation that is only named and shows the limit, accepted beyond it': fail(
      beyond({ method: 'GET', path: '/store/orders', left: 0 }),
    ),
  }),
  ...rowsOf('LIMIT-3', {
    ...each([400, 403, 499], (status) => [
      `only creations that are rejected with ${status} beyond the limit, and no 429`,
      inconclusive(used(60).add({ ...endingCreation, step: exhaustQuota.steps.parallel, status, left: 0 })),
    ]),
    'a creation among parallel requests that is answered 500 beyond the limit': fail(
      used(60).add({ ...endingCreation, step: exhaustQuota.steps.parallel, status: 500, left: 0 }),
    ),
    'three creations of the disposable key answered 500 between lists that got 429': fail(
      beyond({ status: 500, left: 0 }, { times: 3 }),
    ),
    'every creation of the disposable key answered 503, between a list that got 429 and one that was accepted':
      pass(
        edit.at(
          edit.both(edit.asked(ban.id, ban.steps.persist), ({ n }) => n % 4 === 1),
          edit.status(200),
        )(beyond({ status: 503, left: 0 }, { times: 6 }).lines()),
      ),
    'every creation of the disposable key answered 503 after several lists that got 429': fail(
      edit.repeatedly(
        edit.both(edit.asked(ban.id, ban.steps.persist), edit.answered(429)),
        3,
      )(beyond({ status: 503, left: 0 }).lines()),
    ),
    'two creations of the disposable key answered 503 between lists that got 429': pass(
      beyond({ status: 503, left: 0 }, { times: 2 }),
    ),
    'every creation of the disposable key answered 503 but the first, which was answered 500': pass(
      edit.at(edit.first(edit.answered(503)), edit.status(500))(beyond({ status: 503, left: 0 }).lines()),
    ),
    'every creation of the disposable key answered 409 beyond the limit': pass(
      beyond({ status: 409, left: 0 }),
    ),
    'no creation of the disposable key accepted within its limit either': pass(
      beyond({ status: 503, left: 0 }, { within: 503 }),
    ),
  }),
];

/** A 429 after so many requests, and after these in each repetition, each time from a full quota. */
const early = (first: number, ...then: readonly number[]) =>
  then.reduce((run, count) => anew(run, count, [0, isRateLimited(55)]), used(first).add(isRateLimited(55)));

/** Forty requests from this Remaining on, which is full again at Reset, a second later, and a 429 after thirty more. */
function acrossWindows(left: number): Synthesis {
  const run = new Synthesis().add({ probe: 'preflight', step: preflight.steps.baseline, left, reset: 1 });
  for (let i = 1; i < 40; i += 1) run.add({ left: left - i, reset: 1 });
  run.wait(1);
  for (let i = 0; i < 30; i += 1) run.add({ left: 59 - i, reset: 61 });
  return run.add(isRateLimited(55));
}

/** One worker answers twenty requests, and then two take turns: seventy in all before a 429. */
function byWorkers(): Synthesis {
  const run = used(20);
  for (let i = 0; i < 25; i += 1) run.add({ left: 59 - i }, { left: 39 - i });
  return run.add(isRateLimited(55));
}

/** Adds this many accepted requests whose responses show nothing of the limit. */
const byTurns = (run: Synthesis, count: number): Synthesis =>
  run.add(...Array<StagedExchange>(count).fill(bare));

/** Answered 403 beyond the limit, and then with these; with further headers where some are given. */
const forbidden = (then: readonly number[], headers: StagedExchange['headers'] = []) =>
  then.reduce(
    (run, status) => anew(run, 60, [0, { status, left: 0, headers }]),
    used(60).add({ status: 403, left: 0, headers }),
  );

/** It says that the key is to wait, as a ban would. */
const WAIT: StagedExchange['headers'] = [['Retry-After', '55']];

/** A 429 after 50 requests each time, each followed by a response that shows Remaining of the day. */
const early50 = (first: number, ...then: readonly number[]) =>
  then.reduce(
    (run, left) => anew(run, 50, [0, isRateLimited(55)], [55, { limit: 1000, left }]),
    used(50).add(isRateLimited(55)).wait(55).add({ limit: 1000, left: first }),
  );

/** A 429 after so many requests, and once more after these, of a key that no other client uses. */
const earlyAlone = (first: number, then: number) => exclusively(early(first, then));

/** When the 429 comes (LIMIT-2), and with which status (LIMIT-3). */
const rateLimitedRows = [
  ...rowsOf('LIMIT-2', {
    '60 accepted': pass(edit.unchanged),
    '60 accepted, and no 429': pass(used(60)),
    '59 accepted, then a 500, and no 429': inconclusive(used(59).add({ status: 500 })),
    '429 after 50, each time': fail(early(50, 50, 51, 50)),
    '429 after 31, once, after the Retry-After of an accepted request was waited for': inconclusive(
      exclusively(
        used(30)
          .add({ left: 29, resetIn: 1, headers: [['Retry-After', '1']] })
          .wait(1)
          .add(isRateLimited(60)),
      ),
    ),
    '429 after 50, each time three seconds after the last response, in which another client may use the rest':
      inconclusive(thrice(used(50).wait(3).add(isRateLimited(55)), 50, [3, isRateLimited(55)])),
    '429 after 50, each time with a Retry-After that does not end at Reset, as of a day': inconclusive(
      thrice(used(50).add(isRateLimited(55, { resetIn: 30 })), 50, [0, isRateLimited(55, { resetIn: 30 })]),
    ),
    ...each([49, 51], (then) => [
      `429 after 50, and after ${then} when it was repeated once, of a key that no other client uses`,
      fail(earlyAlone(50, then)),
    ]),
    ...each([48, 52], (then) => [
      `429 after 50, and after ${then} when it was repeated once, of a key that no other client uses: of another limit`,
      inconclusive(earlyAlone(50, then)),
    ]),
    ...each(
      [
        ['none left, as where the minute ended meanwhile', {}, inconclusive],
        ['some left', { left: 9 }, fail],
      ],
      ([what, shown, judged]) => [
        `429 after 50, whose wait does not end at Reset, and after it one with ${what}, of a key that no other client uses`,
        judged(
          exclusively(
            used(50)
              .add(isRateLimited(5, { resetIn: 50 }))
              .wait(5)
              .add(isRateLimited(45, shown)),
          ),
        ),
      ],
    ),
    '429 too early five times, after another number of requests each time': inconclusive(
      early(50, 40, 45, 52, 41),
    ),
    '429 after 50 each time, while the day falls by what was used': fail(early50(948, 896, 844, 792)),
    '429 after 10, to come again in a second (K17, K18)': warn(used(10).add(isRateLimited(1))),
    'the daily quota is exhausted (K40)': inconclusive(used(10).add(isRateLimited(40_000, { limit: 1000 }))),
    'forty, a window of the clock that begins anew, and thirty in it': inconclusive(acrossWindows(59)),
    'the same, and the key was in use already': inconclusive(acrossWindows(45)),
    'seventy answered by two workers that keep counts of their own': pass(byWorkers()),
    'another client uses the key': inconclusive(counts(...gets(58, 50, 49, 20, 19), isRateLimited(55))),
  }),
  ...rowsOf('LIMIT-3', {
    '403 with Retry-After, each time': fail(forbidden([403, 403, 403], WAIT)),
    '403 once, and 429 when it was tried again': inconclusive(forbidden([429, 429, 429])),
    ...each(
      [
        ['beyond the limit, by the headers', () => used(60), { left: 0 }, fail],
        ['while quota remains', () => used(59), { left: 0 }, inconclusive],
        ['for an operation that is no list', () => used(60), { left: 0, path: '/pets/1' }, inconclusive],
      ],
      ([where, run, more, is]) => [
        `200 with an object instead of a list, ${where}`,
        is(run().add({ ...more, body: '{"error":"slow down"}' })),
      ],
    ),
    'five dropped connections': fail(dropped(5, used(60))),
    'two lost answers, and then 503': inconclusive(unavailable(1, dropped(2, used(60)))),
    'another status when nothing is left of a quota that was in use already': fail(() => {
      const run = new Synthesis();
      for (let left = 40; left >= 0; left -= 1) run.add({ left });
      return run.add({ status: 420, left: 0 });
    }),
    'another status after 59 were accepted, among them single ones answered 503': inconclusive(
      byTurns(unavailable(1, byTurns(unavailable(1, used(30, bare)), 10)), 19).add({ status: 420, ...bare }),
    ),
    'an object in place of a list, beside the requests that exhaust the quota': inconclusive(
      used(60).add({ probe: 'recovery', left: 0, body: '{"error":"slow down"}' }),
    ),
    'three lost answers over a network that lost others': inconclusive(
      dropped(3, dropped(1, used(59)).add({ left: 0 })),
    ),
    'two lost answers': inconclusive(dropped(2, used(60))),
    'a 500 long before the limit': inconclusive(used(10).add({ status: 500 })),
  }),
];

/** A round of `unavailable-again` up to the end of the quota: so many requests from a rested key. */
function rested(run: Synthesis, count: number): Synthesis {
  const probe = unavailableProbe.id;
  run.add({ probe, step: preflight.steps.baselineAfterIdle, left: null });
  for (let i = 1; i < count; i += 1) run.add({ probe, left: null });
  return run;
}

/** A quota that ended with 503, and rounds that repeat it: requests before 503, after a rest of 4.5 and 8.5 s, and how many 503. */
function unavailableAgain(
  ...rounds: readonly (readonly [answered: number, back: number, unavailable?: number])[]
): Synthesis {
  const run = unavailable(3, used(60, bare));
  const probe = unavailableProbe.id;
  for (const [i, [answered, back, last = 3]] of rounds.entries()) {
    rested(run.wait(130), answered);
    for (let k = 0; k < last; k += 1) run.add({ probe, status: 503, left: null });
    run.wait(i === 0 ? 4.5 : 8.5);
    const step = unavailableProbe.steps.afterRest;
    for (let k = 0; k < back; k += 1) run.add({ probe, step, left: null });
    const all = 2 * (i === 0 ? 4 : 8) + 3;
    if (back < all) run.add({ probe, step, status: 503, left: null });
  }
  return run;
}

/** Whether a 503 at the end of the quota is a limit or an outage (LIMIT-3). */
const unavailableRows = rowsOf('LIMIT-3', {
  ...each([59, 62], (count) => [
    `503 after sixty and then after ${count}: the limit, and what may flow back meanwhile`,
    fail(unavailableAgain([60, 0], [count, 0])),
  ]),
  ...each([58, 63], (count) => [
    `503 after sixty and then after ${count}`,
    inconclusive(unavailableAgain([60, 0], [count, 0])),
  ]),
  '503 after twenty and then after 21, and as many back as the rate gives': fail(
    unavailableAgain([20, 4], [21, 8]),
  ),
  '503 after twenty and then after 22': inconclusive(unavailableAgain([20, 4], [22, 8])),
  '503 after twenty, and as many back as the rate gives': fail(unavailableAgain([20, 4], [20, 8])),
  '503 after twenty, and up to two more back than the rate gives, as rounding allows': fail(
    unavailableAgain([20, 6], [20, 10]),
  ),
  ...each(
    [
      [7, 11],
      [2, 6],
    ],
    ([one, two]) => [
      `503 after twenty, and ${one} and ${two} back: beyond what rounding allows`,
      inconclusive(unavailableAgain([20, one], [20, two])),
    ],
  ),
  '503 after ten, of which a rest may give all back': fail(unavailableAgain([10, 4], [10, 8])),
  '503 after six, of which each rest may give all back': inconclusive(unavailableAgain([6, 4], [6, 6])),
  '503 at the limit of the plan, only twice in a row in each repetition': inconclusive(
    unavailableAgain([60, 0, 2], [60, 0, 2]),
  ),
  '503 after twenty, and one fewer back than the rate gives, as rounding allows': fail(
    unavailableAgain([20, 3], [20, 7]),
  ),
  '503 at the limit, and 429 when the quota is exhausted again': pass(() => {
    const run = unavailable(3, used(60)).wait(130);
    return rested(run, 60)
      .add({ probe: unavailableProbe.id, ...isRateLimited(55) })
      .lines();
  }),
});

testJudges('limit-enforcement/end-of-quota', lines, [
  ...endOfQuotaRows,
  ...rateLimitedRows,
  ...unavailableRows,
]);
