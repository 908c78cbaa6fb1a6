import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { headerValue, statusOf } from '../../../exchanges/headers.ts';
import { isDocumentedOperation } from '../../../exchanges/operation.ts';
import { accepted } from '../../../exchanges/outcome-kinds.ts';
import type { ParallelRequests } from '../../../rate-limits/bounds/parallel-undercount.ts';
import { mayBeUndercounted, parallelRequestsOf } from '../../../rate-limits/bounds/parallel-undercount.ts';
import type { SeparateCounters, Separation } from '../../../rate-limits/bounds/separate-counters.ts';
import { minuteQuota } from '../../../rate-limits/quota.ts';
import { readingOf } from '../../../rate-limits/series/reading.ts';
import { exchangesOfTransitions } from '../../../rate-limits/series/transitions.ts';
import { countOf } from '../../../words/text.ts';
import { perhapsAnotherClient } from '../../evidence/another-client.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { fail, inconclusive, pass } from '../../evidence/judgement.ts';
import { miscounted } from '../../evidence/miscounted.ts';
import { drained, showsMinute } from '../../evidence/uses.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';
import { identities, otherOperations } from '../../probes/open-behavior.ts';
import { countedElsewhere } from './counted-elsewhere.ts';
import { overran } from './refusal.ts';

/** Fails where Remaining follows separate counters (`rate-limits/BOUNDS.md`); passes where `seen` finds what a separate counter would show in. */
export function oneCounter(
  evidence: Evidence,
  by: Separation,
  seen: (evidence: Evidence) => { readonly what: string } | { readonly lacks: string },
): Judgement {
  const found = evidence.fact(miscounted);
  const { explanation } = found ?? {};
  if (found !== undefined && !evidence.finished) return unfinished(found.exchanges);
  if (found !== undefined && explanation?.kind === 'separate counters' && explanation.by === by) {
    return fail(countedApart(explanation), found.exchanges);
  }
  if (explanation?.kind === 'fell beyond use' && !evidence.exclusive) {
    return perhapsAnotherClient(
      'Remaining fell by more than was sent; another client may be using this key, so counters cannot be told apart.',
      found?.exchanges,
    );
  }
  if (explanation?.kind === 'counts side by side')
    return inconclusive('Remaining follows several counts side by side (LIMIT-6).', found?.exchanges);
  if (explanation?.kind === 'not counted' && explanation.of !== undefined)
    return inconclusive(`Requests by ${explanation.of} are not counted (RATE-7).`, found?.exchanges);
  if (explanation?.kind === 'not counted' || explanation?.kind === 'fell beyond use')
    return inconclusive('Remaining does not follow the requests at all (RATE-7).', found?.exchanges);
  if (evidence.fact(overran) !== undefined)
    return inconclusive('The limit itself does not hold, so nothing can be said of how it is counted.');
  const shows = seen(evidence);
  if ('lacks' in shows) return inconclusive(shows.lacks);
  if (showsMinute(evidence)) return pass(`Remaining is one count over ${shows.what}.`);
  const { limited } = evidence.fact(drained) ?? {};
  return pass(
    `The headers do not describe the minute; the first 429 came after ${limited?.before.length ?? 0} requests, over ${shows.what}.`,
  );
}

/** The requests that share no count with the others. */
function countedApart({ by, hidden }: SeparateCounters): string {
  return by === 'operation' && hidden.length > 0
    ? `Expected one limit for all operations of the caller, but Remaining does not fall by requests to ${hidden.join(' and ')}, which show no rate-limit headers: they have a counter of their own, or none.`
    : `Expected one limit for the caller, but Remaining is counted anew for each ${by}.`;
}

/** What explains a part of a run need not explain the whole of it. */
const unfinished = (exchanges: readonly Exchange[]): Judgement =>
  inconclusive(
    'Remaining does not follow the requests, and the run broke off before it could be told why.',
    exchanges,
  );

/** Both methods, and another path where the target has one that shows the headers. */
export function operationsSeen(evidence: Evidence): { readonly what: string } | { readonly lacks: string } {
  if (!counts(evidence))
    return {
      lacks: evidence.lacking('Neither headers nor a refusal show how requests are counted.', exhaustQuota),
    };
  const methods = new Set(
    evidence
      .by('key')
      .filter(accepted)
      .map((exchange) => exchange.request.method),
  );
  if (methods.size < 2)
    return { lacks: 'Only one method was accepted with the key, so separate counters could not show.' };
  const others = evidence
    .of(otherOperations)
    .filter((exchange) => !isDocumentedOperation(exchange) && !absent(exchange));
  if (others.some((exchange) => readingOf(exchange) === undefined)) {
    return {
      lacks: `${exchangeName(others[0] as Exchange)} carries no rate-limit headers, so it does not show whether it is counted with the others.`,
    };
  }
  return {
    what:
      others.length === 0 ? 'GET and POST of the one path that is there' : 'GET, POST and the other paths',
  };
}

