import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { VirtualRun } from '../../evaluation/simulation/virtual-run.ts';
import { virtualRun } from '../../evaluation/simulation/virtual-run.ts';
import type { Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import { START } from '../../evaluation/testing/suites/synthetic.ts';
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
import { countsExactlyOneByOne, countsSideBySide, parallelRequestsOf } from './bounds/parallel-requests.ts';
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

/** How many variants of each staged run have a digest (`varied-journals.ts`). */
const VARIANTS_OF_EACH = 20;

const exchangesIn = (lines: readonly JournalLine[]): Exchanges =>
  lines.flatMap((line) => (line.kind === 'exchange' ? [line] : []));

test('the bounds say of runs what they are known to say', async () => {
  let page = '';
  for (const [what, { exchanges }] of Object.entries(STAGED)) page += pageOf(what, exchanges);
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
