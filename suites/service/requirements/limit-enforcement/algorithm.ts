import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../../kernel/exchanges/headers.ts';
import { secondsToReset } from '../../../../kernel/exchanges/rate-headers.ts';
import { minuteQuota } from '../../../../kernel/rate-limits/quota.ts';
import { isJump, readingOf, transitionsBefore429 } from '../../../../kernel/rate-limits/series.ts';
import { waitScale, waitSeconds429 } from '../../../../kernel/rate-limits/waits.ts';
import type { Evidence, Observed } from '../../evidence/evidence.ts';
import { acceptedAfter, exhaustingUse } from '../../evidence/uses.ts';
import type { Use } from '../../probes/recount.ts';

/** What the run suggests about the algorithm: a guess for people; no verdict rests on it. */
export function inferAlgorithm(evidence: Evidence): Observed {
  const use = evidence.fact(exhaustingUse);
  const limited = use?.limited?.exchange;
  if (use === undefined || limited === undefined)
    return { value: 'No 429 response was received, so nothing suggests an algorithm.' };
  const after = acceptedAfter(evidence, limited);
  return {
    value: `${guess(evidence, use, limited, after)}; ${rejectedCount(evidence, use)}; ${unauthenticatedCount(evidence)}.`,
    exchanges: after === undefined ? [limited] : [limited, after],
  };
}

function guess({ run }: Evidence, { first }: Use, limited: Exchange, after: Exchange | undefined): string {
  const { limits } = run;
  const scale = waitScale(limited, limits);
  if (scale === 'longer' || scale === 'unknown') {
    const wait = waitSeconds429(limited);
    return `the 429 announces ${wait === undefined ? 'no wait' : `a wait of ${wait} s`}, which suggests no algorithm`;
  }
  const remaining = after === undefined ? undefined : readingOf(after)?.remaining;
  const full = remaining !== undefined && remaining >= limits.perMinute - 2;
  const toReset = secondsToReset(answerOf(first));
  const fullWindow = toReset !== undefined && toReset >= limits.minuteSeconds - 1;
  if (full)
    return fullWindow
      ? 'probably a fixed window from the first request'
      : 'probably a fixed window aligned to the clock';
  if (scale === 'next request')
    return 'probably a token bucket (or GCRA): the next request is available at once';
  return 'probably a sliding log or a sliding counter: the quota comes back in parts';
}

/** Whether responses with 400 took from Remaining. */
function rejectedCount({ run }: Evidence, { series }: Use): string {
  const quota = minuteQuota(run.limits);
  const rejected = transitionsBefore429(series, run.limits.perMinute).filter(
    (change) => change.requests === 1 && statusOf(change.to.exchange) === 400 && !isJump(change, quota),
  );
  if (rejected.length === 0) return 'nothing shows whether a 400 counts';
  const counted = rejected.filter((change) => change.fallen >= 1).length;
  if (counted === rejected.length) return 'a 400 counts';
  return counted === 0 ? 'a 400 does not count' : `a 400 counts in ${counted} of ${rejected.length} cases`;
}

function unauthenticatedCount(evidence: Evidence): string {
  const readings = evidence
    .by('unauthenticated')
    .filter((exchange) => statusOf(exchange) === 401)
    .flatMap((exchange) => readingOf(exchange) ?? []);
  const [first] = readings;
  const last = readings.at(-1);
  if (first === undefined || last === undefined || first === last)
    return 'nothing shows whether a 401 counts';
  return first.remaining > last.remaining
    ? `a 401 counts against a separate limit of ${last.limit} (exchanges ${first.exchange.n} to ${last.exchange.n})`
    : 'a 401 probably does not count';
}
