import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { testChapter } from '../../../evaluation/testing/suites/edits.ts';
import {
  afterPenalty,
  bare,
  claiming,
  counts,
  gets,
  halfWindows,
  isRateLimited,
  lost,
  over,
  posts,
  used,
  workers,
} from '../../../evaluation/testing/suites/uses.ts';
import { endOfQuotaRows } from './limit-enforcement/end-of-quota.rows.ts';
import { isolationRows } from './limit-enforcement/isolation.rows.ts';
import { pacedRows } from './limit-enforcement/paced.rows.ts';
import { rateLimitedRows } from './limit-enforcement/rate-limited.rows.ts';
import { smallBucketRows } from './limit-enforcement/small-bucket.rows.ts';
import { unavailableRows } from './limit-enforcement/unavailable.rows.ts';

const { lines } = await virtualRun();
const { answered, at, asked, both } = edit;
const exhausted = asked('exhausted-day');

/** A run that ends with a 429 which asks for an hour; each Reset names the end of that hour. */
const longerWindow = edit.all(
  edit.cutAfter('exhaust-quota'),
  at(
    ({ caller }) => caller === 'key',
    edit.turn('X-RateLimit-Reset', (text) => String(Number(text) + 3600)),
  ),
  at(both(asked('exhaust-quota'), answered(429)), edit.header('Retry-After', '3600')),
);

