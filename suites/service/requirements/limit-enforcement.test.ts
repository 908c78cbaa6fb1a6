import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import {
  fail,
  inconclusive,
  notTested,
  pass,
  rowsOf,
  testChapter,
  warn,
} from '../../../evaluation/testing/suites/edits.ts';
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
  ...rowsOf('LIMIT-1', {
    '429 after 60': pass(edit.unchanged),
    '429 after 60, without headers': pass(() => used(60, bare).add(isRateLimited(60, bare))),
    'refused with 403': pass(() => used(60).add({ status: 403, left: 0 })),
    '62 accepted at once': fail(() => used(62)),
    '121 accepted without headers': fail(() => used(121, bare)),
    '120 accepted without headers: a window may have turned over (K09)': inconclusive(() => used(120, bare)),
    'too few were sent': inconclusive(() => used(10)),
  }),
  ...endOfQuotaRows,
  ...rateLimitedRows,
  ...unavailableRows,
  ...pacedRows,
  ...rowsOf('LIMIT-4', {
    'back after a minute': pass(edit.unchanged),
    'a Retry-After longer than this run waits': inconclusive(() => used(60).add(isRateLimited(600))),
    'a penalty of two windows, and then a window as it should be (K07)': warn(() => afterPenalty(59)),
    'a wait of two windows, after which half a minute’s worth is back in a minute': inconclusive(() =>
      afterPenalty(30),
    ),
    'two windows of half a minute': fail(() => halfWindows()),
    'nothing was accepted after the 429': inconclusive(() => used(60).add(isRateLimited(60))),
    'a longer window, announced from the first response to the 429': fail(longerWindow),
    'the same where a part was used before the run: it may be the quota of a day': inconclusive(
      edit.all(longerWindow, at(asked('preflight'), edit.header('X-RateLimit-Remaining', '55'))),
    ),
    'no 429': inconclusive(() => used(30)),
  }),
  ...rowsOf('LIMIT-5', {
    'one count': pass(edit.unchanged),
    'one count for each method': fail(() =>
      counts(...gets(58, 57, 56, 55), ...posts(59, 58), ...gets(54), ...posts(57)),
    ),
    'one count for each path': fail(() =>
      counts(...gets(58, 57, 56), { path: '/store/orders', left: 59 }, ...gets(55), {
        path: '/pets/1',
        left: 59,
      }),
    ),
    'the other paths do not say': inconclusive(
      at(asked('other-operations'), edit.header('X-RateLimit-Remaining')),
    ),
    'the other paths are not there': pass(
      at(asked('other-operations'), edit.status(404), edit.header('X-RateLimit-Remaining')),
    ),
    'a gateway sends whoever asks for the other paths elsewhere': pass(
      at(asked('other-operations'), edit.status(302), edit.header('X-RateLimit-Remaining')),
    ),
    'the other paths are gone': pass(
      at(asked('other-operations'), edit.status(410), edit.header('X-RateLimit-Remaining')),
    ),
    'only one method was asked': inconclusive(() => used(60).add(isRateLimited(60))),
  }),
  ...rowsOf('LIMIT-6', {
    'batches count': pass(edit.unchanged),
    'of six at the same time one or two count': fail(() => lost()),
    'each of two workers keeps a count of its own': fail(() => workers()),
    'nothing was asked at the same time': inconclusive(() => used(60).add(isRateLimited(60))),
  }),
  ...smallBucketRows,
  ...isolationRows,
  ...rowsOf('LIMIT-8', {
    'one count': pass(edit.unchanged),
    'one count for each claimed address': fail(() =>
      counts(
        ...gets(58, 57, 56),
        ...claiming('203.0.113.7', 59, 58),
        ...gets(55),
        ...claiming('203.0.113.9', 59),
      ),
    ),
    'one count for each connection': fail(() =>
      counts(...gets(58, 57, 56), ...over(2, 59, 58), ...gets(55), ...over(3, 59)),
    ),
    'several counts that no connection tells apart': inconclusive(() =>
      workers(...claiming('203.0.113.7', 50, 49)),
    ),
    'the key with another space before it is accepted and counted as a stranger’s': warn(
      at(asked('presentations', 'extra spaces'), edit.header('X-RateLimit-Remaining', '51')),
    ),
    'nobody claimed another address': inconclusive(edit.without(asked('identities'))),
  }),
  ...rowsOf('LIMIT-9', {
    'a used day is refused': pass(edit.unchanged),
    'a used day is served': fail(
      edit.all(
        at(exhausted, edit.status(200), edit.responseBody([]), edit.header('X-RateLimit-Remaining', '0')),
        edit.repeatedly(exhausted, 5),
      ),
    ),
    'a used day is served once, and no more were sent': inconclusive(
      at(exhausted, edit.status(200), edit.responseBody([]), edit.header('X-RateLimit-Remaining', '0')),
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
      at(
        exhausted,
        edit.status(200),
        edit.header('X-RateLimit-Limit', '1000'),
        edit.header('X-RateLimit-Remaining', '500'),
      ),
    ),
    'a 429 that may be about the minute': inconclusive(
      at(exhausted, edit.header('X-RateLimit-Limit', '60'), edit.header('Retry-After', '30')),
    ),
    'a day that ends within the minute': pass(at(exhausted, edit.header('Retry-After', '30'))),
    'the end of a day of 25 hours': pass(at(exhausted, edit.header('Retry-After', '90000'))),
    'no-response': inconclusive(at(exhausted, edit.silent('timeout'))),
    'no such key': notTested(edit.run((run) => ({ ...run, inputs: { ...run.inputs, exhaustedKey: false } }))),
  }),
]);
