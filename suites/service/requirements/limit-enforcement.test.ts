import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import {
  afterPenalty,
  anew,
  bare,
  claiming,
  controlled,
  counts,
  exclusively,
  falls,
  gets,
  halfWindows,
  isRateLimited,
  lost,
  over,
  paced,
  posts,
  used,
  withOneReset,
  workers,
} from '../../../evaluation/testing/suites/uses.ts';
import { testJudges } from '../../../evaluation/testing/suites/verdict-rows.ts';
import { CONTROL_ROUNDS } from '../probes/other-callers.ts';
import { fullBurst, pacedWindow } from '../probes/paced-window.ts';
import { preflight } from '../probes/preflight.ts';
import { recovery } from '../probes/recovery.ts';

const { lines } = await virtualRun();
const { answered, at, asked, both } = edit;
const { each, fail, inconclusive, notTested, pass, rowsOf, warn } = edit;

/** A run that ends with a 429 which asks for an hour; each Reset names the end of that hour. */
const longerWindow = edit.all(
  edit.cutAfter('exhaust-quota'),
  edit.turnAt(
    ({ caller }) => caller === 'key',
    'X-RateLimit-Reset',
    (text) => String(Number(text) + 3600),
  ),
  at(both(asked('exhaust-quota'), answered(429)), edit.header('Retry-After', '3600')),
);

/** A quota that is used up in each window, up to a 429 in the first; these are the ends that they announce. */
function windowsUntil(...ends: readonly number[]): Synthesis {
  const run = new Synthesis();
  for (const [i, reset] of ends.entries()) {
    const sent = i === 0 ? {} : { probe: recovery.id, sent: 1000 * (ends[i - 1] ?? 0) + 5 };
    run.add({
      left: 59,
      reset,
      ...(i === 0 ? { probe: 'preflight', step: preflight.steps.baseline } : sent),
    });
    for (let left = 58; left >= 0; left -= 1) run.add({ left, reset });
    if (i === 0) run.add(isRateLimited(reset, { reset }));
  }
  return run;
}

/** The end of the quota once more, after as many requests: an exclusive key is repeated once. */
const again = (run: Synthesis, count: number): Synthesis => anew(run, count, [0, isRateLimited(60)]);

/** What requests at the pace of the plan show after a 429 that asks for more than a window. */
const pacedRows = [
  ...rowsOf('LIMIT-2', {
    'forty after a window that began anew, and thirty before it': inconclusive(() => {
      const run = used(30).wait(61);
      for (let left = 59; left > 19; left -= 1) run.add({ left });
      return run.add(isRateLimited(50));
    }),
    'a wait of two windows after ten, and 65 accepted at the pace of the plan': warn(paced(10, 65)),
    'a wait of a window after forty, and 65 at the pace of the plan: a window of forty may end among them':
      inconclusive(exclusively(paced(40, 65, 60, 2))),
    'a wait of a window after forty, and 125 accepted at the pace of the plan': warn(
      exclusively(paced(40, 125, 60, 2)),
    ),
    'a wait of a window after twenty, and twenty more until the next 429': fail(
      exclusively(again(paced(20, 20, 60, 2).add({ probe: pacedWindow.id, ...isRateLimited(40) }), 20)),
    ),
  }),
  ...rowsOf('LIMIT-4', {
    'a wait of two windows, and 65 accepted at the pace of the plan': warn(paced(60, 65)),
  }),
];

/** The same without the line that says how the run ended. */
const brokenOff = (run: Synthesis) => run.lines().filter(({ kind }) => kind !== 'end');

const stored = (): Synthesis => counts(...posts(58, 57), ...gets(59), ...posts(56));

/** The key with another space before it has a count of its own. */
const strangers = at(asked('presentations', 'extra spaces'), edit.header('X-RateLimit-Remaining', '51'));

const otherCaller = asked('other-caller');

/** Two control rounds of one count for both callers. */
const oneCount = () => controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 48 }).lines();

/** What speaks for and against callers that are counted apart (LIMIT-7). */
const isolationRows = rowsOf('LIMIT-7', {
  'the other caller is answered': pass(edit.unchanged),
  ...each(
    [
      ['one count for both callers', 57, 48, fail],
      ['one count for both callers, of which one request less is accepted, and then one more', 56, 49, fail],
      ['one bucket for both callers, into which a request flows back', 57, 49, fail],
      ['a count that holds two less than the limit in the first round', 55, 47, inconclusive],
      ['a count that holds two less than the limit', 55, 46, inconclusive],
      ['a count that holds two more than the limit', 59, 50, inconclusive],
    ],
    ([what, one, two, is]) => [
      `a 429 to the other caller each time: ${what}`,
      is(controlled({ before: 3, allowed: one }, { before: 12, allowed: two })),
    ],
  ),
  'one count for both callers, but the other caller got a 429 before the key was used': inconclusive(
    at(
      edit.first(asked('other-caller-again', CONTROL_ROUNDS[0].otherCallerFirst)),
      edit.status(429),
    )(oneCount()),
  ),
  'one count for both callers, but the other caller got no 429 at first': inconclusive(
    at(otherCaller, edit.status(500))(oneCount()),
  ),
  'one count for both callers, and one response of the key under test that was lost': inconclusive(
    at(
      edit.first(({ probe, caller }) => probe === 'other-caller-again' && caller === 'key'),
      edit.silent('timeout'),
    )(oneCount()),
  ),
  'the other caller is answered in the first control round': pass(
    controlled({ before: 3, allowed: 60, last: { status: 200 } }),
  ),
  'the other caller gets no answer in the second control round': inconclusive(
    controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 48, last: { noResponse: 'timeout' } }),
  ),
  'no second key': notTested(edit.all(edit.inputs({ otherKey: false }), edit.without(otherCaller))),
});

