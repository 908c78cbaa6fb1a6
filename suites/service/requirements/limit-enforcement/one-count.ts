import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation, operationOf } from '../../../../kernel/exchanges/exchange.ts';
import { headerValue, statusOf } from '../../../../kernel/exchanges/headers.ts';
import { isLoopbackUrl } from '../../../../kernel/exchanges/loopback.ts';
import { accepted, exchangeName, spanText } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { rateHeadersOf } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass, warn } from '../../../../kernel/findings/judgement.ts';
import type { SeparateCounters, Separation } from '../../../../kernel/rate-limits/bounds/counters.ts';
import { SEPARATIONS } from '../../../../kernel/rate-limits/bounds/counters.ts';
import type { Explanation } from '../../../../kernel/rate-limits/explanation.ts';
import type { Quota } from '../../../../kernel/rate-limits/quota.ts';
import { mostRefill } from '../../../../kernel/rate-limits/quota.ts';
import type { Transition } from '../../../../kernel/rate-limits/series.ts';
import { readingOf, transitionsBefore429 } from '../../../../kernel/rate-limits/series.ts';
import { rejectedInFront } from '../../evidence/circumstances.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { exhaustingUse, miscounted, perhapsAnotherClient, showsMinute, uses } from '../../evidence/uses.ts';
import { spendsDay } from '../../probes/spend-day.ts';
import { overran } from './first-429.ts';

/** Over which requests a separate counter would show, or why it would not. */
type Seen = { readonly what: string } | { readonly missing: string };

/** Fails where Remaining follows separate counters of one of these kinds; passes where `seen` finds requests in which a separate counter would show. */
export function oneCounter(
  evidence: Evidence,
  separations: readonly Separation[],
  seen: (evidence: Evidence) => Seen,
): Judgement {
  const found = evidence.fact(miscounted);
  const { explanation } = found ?? {};
  if (found !== undefined && !evidence.finished) return unfinished(found.exchanges);
  const separate = explanation === undefined ? undefined : separationOf(explanation);
  if (found !== undefined && separate !== undefined && separations.includes(separate.by)) {
    const shown = { exchanges: found.exchanges, shows: countedApart(separate.by, found.exchanges) };
    return fail({ ...separateCounts(separate, found.exchanges, evidence), ...shown });
  }
  if (explanation?.kind === 'fell beyond use' && !evidence.exclusive) {
    return perhapsAnotherClient(
      'Remaining fell by more than the requests that were sent. Another client may be using this key, so separate counters would not show.',
      found?.exchanges,
    );
  }
  if (explanation !== undefined && NO_COUNT.has(explanation.kind))
    return inconclusive('Remaining does not follow the requests (RATE-7).', found?.exchanges);
  if (evidence.fact(overran) !== undefined)
    return inconclusive('The limit itself does not hold, so nothing shows how requests are counted.');
  const { limited } = evidence.fact(exhaustingUse) ?? {};
  if (!showsMinute(evidence) && limited === undefined)
    return inconclusive(
      evidence.lacking('Neither the headers nor a 429 show how requests are counted.', 'exhaust-quota'),
    );
  const shows = seen(evidence);
  if ('missing' in shows) return inconclusive(shows.missing);
  return pass(
    showsMinute(evidence)
      ? `Remaining is one count over ${shows.what}.`
      : `The first 429 came after ${limited?.before.length} requests, over ${shows.what}.`,
  );
}

/** What leaves no one count in which a separate one would show. */
const NO_COUNT: ReadonlySet<Explanation['kind']> = new Set([
  'stored responses',
  'counts side by side',
  'not counted',
  'fell beyond use',
]);

/** Two requests that differ in what has a counter of its own: their Remaining shows both counts. */
function countedApart(by: Separation, exchanges: readonly Exchange[]): readonly Exchange[] {
  const first = exchanges.find(({ request }) => request.method === 'GET') ?? exchanges[0];
  if (first === undefined) return [];
  const [, separated] = SEPARATIONS.find(([one]) => one === by) ?? [by, operationOf];
  const other = exchanges.findLast((exchange) => separated(exchange) !== separated(first));
  return other === undefined ? [first] : [first, other];
}

/** By what counters are separate; where other requests are counted with those of the key, too, each of these counters counts both. */
function separationOf(explanation: Explanation): SeparateCounters | undefined {
  if (explanation.kind === 'separate counters') return explanation;
  return explanation.kind === 'counted together' && explanation.by !== undefined
    ? { by: explanation.by, hidden: [] }
    : undefined;
}