testChapter('Limit enforcement', lines, [
  { id: 'LIMIT-1', description: '429 after 60', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'LIMIT-1',
    description: '429 after 60, without headers',
    journal: () => used(60, bare).add(isRateLimited(60, bare)).lines(),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-1',
    description: 'refused with 403',
    journal: () => used(60).add({ status: 403, left: 0 }).lines(),
    verdict: 'pass',
  },
  { id: 'LIMIT-1', description: '62 accepted at once', journal: () => used(62).lines(), verdict: 'fail' },
  {
    id: 'LIMIT-1',
    description: '121 accepted without headers',
    journal: () => used(121, bare).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-1',
    description: '120 accepted without headers: a window may have turned over (K09)',
    journal: () => used(120, bare).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-1',
    description: 'too few were sent',
    journal: () => used(10).lines(),
    verdict: 'inconclusive',
  },
  ...endOfQuotaRows,
  ...rateLimitedRows,
  ...unavailableRows,
  ...pacedRows,
  { id: 'LIMIT-4', description: 'back after a minute', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'LIMIT-4',
    description: 'a Retry-After longer than this run waits',
    journal: () => used(60).add(isRateLimited(600)).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-4',
    description: 'a penalty of two windows, and then a window as it should be (K07)',
    journal: () => afterPenalty(59).lines(),
    verdict: 'warn',
  },
  {
    id: 'LIMIT-4',
    description: 'a wait of two windows, after which half a minute’s worth is back in a minute',
    journal: () => afterPenalty(30).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-4',
    description: 'two windows of half a minute',
    journal: () => halfWindows().lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-4',
    description: 'nothing was accepted after the 429',
    journal: () => used(60).add(isRateLimited(60)).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-4',
    description: 'a longer window, announced from the first response to the 429',
    journal: longerWindow,
    verdict: 'fail',
  },
  {
    id: 'LIMIT-4',
    description: 'the same where a part was used before the run: it may be the quota of a day',
    journal: edit.all(longerWindow, at(asked('preflight'), edit.header('X-RateLimit-Remaining', '55'))),
    verdict: 'inconclusive',
  },
  { id: 'LIMIT-4', description: 'no 429', journal: () => used(30).lines(), verdict: 'inconclusive' },
  { id: 'LIMIT-5', description: 'one count', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'LIMIT-5',
    description: 'one count for each method',
    journal: () => counts(...gets(58, 57, 56, 55), ...posts(59, 58), ...gets(54), ...posts(57)).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-5',
    description: 'one count for each path',
    journal: () =>
      counts(...gets(58, 57, 56), { path: '/store/orders', left: 59 }, ...gets(55), {
        path: '/pets/1',
        left: 59,
      }).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-5',
    description: 'the other paths do not say',
    journal: at(asked('other-operations'), edit.header('X-RateLimit-Remaining')),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-5',
    description: 'the other paths are not there',
    journal: at(asked('other-operations'), edit.status(404), edit.header('X-RateLimit-Remaining')),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-5',
    description: 'a gateway sends whoever asks for the other paths elsewhere',
    journal: at(asked('other-operations'), edit.status(302), edit.header('X-RateLimit-Remaining')),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-5',
    description: 'the other paths are gone',
    journal: at(asked('other-operations'), edit.status(410), edit.header('X-RateLimit-Remaining')),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-5',
    description: 'only one method was asked',
    journal: () => used(60).add(isRateLimited(60)).lines(),
    verdict: 'inconclusive',
  },
  { id: 'LIMIT-6', description: 'batches count', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'LIMIT-6',
    description: 'of six at the same time one or two count',
    journal: () => lost().lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-6',
    description: 'each of two workers keeps a count of its own',
    journal: () => workers().lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-6',
    description: 'nothing was asked at the same time',
    journal: () => used(60).add(isRateLimited(60)).lines(),
    verdict: 'inconclusive',
  },
  ...smallBucketRows,
  ...isolationRows,
  { id: 'LIMIT-8', description: 'one count', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'LIMIT-8',
    description: 'one count for each claimed address',
    journal: () =>
      counts(
        ...gets(58, 57, 56),
        ...claiming('203.0.113.7', 59, 58),
        ...gets(55),
        ...claiming('203.0.113.9', 59),
      ).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-8',
    description: 'one count for each connection',
    journal: () => counts(...gets(58, 57, 56), ...over(2, 59, 58), ...gets(55), ...over(3, 59)).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-8',
    description: 'several counts that no connection tells apart',
    journal: () => workers(...claiming('203.0.113.7', 50, 49)).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-8',
    description: 'the key with another space before it is accepted and counted as a stranger’s',
    journal: at(asked('presentations', 'extra spaces'), edit.header('X-RateLimit-Remaining', '51')),
    verdict: 'warn',
  },
  {
    id: 'LIMIT-8',
    description: 'nobody claimed another address',
    journal: edit.without(asked('identities')),
    verdict: 'inconclusive',
  },
  { id: 'LIMIT-9', description: 'a used day is refused', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'LIMIT-9',
    description: 'a used day is served',
    journal: edit.all(
      at(exhausted, edit.status(200), edit.responseBody([]), edit.header('X-RateLimit-Remaining', '0')),
      edit.repeatedly(exhausted, 5),
    ),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-9',
    description: 'a used day is served once, and no more were sent',
    journal: at(
      exhausted,
      edit.status(200),
      edit.responseBody([]),
      edit.header('X-RateLimit-Remaining', '0'),
    ),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-9',
    description: 'a rolling day gives one back, and then refuses',
    journal: edit.precededBy(
      exhausted,
      edit.status(200),
      edit.responseBody([]),
      edit.header('X-RateLimit-Remaining', '0'),
    ),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-9',
    description: 'the day is not spent, as the headers say',
    journal: at(
      exhausted,
      edit.status(200),
      edit.header('X-RateLimit-Limit', '1000'),
      edit.header('X-RateLimit-Remaining', '500'),
    ),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-9',
    description: 'a 429 that may be about the minute',
    journal: at(exhausted, edit.header('X-RateLimit-Limit', '60'), edit.header('Retry-After', '30')),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-9',
    description: 'a day that ends within the minute',
    journal: at(exhausted, edit.header('Retry-After', '30')),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-9',
    description: 'the end of a day of 25 hours',
    journal: at(exhausted, edit.header('Retry-After', '90000')),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-9',
    description: 'no-response',
    journal: at(exhausted, edit.silent('timeout')),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-9',
    description: 'no such key',
    journal: edit.run((run) => ({ ...run, inputs: { ...run.inputs, exhaustedKey: false } })),
    verdict: 'not-tested',
  },
]);
