import { countOf } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation, operationOf } from '../../../../kernel/exchanges/exchange.ts';
import { headerValue, statusOf } from '../../../../kernel/exchanges/headers.ts';
import { isLoopbackUrl } from '../../../../kernel/exchanges/loopback.ts';
import {
  accepted,
  exchangeName,
  isRateLimited,
  receivedText,
  spanText,
} from '../../../../kernel/exchanges/outcome-kinds.ts';
import { rateHeadersOf } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, notTested, pass, warn } from '../../../../kernel/findings/judgement.ts';
import type { SeparateCounters, Separation } from '../../../../kernel/rate-limits/bounds/counters.ts';
import { SEPARATIONS } from '../../../../kernel/rate-limits/bounds/counters.ts';
import type { Explanation } from '../../../../kernel/rate-limits/explanation.ts';
import type { Quota } from '../../../../kernel/rate-limits/quota.ts';
import { mostRefill } from '../../../../kernel/rate-limits/quota.ts';
import type { Transition } from '../../../../kernel/rate-limits/series.ts';
import { readingOf, transitionsBefore429 } from '../../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../../spec/plans.ts';
import { rejectedInFront } from '../../evidence/circumstances.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { isStored, storedText } from '../../evidence/repeated.ts';
import {
  exhaustingUse,
  miscounted,
  perhapsAnotherClient,
  sharedUse,
  showsMinute,
  uses,
} from '../../evidence/uses.ts';
import type { ControlRound } from '../../probes/other-callers.ts';
import { CONTROL_ROUNDS, otherCaller } from '../../probes/other-callers.ts';
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

/** Requests by which two sums may differ although one limit was exhausted twice: what flows back into a bucket meanwhile. */
const FLOW = 2;

type Round = NonNullable<ReturnType<typeof roundOf>>;

/** A 429 alone proves nothing: the other key may have other clients. Two control rounds do: BOUNDS.md, "Two control rounds". */
export function isolatesCallers(evidence: Evidence): Judgement {
  if (!evidence.run.inputs.otherKey) {
    return notTested('This needs a second key, of another caller (--other-key-env).');
  }
  const [first] = evidence.step('other-caller', otherCaller.steps.whileExhausted);
  if (first === undefined) return inconclusive(evidence.whyNothing('other-caller'));
  if (isStored(first))
    return inconclusive(`The other caller reached no limiter: ${storedText(first)}.`, [first]);
  if (accepted(first))
    return pass('The other caller was answered while the key under test was rate-limited.', [first]);
  if (!isRateLimited(first))
    return inconclusive(`The other caller received ${receivedText(first)}.`, [first]);
  const [one, two] = CONTROL_ROUNDS.map((steps) => roundOf(evidence, steps));
  const answered = [one, two].find((round) => round !== undefined && accepted(round.exhausted));
  if (answered !== undefined)
    return pass(
      `The other caller received a 429 in ${exchangeName(first)}, but was answered in ${exchangeName(answered.exhausted)} while the key under test was exhausted again (${exchangeName(answered.limited)}), so that 429 was about its own use.`,
      [first, answered.limited, answered.exhausted],
    );
  if (one === undefined || two === undefined) {
    const text = `The other caller received a 429, too, in ${exchangeName(first)}, and the control rounds are not complete, as where another client uses its key.`;
    return inconclusive(evidence.lacking(text, 'other-caller-again'), [first]);
  }
  return compared(evidence, first, one, two);
}

function compared(evidence: Evidence, first: Exchange, one: Round, two: Round): Judgement {
  const cited = [first, one.limited, one.exhausted, two.limited, two.exhausted];
  const counts = [one, two]
    .map(
      ({ before, allowed }) => `${countOf(allowed, 'accepted request')} after ${before} of the other caller`,
    )
    .join(', and ');
  const { limits } = evidence;
  const sameSum = Math.abs(one.before + one.allowed - two.before - two.allowed) <= FLOW;
  const follows = sameSum && exhaustsOne(one, limits) && exhaustsOne(two, limits);
  const both = isRateLimited(one.exhausted) && isRateLimited(two.exhausted);
  if (!follows || !both)
    return inconclusive(
      `The other caller received a 429 while the key under test was exhausted, but the quota of the key under test does not depend on the other caller’s requests (${counts}). Another client of the other key, or a further limit besides that of each key, would look the same.`,
      cited,
    );
  if (evidence.fact(sharedUse) !== undefined)
    return perhapsAnotherClient(
      `The two callers seem to share one quota (${counts}), but something else used the key under test during the run, too.`,
      cited,
    );
  return fail({
    expected: 'a quota for each caller that does not depend on requests of another caller',
    received: `${counts}, and then each time 429 for the other caller (${exchangeName(one.exhausted)} and ${exchangeName(two.exhausted)})`,
    reasoning:
      'The two sums are equal, so the two callers share one quota. If both keys belong to one customer, give a key of another customer.',
    exchanges: cited,
    shows: [two.limited, two.exhausted],
  });
}

/** Whether both callers together were allowed the plan's limit, and what flows back into a bucket meanwhile. */
function exhaustsOne(
  { before, allowed, milliseconds }: Round,
  { perMinute, minuteSeconds }: Limits,
): boolean {
  const flow = (perMinute * milliseconds) / (minuteSeconds * 1000);
  const beyond = before + allowed - perMinute;
  return beyond >= -1 && beyond <= flow + 1;
}

/** How many requests of the other caller were accepted, and how many with the key up to its 429; undefined where it is not complete. */
function roundOf(evidence: Evidence, steps: ControlRound) {
  const others = evidence.by('other').filter(({ probe }) => probe === 'other-caller-again');
  const alone = others.filter(({ step }) => step === steps.otherCallerFirst);
  const exhausted = others.findLast(({ step }) => step === steps.otherCallerLast);
  const keyed = evidence.by('key');
  const begin = keyed.find(({ probe, step }) => probe === 'other-caller-again' && step === steps.baseline);
  if (begin === undefined || exhausted === undefined || !alone.every(accepted)) return undefined;
  const sent = keyed.filter(({ n }) => n >= begin.n && n < exhausted.n);
  const limited = sent.find(isRateLimited);
  // A request whose response was lost may have counted.
  if (limited === undefined || !sent.every((one) => accepted(one) || isRateLimited(one))) return undefined;
  const milliseconds = limited.received.mono - (alone[0] ?? begin).sent.mono;
  const allowed = sent.filter(accepted).length;
  return { before: alone.length, allowed, limited, milliseconds, exhausted };
}