function separateCounts(
  { by, hidden }: SeparateCounters,
  exchanges: readonly Exchange[],
  { run }: Evidence,
): Fact {
  const where = spanText(exchanges);
  if (by === 'operation' && hidden.length > 0)
    return {
      expected: 'one limit for all operations of the caller',
      received: `no fall of Remaining for requests to ${hidden.join(' and ')}${where}`,
      reasoning: 'Their responses have no rate-limit headers: they have a separate counter, or none.',
    };
  // On a loopback target one claimed address is its own, so only the request with another name as well is counted apart.
  const orAddress =
    by === 'User-Agent or Accept-Language' && isLoopbackUrl(run.target.baseUrl) ? ' or claimed address' : '';
  return {
    expected: 'one limit for the caller',
    received: `a separate count for each ${by}${orAddress}${where}`,
  };
}

/** What explains a part of a run need not explain all of it. */
export const unfinished = (exchanges: readonly Exchange[]): Judgement =>
  inconclusive(
    'Remaining does not follow the requests, and the run broke off before the reason showed.',
    exchanges,
  );

/** Both methods, and another path where the target has one that shows the headers. */
export function operationsSeen(evidence: Evidence): Seen {
  const served = evidence.by('key').filter(accepted);
  if (new Set(served.map(({ request }) => request.method)).size < 2)
    return { missing: 'Only one method was accepted with the key, so separate counters would not show.' };
  const others = evidence
    .of('other-operations')
    .filter((one) => !isDocumentedOperation(one) && !absent(one) && !rejectedInFront(evidence, one));
  const unread = others.find((exchange) => readingOf(exchange) === undefined);
  if (unread !== undefined) {
    return {
      missing: `${exchangeName(unread)} has no usable rate-limit headers, so nothing shows whether it is counted with the others.`,
    };
  }
  return {
    what:
      others.length === 0 ? 'GET and POST of the one path that is served' : 'GET, POST and the other paths',
  };
}

/** Further statuses of an operation that does not exist (any more), so that its count does not matter. */
const ABSENT: ReadonlySet<number | undefined> = new Set([405, 410]);

/** Whether an operation is absent. A response with rate-limit headers shows how it is counted all the same; a gateway may redirect paths that are not the service's. */
function absent(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  if (status === 404) return true;
  const elsewhere = status !== undefined && status >= 300 && status < 400;
  return readingOf(exchange) === undefined && (elsewhere || ABSENT.has(status));
}

export function followsTheKey(evidence: Evidence): Judgement {
  const separations = ['User-Agent or Accept-Language', 'claimed address', 'connection'] as const;
  const found = oneCounter(evidence, separations, identitiesSeen);
  return found.verdict === 'pass' ? (countedElsewhere(evidence) ?? found) : found;
}

function identitiesSeen(evidence: Evidence): Seen {
  const claimed = evidence
    .of('identities')
    .filter((exchange) => headerValue(exchange.request.headers, 'X-Forwarded-For') !== undefined);
  if (!claimed.some(accepted))
    return {
      missing: evidence.lacking('No request under another claimed address was accepted.', 'identities'),
    };
  const connections = new Set(
    evidence
      .by('key')
      .filter((exchange) => !spendsDay(exchange))
      .map((exchange) => exchange.connection.id),
  );
  return { what: `${connections.size} connections and ${claimed.length} claimed addresses` };
}

/** Its Remaining is higher than just before in the same window. Whether it is accepted is left open, hence a warning. */
function countedElsewhere(evidence: Evidence): Judgement | undefined {
  const { quota } = evidence;
  const changes = evidence.fact(uses).flatMap(({ series }) => transitionsBefore429(series, quota.limit));
  for (const change of changes) {
    const separate = change.through.find((exchange) => isCountedSeparately(exchange, change, quota));
    if (separate === undefined) continue;
    const { from, to } = change;
    return warn({
      expected: 'one count for every presentation of the key',
      received: `Remaining ${rateHeadersOf(separate).remaining} in ${exchangeName(separate)} ("${separate.step}"), between ${from.remaining} and ${to.remaining} for the key`,
      reasoning:
        'This presentation of the key is accepted and counted separately. Let authentication and the limiter read the header with the same code.',
      exchanges: [from.exchange, separate, to.exchange],
      shows: [from.exchange, separate],
    });
  }
  return undefined;
}

/** Whether Remaining rose within one window, more than a limiter gives back. */
function isCountedSeparately(exchange: Exchange, { from, to, atMostMs }: Transition, quota: Quota): boolean {
  if (exchange.caller !== 'unspecified' || !accepted(exchange)) return false;
  const { limit, remaining } = rateHeadersOf(exchange);
  const [before, after] = [rateHeadersOf(from.exchange).reset, rateHeadersOf(to.exchange).reset];
  const sameWindow = before !== undefined && before === after && to.remaining < from.remaining;
  return (
    sameWindow &&
    limit === quota.limit &&
    remaining !== undefined &&
    remaining <= limit &&
    remaining > from.remaining + mostRefill(quota, atMostMs)
  );
}