/** Answers that an operation gives that is not there (any more): nobody gets anything of it, whatever its count. */
const ABSENT: ReadonlySet<number | undefined> = new Set([404, 405, 410]);

/** Whether an operation is absent; what carries rate-limit headers shows how it is counted all the same, and a gateway sends elsewhere what is not the service's. */
function absent(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  if (status === 404) return true;
  const elsewhere = status !== undefined && status >= 300 && status < 400;
  return readingOf(exchange) === undefined && (elsewhere || ABSENT.has(status));
}

/** Whether the run shows how requests are counted: by headers about the minute, or by a refusal after as many as allowed. */
function counts(evidence: Evidence): boolean {
  return showsMinute(evidence) || evidence.fact(drained)?.limited !== undefined;
}

export function holdsUnderConcurrency(evidence: Evidence): Judgement {
  const found = evidence.fact(miscounted);
  if (found !== undefined && !evidence.finished) return unfinished(found.exchanges);
  if (found?.explanation.kind === 'lost under concurrency') {
    return fail(
      'Expected requests sent at the same time to count as well, but Remaining falls by fewer than were accepted.',
      found.exchanges,
    );
  }
  if (found?.explanation.kind === 'counts side by side') {
    return fail(
      `Expected one count whatever connection a request comes by, but Remaining follows ${found.explanation.counts} counts side by side, each exact by itself, as where every worker or instance keeps its own: let them share one store.`,
      found.exchanges,
    );
  }
  const use = evidence.fact(drained);
  const parallel = use?.series.filter(({ exchanges }) => exchanges.length > 1) ?? [];
  if (parallel.length === 0) return inconclusive('No requests were under way at the same time.');
  if (evidence.fact(overran) !== undefined)
    return inconclusive(
      'The limit does not hold even one by one (LIMIT-1), so concurrency shows nothing more.',
    );
  if (use?.limited === undefined)
    return inconclusive(evidence.lacking('No 429 response was seen.', exhaustQuota));
  const crowds = parallelRequestsOf(use.series, minuteQuota(evidence.run.limits));
  if (mayBeUndercounted(crowds)) {
    return found === undefined
      ? mayHaveLost(crowds, evidence)
      : inconclusive(
          'Remaining is not one count (RATE-7 says why), so concurrency shows nothing more.',
          found.exchanges,
        );
  }
  const sent = parallel.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  const batches = countOf(parallel.length, 'batch').replace('batchs', 'batches');
  const shown =
    crowds.crossed.length > 0
      ? `Remaining accounts for ${sent} requests sent at the same time, in ${batches} over several connections`
      : `The first 429 came after ${use.limited.before.length} requests, ${sent} of them sent at the same time, in ${batches} over several connections`;
  return pass(`${shown}.`, parallel[0]?.exchanges.slice(0, 3));
}

/** Fewer were counted than were sent at the same time, but a conforming limiter might have given back as much. */
function mayHaveLost({ jumped }: ParallelRequests, { run }: Evidence): Judgement {
  const [change] = jumped;
  const text =
    change === undefined
      ? ''
      : `Remaining fell by ${Math.max(0, change.fallen)} over ${change.requests} requests sent at the same time, from ${exchangeName(change.from.exchange)} to ${exchangeName(change.to.exchange)}`;
  return inconclusive(
    `${text}. Within a window of ${run.limits.minuteSeconds} s a limiter may have given back as much meanwhile, so this proves nothing; a longer window would.`,
    exchangesOfTransitions(jumped),
  );
}

export function followsTheKey(evidence: Evidence): Judgement {
  const byAddress = oneCounter(evidence, 'claimed address', identitiesSeen);
  if (byAddress.verdict === 'fail') return byAddress;
  const byConnection = oneCounter(evidence, 'connection', identitiesSeen);
  if (byConnection.verdict === 'fail') return byConnection;
  return byAddress.verdict === 'pass' ? (countedElsewhere(evidence) ?? byAddress) : byAddress;
}

function identitiesSeen(evidence: Evidence): { readonly what: string } | { readonly lacks: string } {
  if (!counts(evidence))
    return {
      lacks: evidence.lacking('Neither headers nor a refusal show how requests are counted.', exhaustQuota),
    };
  const claimed = evidence
    .of(identities)
    .filter((exchange) => headerValue(exchange.request.headers, 'X-Forwarded-For') !== undefined);
  if (!claimed.some(accepted))
    return {
      lacks: evidence.lacking('No request under another claimed address was accepted.', identities),
    };
  const connections = new Set(evidence.by('key').map((exchange) => exchange.connection.id));
  return { what: `${connections.size} connections and ${claimed.length} claimed addresses` };
}
