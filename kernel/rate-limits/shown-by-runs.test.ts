import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { VirtualRun } from '../../evaluation/simulation/virtual-run.ts';
import { virtualRun } from '../../evaluation/simulation/virtual-run.ts';
import { START, Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import * as uses from '../../evaluation/testing/suites/uses.ts';
import { variedJournal } from '../../evaluation/testing/suites/varied-journals.ts';
import { assertPage } from '../../evaluation/testing/tools/page.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../reference-server/catalogue/variants/index.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import { answeredBefore429, causeOf429, first429Of, followsPause, readingThatCovers } from './attribution.ts';
import { oneKindOfAnswer } from './bounds/counted-requests.ts';
import { countedTogether, findSeparateCounters } from './bounds/counters.ts';
import { overrunOf } from './bounds/overrun.ts';
import {
  countsEachAtOnce,
  countsExactlyOneByOne,
  countsSideBySide,
  mayBeUndercounted,
  parallelRequestsOf,
} from './bounds/parallel-requests.ts';
import {
  findJumpWithinOneReset,
  findMiscount,
  fullBeforeReset,
  mayBeFullLater,
  missesOneByOne,
  refilledTooOften,
} from './bounds/refill.ts';
import { acceptedBetween429s } from './bounds/windows.ts';
import { clockProblem } from './clocks.ts';
import { explainDiscrepancy } from './explanation.ts';
import { minuteQuota } from './quota.ts';
import type { Series } from './series.ts';
import { carriesKey, exchangesOf, mayCount, ofKey, seriesOf, surelyCounts } from './series.ts';
import { endOfWait, waitedOutEvery429, waitScale } from './waits.ts';

// What each bound says of runs.

const PAGE = 'kernel/rate-limits/shown-by-runs.txt';

const FAULTS = [
  ...[
    'updates-lost',
    'a-third-at-each-of-three-replicas',
    'window-of-two-minutes',
    'creations-never-limited',
  ],
  ...['remaining-two-less-on-400', 'every-fifth-request-counts-twice', 'remaining-of-the-last-caller'],
  ...['window-forgotten-after-a-third', 'limits-every-other-request'],
] as const;

const VARIANTS = ['rejected-given-back', 'clocks-of-instances-apart', 'cache-behind-the-limiter'] as const;

const RECORDED: readonly (readonly [what: string, run: VirtualRun])[] = [
  ['the reference server', {}],
  ['another client besides', { otherClientTimes: Array.from({ length: 300 }, (_, i) => i * 2700) }],
  ...FAULTS.map((id) => [id, { fault: findFault(id) }] as const),
  ...VARIANTS.map((id) => [id, { fault: findVariant(id) }] as const),
];

const limits = limitsOf(loadPlans(), 'free');
const quota = minuteQuota(limits);

type Exchanges = Parameters<typeof seriesOf>[0];

/** Every answer of a bound about one series of a run, by the name of the bound. */
function answersOf(series: Series, all: Exchanges): Readonly<Record<string, unknown>> {
  const exchanges = exchangesOf(series);
  const others = all.filter((one) => one.caller !== 'key' && one.caller !== 'unspecified');
  const everywhere = seriesOf(mayCount(all), limits);
  const limited = first429Of(series);
  const explained = (exclusive: boolean) =>
    explainDiscrepancy(series, quota, { others, everywhere, exclusive })?.explanation;
  return {
    explained: explained(false),
    'explained, with an exclusive key': explained(true),
    miscount: findMiscount(series, quota),
    refilledTooOften: refilledTooOften(series, quota),
    jumpWithinOneReset: findJumpWithinOneReset(series, quota),
    missesOneByOne: missesOneByOne(series, quota),
    separateCounters: findSeparateCounters(series, quota, 0),
    countsSideBySide: countsSideBySide(series, quota),
    oneKindOfAnswer: oneKindOfAnswer(series, quota, 1),
    overrun: overrunOf(series, limits),
    between429s: acceptedBetween429s(exchanges, surelyCounts, quota),
    parallelRequests: parallelRequestsOf(series, quota),
    undercounted: mayBeUndercounted(parallelRequestsOf(series, quota)),
    notEachAtOnce: !countsEachAtOnce(series),
    exactOneByOne: countsExactlyOneByOne(series, quota),
    fullBeforeReset: fullBeforeReset(series, quota),
    fullLater: mayBeFullLater([series], quota, 2),
    waitedOut: waitedOutEvery429(exchanges),
    ...(limited === undefined
      ? {}
      : {
          scale: waitScale(limited.exchange, limits),
          endOfWait: endOfWait(limited.exchange),
          cause:
            causeOf429({ exchanges: mayCount(all), series: everywhere }, limited.exchange, limits) ===
            'target'
              ? 'target'
              : 'open',
          answered: answeredBefore429(series, limited, quota),
          covers: readingThatCovers(series, limited.step, limits)?.remaining,
          followsPause: followsPause(limited, quota),
        }),
  };
}

/** What a line shows of an answer: itself, or the values of an object, and of a list its length; nothing where it found nothing. */
function shown(answer: unknown): string {
  if (typeof answer === 'number') return String(Math.round(answer * 1000) / 1000);
  if (typeof answer !== 'object' || answer === null) return answer === false ? '' : String(answer ?? '');
  if (Array.isArray(answer)) return answer.length === 0 ? '' : `of ${answer.length}`;
  const values = Object.values(answer).filter((value) => Array.isArray(value) || typeof value !== 'object');
  return values.map(shown).join(' ').trim();
}

/** The answers about all of a run, and then about each series of it. */
function answersAbout(all: Exchanges): readonly Readonly<Record<string, unknown>>[] {
  const whole = {
    clocks: clockProblem(all, 2),
    countedTogether: countedTogether(seriesOf(mayCount(all), limits), all.filter(carriesKey), quota, true),
  };
  return [whole, ...seriesOf(ofKey(all), limits).map((series) => answersOf(series, all))];
}

/** Stands for everything that answers say, of which a page shows a part. */
function digestOf(parts: readonly unknown[]): string {
  const digest = createHash('sha256');
  for (const part of parts)
    digest.update(JSON.stringify(part, (key, value: unknown) => (key === 'outcome' ? undefined : value)));
  return digest.digest('hex').slice(0, 12);
}

function pageOf(what: string, all: Exchanges): string {
  let page = `# ${what}\n\n`;
  const parts = answersAbout(all);
  for (const [at, answers] of parts.entries()) {
    const told = Object.entries(answers).flatMap(([name, answer]) => {
      const text = shown(answer);
      return text === '' ? [] : [`${name}: ${text}`];
    });
    if (told.length > 0) page += `${at === 0 ? 'whole run' : `series ${at}`}\n  ${told.join('\n  ')}\n`;
  }
  return `${page}digest of all: ${digestOf(parts)}\n\n`;
}

const { used, isRateLimited, counts, gets, posts, over, lost, workers, halfWindows, afterPenalty } = uses;
const { batchCountedOnce, byKind, everyFifth, falls } = uses;

/** Runs of a few requests, staged. */
const STAGED = {
  'a quota that is used': used(60).add(isRateLimited(60)),
  'a 429 that came too early': used(40).add(isRateLimited(60)).wait(60).add({ left: 59 }),
  'a 429 of the next request': used(60).add(isRateLimited(1)).wait(1).add({ left: 0 }),
  'a 429 after a pause': used(50).wait(20).add(isRateLimited(40)),
  'requests that are not counted': counts(...gets(58, 57, 57, 57, 57, 57, 57, 56)),
  'creations that are free': counts(...gets(58, 57), ...posts(57, 57, 57), ...gets(56, 55)),
  'two connections': counts(...over(1, 58, 57), ...over(2, 59, 58), ...over(1, 56), ...over(2, 57)),
  'lost updates': lost(),
  'two workers': workers(),
  'windows of half a minute': halfWindows(),
  'a penalty and half of the quota': afterPenalty(30),
};

const bucket = (...left: readonly number[]): Synthesis => {
  const run = counts();
  for (const [i, one] of left.entries()) run.wait(i % 3).add({ left: one, resetIn: 60 - one });
  return run;
};

/** Staged runs, of which only what their variants show is kept. */
const FURTHER: Readonly<Record<string, readonly JournalLine[]>> = {
  'beyond the limit, without Date': uses.withOneReset(used(63, { date: null }), 60),
  'beyond the limit, with a Reset that moves on': used(63, { date: null }).lines(),
  'beyond the limit at once': uses.withOneReset(
    counts().together(62, (i) => ({ left: Math.max(0, 58 - i), fresh: false })),
    60,
  ),
  'twice the limit without headers': used(122, uses.bare).lines(),
  'a stored response between others': counts(
    ...gets(58, 57),
    { left: 57, date: START },
    { left: 57, date: START },
    ...gets(56, 55),
    ...posts(54),
  ).lines(),
  'accepted between two 429s': used(60)
    .add(isRateLimited(60))
    .wait(20)
    .add({ left: 0 })
    .add(isRateLimited(39))
    .wait(40)
    .add({ left: 59 })
    .lines(),
  'a bucket': bucket(58, 57, 57, 58, 57, 56, 57, 58, 57).lines(),
  'two batches that count once': uses.batchCountedOnce(20, uses.batchCountedOnce(3)).lines(),
  'two keys in turn': counts(
    ...[57, 55, 53, 51].flatMap((left) => [{ left }, { caller: 'other' as const, left: left - 1 }]),
  ).lines(),
  'a first request after use': counts(...gets(30, 29, 28))
    .add(isRateLimited(30))
    .wait(31)
    .add({ left: 59 })
    .lines(),
};

/** Two requests with the key, and between them `among` requests without one. */
const amongUnauthenticated = (fall: number, among: number): Synthesis => {
  const run = counts();
  let left = 59;
  for (let i = 0; i < 4; i += 1) {
    for (let k = 0; k < among; k += 1)
      run.add({ caller: 'unauthenticated', status: 401, left: 5, limit: 30 });
    left -= fall;
    run.add({ left });
  }
  return run;
};

/** Batches of six parallel requests of which the limiter counts one, under one Reset, after a pause in which nothing flows back. */
function lostUnderOneReset(): Synthesis {
  const run = new Synthesis().add({ left: 59, reset: 60 }).wait(2.2).add({ left: 58, reset: 60 });
  for (const left of [56, 54, 52])
    run.together(6, () => ({ left: left + 1, reset: 60 })).add({ left, reset: 60 });
  return run;
}

/** Batches of six parallel requests before each of which the limit is full again. */
const restored = (): Synthesis => {
  const run = counts(...gets(58));
  for (let i = 0; i < 3; i += 1) run.together(6, (at) => ({ left: 59 - at })).add({ left: 53 });
  return run;
};

/** Lists and creations in an order without a period. */
const ORDER = 'LPLLPPLLLPLPPLLPLLLPLPLLPPLLLPLPL';
/** The same without two creations in a row. */
const SINGLE = 'LPLLPLLLPLPLLPLLLLPLPLLPLLLLPLLPL';
const UNEVEN = [1, 90, 3, 40, 700, 2, 130, 1];

const exactInParallel = () =>
  counts()
    .together(6, () => ({ left: 53 }))
    .add({ left: 52 });

/** Requests one by one that are not counted, an hour after the clock began. */
const notCountedOneByOne = () =>
  new Synthesis()
    .wait(3600)
    .add(...gets(59, 59, 59, 59, 59, 59))
    .together(6, () => ({ left: 53 }))
    .add({ left: 52 });

const turned = (left: number): Synthesis =>
  counts(...gets(40, 20, 2))
    .wait(30)
    .add({ left });

const REJECTED = { method: 'POST', status: 400 };

/** Runs of which a bound has something to say, or nothing that a careless one would. */
const ALONE: Readonly<Record<string, Synthesis>> = {
  // What came before the first 429.
  'no 429': used(60),
  'a 429 of another caller': used(9).add({ caller: 'unspecified', ...isRateLimited(60) }),
  'a 429 while one remains': used(59).add(isRateLimited(60)),
  'a 429 to two at once while one remains': used(59).together(2, () => isRateLimited(60)),
  'a 429 to one of two at once': used(59).together(2, (i) => (i === 0 ? { left: 0 } : isRateLimited(60))),
  'a 429 where the headers describe the day': used(9, { limit: 1000 }).add(isRateLimited(60)),
  'a 429 after two windows began': turned(59)
    .wait(1)
    .add({ left: 1 })
    .wait(28)
    .add({ left: 59 }, isRateLimited(29)),
  'a 429 after a part came back in one piece': turned(49).add(isRateLimited(29)),
  'a 429 after a pause of two seconds': used(50).wait(1.999).add(isRateLimited(40)),
  'a 429 after a longer pause': used(50).wait(2.001).add(isRateLimited(40)),

  // What explains a Remaining that does not follow the requests.
  'an exact count': falls(1, 1, 1, 1),
  'an exact count, and a window that begins anew': falls(1, 1, 1, -2, 1, 1),
  'lists and creations, counted apart': counts(
    ...[...gets(58, 57, 56, 55), ...posts(59, 58), ...gets(54), ...posts(57)],
  ),
  'two switches, which may be a new window and another client': counts(
    ...[...gets(58, 57, 56), ...posts(59, 58), ...gets(55)],
  ),
  'three switches': counts(...gets(58, 57, 56), ...posts(59, 58), ...gets(55), ...posts(57)),
  'creations that show one less': byKind(ORDER, (left) => left - 1),
  'creations that show zero': byKind(ORDER, () => 0),
  'creations that show one more': byKind(ORDER, (left) => left + 1),
  'creations that show one less and one more in turn': byKind(
    SINGLE,
    (left) => left + (left % 2 === 0 ? 1 : -1),
  ),
  'creations that show one less, twice, which may be chance': byKind('LLPLLLPLL', (left) => left - 1),
  'creations that show one less beside three lists, which may be right': byKind('LPLP', (left) => left - 1),
  'every fifth request counts once more': everyFifth(UNEVEN),
  'the same at even distances in time, as another client may send': everyFifth(Array(8).fill(100)),
  'twice in a row, which may be chance': counts(
    ...[...gets(58, 57), ...posts(55), ...gets(55, 54), ...posts(52), ...gets(52)],
  ),
  'lost updates, and a window that begins anew': lost().add(...gets(59, 58)),
  'lost updates under one Reset': lostUnderOneReset().add({ left: 59, reset: 120 }),
  'a limit that is full again between batches that are counted': restored(),
  'each request costs two': falls(2, 2, 2, 2, 2),
  'unauthenticated requests that are counted as well': amongUnauthenticated(3, 2),
  'unauthenticated requests that are free': amongUnauthenticated(1, 2),
  'falls beyond use': falls(1, 4, 1, 1, 3),
  'two counts, or one and another client': counts(
    ...[{ noResponse: 'timeout' } as const, { noResponse: 'timeout' } as const, ...posts(59), ...gets(56)],
  ),
  'lists that are never counted': falls(0, 0, 0, 0, 0),
  'creations that are never counted': counts(...posts(59, 59, 59, 59, 59, 59), ...gets(58, 57)),
  'lists that are counted at times': falls(1, 0, 0, 1, 0, 0, 0, 1, 0),
  'neither lists nor creations are counted': counts(...gets(59, 59), ...posts(59, 59), ...gets(59, 59)),

  // What is shown of requests that were sent at the same time, and of several counts.
  'the only batch counted once': batchCountedOnce(20),
  'two of three batches counted once': batchCountedOnce(
    12,
    batchCountedOnce(8, exactInParallel()).add({ left: 49 }, { left: 48 }),
  ),
  'one of two batches counted once': batchCountedOnce(8, exactInParallel()),
  'requests one by one that are not counted': notCountedOneByOne(),
  'every batch exact': exactInParallel(),
  'a count for each of two at once': new Synthesis().together(2, (i) => ({ left: 58 - i })),
  'the same count for two at once': new Synthesis().together(2, () => ({ left: 58 })),
  'a gap between two at once': new Synthesis().together(2, (i) => ({ left: 58 - 2 * i })),
  'a second count that shows only once': counts(...gets(58, 57, 56, 59, 55)),
  'a second count that shows three times': counts(...gets(58, 57, 56, 59, 55, 58, 54)),
  'two counts too close to tell': counts(...gets(59, 58, 58, 57, 57, 56, 56, 55, 55)),
  'two workers and an accepted request that is free': workers({ left: 51 }),
  'two workers and a rejected request that one of them shows': workers({ ...REJECTED, left: 51 }),
  'two workers and a rejected request whose reading no count has': workers({ ...REJECTED, left: 30 }),
};

/** How many variants of each staged run have a digest (`varied-journals.ts`). */
const VARIANTS_OF_EACH = 20;

const exchangesIn = (lines: readonly JournalLine[]): Exchanges =>
  lines.flatMap((line) => (line.kind === 'exchange' ? [line] : []));

test('the bounds say of runs what they are known to say', async () => {
  let page = '';
  for (const [what, { exchanges }] of Object.entries({ ...STAGED, ...ALONE }))
    page += pageOf(what, exchanges);
  for (const [what, run] of RECORDED) {
    const { lines } = await virtualRun(run);
    page += pageOf(what, exchangesIn(lines));
  }
  page += '# digests of the staged runs that differ in a thing or two\n\n';
  const staged = Object.entries(STAGED).map(([what, run]) => [what, run.lines()] as const);
  for (const [what, run] of [...staged, ...Object.entries(FURTHER)]) {
    const varied = Array.from({ length: VARIANTS_OF_EACH }, (_, variant) =>
      answersAbout(exchangesIn(variedJournal(run, `${what} ${variant}`, () => true))),
    );
    page += `${what}: ${digestOf(varied)}\n`;
  }
  assertPage(PAGE, page);
});