const { together, apart, togetherAgain } = fullBurst.steps;

/** A bucket of three that was exhausted one by one, with a 429 that asks for a second. */
const exhaustedBucket = (): Synthesis =>
  new Synthesis()
    .wait(122)
    .add({ probe: preflight.id, step: preflight.steps.baselineAfterIdle, left: 2 })
    .add({ left: 1 })
    .add({ left: 0 })
    .add(isRateLimited(1));

/** Adds this many requests at the same time from a full bucket, of which the first ones are accepted. */
const batch = (run: Synthesis, step: StagedExchange['step'], sent: number, taken: number): Synthesis =>
  run.wait(62).together(sent, (i) => ({
    probe: fullBurst.id,
    step: step ?? together,
    ...(i < taken ? { left: 0 } : isRateLimited(1)),
  }));

/** Adds requests one after another from a full bucket, up to a 429, with this pause before the second, in seconds. */
function oneByOne(run: Synthesis, taken: number, pause: number): Synthesis {
  run.wait(62).add({ probe: fullBurst.id, step: apart, left: 2 }).wait(pause);
  for (let n = 1; n < taken; n += 1) run.add({ probe: fullBurst.id, step: apart, left: Math.max(0, 2 - n) });
  return run.add({ probe: fullBurst.id, step: apart, ...isRateLimited(1) });
}

const allTaken = (): Synthesis => batch(exhaustedBucket(), together, 4, 4);

/** What speaks for and against a small bucket under requests at the same time (LIMIT-6). */
const smallBucketRows = rowsOf('LIMIT-6', {
  'a full bucket of three accepts three of four at the same time': pass(
    batch(exhaustedBucket(), together, 4, 3),
  ),
  'a full bucket of three accepts two of four at the same time: another limit came first': inconclusive(
    batch(exhaustedBucket(), together, 4, 2),
  ),
  'a full bucket of three accepts four at the same time, twice, and three one after another': fail(
    batch(oneByOne(allTaken(), 3, 0.1), togetherAgain, 4, 4),
  ),
  'the same with a key of no other client, and one response states that more is left: a busy service may send 429 at random':
    inconclusive(
      exclusively(
        batch(oneByOne(allTaken(), 3, 0.1), togetherAgain, 4, 4)
          .wait(62)
          .add({ left: 7 }),
      ),
    ),
  'a full bucket accepts four at the same time, twice, and two one after another, where it had accepted three':
    inconclusive(batch(oneByOne(allTaken(), 2, 0.1), togetherAgain, 3, 3)),
  'three one after another took less time than four at the same time': inconclusive(
    oneByOne(allTaken(), 3, 0.1)
      .wait(62)
      .together(4, () => ({ probe: fullBurst.id, step: togetherAgain, left: 0, received: 400_000 })),
  ),
});

