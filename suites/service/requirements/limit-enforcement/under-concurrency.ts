import { countOf } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited, spanText } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../../kernel/findings/judgement.ts';
import type { ParallelRequests } from '../../../../kernel/rate-limits/bounds/parallel-requests.ts';
import {
  mayBeUndercounted,
  parallelRequestsOf,
} from '../../../../kernel/rate-limits/bounds/parallel-requests.ts';
import { exchangesOfTransitions, readingOf } from '../../../../kernel/rate-limits/series.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { exhaustingUse, miscounted, takenByOthers, unlessAnotherClient } from '../../evidence/uses.ts';
import { durationOf } from '../../probes/exhaust-quota.ts';
import { fullBurst } from '../../probes/paced-window.ts';
import { overran } from './first-429.ts';
import { unfinished } from './one-count.ts';

/** LIMIT-6: whether requests sent at the same time are all counted. */
export function holdsUnderConcurrency(evidence: Evidence): Judgement {
  const found = evidence.fact(miscounted);
  if (found !== undefined && !evidence.finished) return unfinished(found.exchanges);
  if (found?.explanation.kind === 'lost under concurrency') {
    return fail({
      expected: 'requests sent at the same time to be counted, too',
      received: `a smaller fall of Remaining than requests were accepted${spanText(found.exchanges)}`,
      exchanges: found.exchanges,
    });
  }
  if (found?.explanation.kind === 'counts side by side') {
    return fail({
      expected: 'one count, whatever connection a request uses',
      received: `${found.explanation.counts} separate counts${spanText(found.exchanges)}`,
      reasoning: 'Each count is exact by itself, as with workers or instances that have separate stores.',
      exchanges: found.exchanges,
    });
  }
  if (found?.explanation.kind === 'stored responses') return inconclusive(NOT_ONE_COUNT, found.exchanges);
  const use = evidence.fact(exhaustingUse);
  const parallel = use?.series.filter(({ exchanges }) => exchanges.length > 1) ?? [];
  if (parallel.length === 0)
    return holdsFromFullBucket(evidence) ?? inconclusive('No requests were sent at the same time.');
  if (evidence.fact(overran) !== undefined)
    return inconclusive(
      'More was accepted than the limit allows (LIMIT-1), so concurrency shows nothing more.',
    );
  if (use?.limited === undefined)
    return inconclusive(evidence.lacking('No 429 response was received.', 'exhaust-quota'));
  const crowds = parallelRequestsOf(use.series, evidence.quota);
  if (mayBeUndercounted(crowds)) {
    return found === undefined ? mayHaveLost(crowds, evidence) : inconclusive(NOT_ONE_COUNT, found.exchanges);
  }
  const sent = parallel.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  const batches = countOf(parallel.length, 'batch', 'batches');
  const accounted =
    crowds.crossed.length > 0
      ? `Remaining accounts for ${sent} requests sent at the same time, in ${batches} over several connections`
      : `The first 429 came after ${use.limited.before.length} requests, ${sent} of them sent at the same time, in ${batches} over several connections`;
  return pass(`${accounted}.`, parallel[0]?.exchanges.slice(0, 3));
}

const NOT_ONE_COUNT = 'Remaining does not follow the requests (RATE-7), so concurrency shows nothing more.';

/** Fewer were counted than were sent at the same time, but a conforming limiter might have given back as much. */
function mayHaveLost({ jumped }: ParallelRequests, { limits }: Evidence): Judgement {
  return inconclusive(
    `Remaining fell by less than the requests that were sent at the same time. In a window of ${limits.minuteSeconds} s a limiter may have given as many back, so this proves nothing; a longer window would.`,
    exchangesOfTransitions(jumped),
  );
}

/** From a full bucket no more at once than one after another in at least as long. Undefined where this was not asked. */
function holdsFromFullBucket(evidence: Evidence): Judgement | undefined {
  const first = sentIn(evidence, fullBurst.steps.together);
  if (first.length === 0) return undefined;
  const again = sentIn(evidence, fullBurst.steps.togetherAgain);
  const limited = [...first, ...again].find(isRateLimited);
  if (limited !== undefined) return counted(first.includes(limited) ? first : again);
  const cited = [...first, ...again];
  const answered = (batch: readonly Exchange[]): boolean => batch.length > 0 && batch.every(accepted);
  if (!answered(first)) return inconclusive('Not all requests at the same time got a response.', first);
  const apart = sentIn(evidence, fullBurst.steps.apart);
  // A request whose response was lost may have been counted.
  const held = apart.filter((exchange) => !isRateLimited(exchange)).length;
  // The first batch has one more than were accepted one after another before: a bucket accepts as many each time.
  const isFewer = held === first.length - 1 && lastedLonger(apart, first, again);
  if (!answered(again) || !isFewer || showsMore(evidence, held))
    return inconclusive(
      `All of ${first.length} requests at the same time were accepted. Nothing shows a bucket that always accepts fewer one after another.`,
      cited,
    );
  const adverse = fail({
    expected: `at most ${countOf(held, 'accepted request')} at the same time, as one after another`,
    received: `${first.length} and ${again.length} at the same time${spanText(cited)}`,
    reasoning: `One after another from a full bucket, over a longer time, the last one received 429${spanText(apart)}.`,
    exchanges: cited,
  });
  const ended = apart.find(isRateLimited);
  return ended === undefined || takenByOthers(evidence, ended)
    ? unlessAnotherClient(evidence, adverse, 'Another client may have used the bucket between them.')
    : adverse;
}

/** Whether a response states that more was left than a bucket of this size holds. */
const showsMore = (evidence: Evidence, held: number): boolean =>
  evidence.by('key').some((exchange) => {
    const reading = accepted(exchange) ? readingOf(exchange) : undefined;
    return reading?.limit === evidence.limits.perMinute && reading.remaining + 1 > held;
  });

/** Every request of a step, those that were rate-limited included. */
const sentIn = (evidence: Evidence, step: string): readonly Exchange[] =>
  evidence.exchanges.filter((exchange) => exchange.probe === 'full-burst' && exchange.step === step);

/** A batch has one request more than were accepted one after another; where it accepts fewer, its 429 are of another limit. */
function counted(batch: readonly Exchange[]): Judgement {
  const limited = batch.filter(isRateLimited);
  const taken = batch.filter(accepted).length;
  const text = `Of ${countOf(batch.length, 'request')} sent at the same time to a full bucket ${taken} were accepted and ${limited.length} rate-limited`;
  const cited = [...batch.slice(0, 2), ...limited.slice(0, 1)];
  return taken < batch.length - 1
    ? inconclusive(
        `${text}: fewer than one after another over one connection, so a limit of requests in flight or of new connections may have come first, and nothing shows how the bucket counts them. Exempt the address of this run from it.`,
        cited,
      )
    : pass(`${text}: no more than one after another.`, cited);
}

/** Whether these requests, one after another, ended in a 429 and surely lasted longer than each batch. */
function lastedLonger(apart: readonly Exchange[], ...batches: readonly (readonly Exchange[])[]): boolean {
  const [begun] = apart;
  const limited = apart.find(isRateLimited);
  if (begun === undefined || limited === undefined || !accepted(begun)) return false;
  const lasted = limited.sent.mono - begun.received.mono;
  return batches.every((batch) => durationOf(batch) <= lasted);
}