testJudges('limit-enforcement', lines, [
  ...rowsOf('LIMIT-1', {
    '429 after 60, without headers': pass(used(60, bare).add(isRateLimited(60, bare))),
    'refused with 403': pass(used(60).add({ status: 403, left: 0 })),
  }),
  ...pacedRows,
  ...rowsOf('LIMIT-4', {
    'a Retry-After longer than this run waits': inconclusive(used(60).add(isRateLimited(600))),
    'a penalty of two windows, and then a window as it should be (K07)': warn(afterPenalty(59)),
    'a wait of two windows after fifty, and then a window as it should be': inconclusive(
      afterPenalty(59, 50),
    ),
    'a wait of two windows, after which 57 of 59 are back in 59.9 s': inconclusive(
      afterPenalty(57, 60, 59.9),
    ),
    'two windows of half a minute': fail(halfWindows()),
    'two windows of half a minute, and a fall by more than was sent: another count may have been full': pass(
      halfWindows().add({ left: 3 }),
    ),
    'the same, used shortly before it ends': pass(halfWindows(26, 28)),
    ...each(['X-RateLimit-Reset', 'Date'], (name) => [
      `four windows in a row, of which no response has ${name}`,
      pass(at(() => true, edit.header(name))(windowsUntil(60, 120, 180, 240, 300).lines())),
    ]),
    'three windows in a row that are each two seconds too short': fail(windowsUntil(60, 118, 176, 234, 292)),
    'the same after two windows as they should be': fail(windowsUntil(60, 120, 180, 238, 296, 354)),
    'a window of ten minutes, of which a minute later nothing is back': fail(
      withOneReset(afterPenalty(0), 600),
    ),
    'the same, where Reset is over by then': inconclusive(withOneReset(afterPenalty(0), 150)),
    'the same, where each response announces another Reset': inconclusive(afterPenalty(0)),
    'twenty that come back after a second, and twenty more in the five after it': fail(
      used(60).add(isRateLimited(1)).wait(1).add({ left: 20 }).wait(5).add({ left: 39 }),
    ),
    'the same where a 429 of another limit shows nothing left between two requests that do': pass(
      used(20).add(isRateLimited(1)).wait(1).add({ left: 38 }).wait(5).add({ left: 59 }),
    ),
    'the same where requests without headers, under way with an accepted one, used what it had left': fail(
      used(20)
        .together(40, (i) => (i < 39 ? bare : { left: 39 }))
        .add(isRateLimited(1))
        .wait(1)
        .add({ left: 20 })
        .wait(5)
        .add({ left: 39 }),
    ),
    'the same by two workers that keep counts of their own': inconclusive(
      workers(isRateLimited(1)).wait(1).add({ left: 20 }).wait(5).add({ left: 39 }),
    ),
    'requests before the 429 that are not counted, which RATE-7 judges': pass(
      falls(0, 0, 0, 0, 0).add(isRateLimited(60)).wait(60).add({ probe: recovery.id, left: 59 }),
    ),
    'nothing was accepted after the 429': inconclusive(used(60).add(isRateLimited(60))),
    'a longer window, announced from the first response to the 429': fail(longerWindow),
    'the same where a part was used before the run: it may be the quota of a day': inconclusive(
      edit.all(longerWindow, at(asked('preflight'), edit.header('X-RateLimit-Remaining', '55'))),
    ),
  }),
  ...rowsOf('LIMIT-5', {
    'one count': pass(edit.unchanged),
    'one count for each method': fail(
      counts(...gets(58, 57, 56, 55), ...posts(59, 58), ...gets(54), ...posts(57)),
    ),
    'one count for each path': fail(
      counts(...gets(58, 57, 56), { path: '/store/orders', left: 59 }, ...gets(55), {
        path: '/pets/1',
        left: 59,
      }),
    ),
    ...each(
      [
        [404, 'are not there', pass],
        [300, 'are elsewhere, as a gateway says', pass],
        [302, 'are elsewhere, as a gateway says', pass],
        [400, 'need something else', inconclusive],
        [500, 'are broken', inconclusive],
      ],
      ([code, what, judged]) => [
        `the other paths ${what} (${code})`,
        judged(at(asked('other-operations'), edit.status(code), edit.header('X-RateLimit-Remaining'))),
      ],
    ),
    'no headers, and no 429': inconclusive(
      new Synthesis()
        .add({ probe: 'preflight', step: preflight.steps.baseline, ...bare })
        .add(...[...gets(1, 1, 1), ...posts(1, 1)].map((one) => ({ ...one, ...bare }))),
    ),
    ...each(
      [
        ['creations that are not counted', [...posts(59, 59, 59, 59, 59, 59), ...gets(58, 57)]],
        ['a Remaining that no count explains', gets(58, 58, 58, 57, 57, 57, 56, 56)],
      ],
      ([what, staged]) => [`${what}, of lists and creations`, inconclusive(counts(...staged))],
    ),
    'one count for each method, in a run that broke off': inconclusive(
      brokenOff(counts(...gets(58, 57, 56, 55), ...posts(59, 58), ...gets(54), ...posts(57))),
    ),
    'more accepted than the limit allows': inconclusive(used(62).add(...posts(0))),
    'a list that a cache had stored, between creations': inconclusive(stored),
    'only one method was asked': inconclusive(used(60).add(isRateLimited(60))),
  }),
  ...rowsOf('LIMIT-6', {
    'batches count': pass(edit.unchanged),
    'of six at the same time one or two count': fail(lost()),
    'each of two workers keeps a count of its own': fail(workers()),
    'of six at the same time one or two count, in a run that broke off': inconclusive(brokenOff(lost())),
  }),
  ...smallBucketRows,
  ...isolationRows,
  ...rowsOf('LIMIT-8', {
    'one count': pass(edit.unchanged),
    'one count for each connection': fail(
      counts(...gets(58, 57, 56), ...over(2, 59, 58), ...gets(55), ...over(3, 59)),
    ),
    'several counts that no connection tells apart': inconclusive(
      workers(...claiming('203.0.113.7', 50, 49)),
    ),
    'the key with another space before it is accepted and counted as a stranger’s': warn(strangers),
    'the same under a Reset that follows the clock: a window may have begun anew': pass((lines) =>
      strangers(lines).map((line, i) =>
        line.kind === 'exchange'
          ? edit.turn('X-RateLimit-Reset', (text) => String(Number(text) + i))(line)
          : line,
      ),
    ),
    'the key with another space before it gets 401 and another count': pass(
      edit.all(strangers, at(asked('presentations', 'extra spaces'), edit.status(401))),
    ),
  }),
]);
