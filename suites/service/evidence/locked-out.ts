import { countOf } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import {
  accepted,
  exchangeName,
  isKeyRejected,
  isRateLimited,
  responseText,
} from '../../../kernel/exchanges/outcome-kinds.ts';
import { hasRetryAfter } from '../../../kernel/exchanges/rate-headers.ts';
import type { Lockout } from '../model/lockout.ts';
import { formOfRejection } from '../model/lockout.ts';
import { isHtml } from '../model/target-reading.ts';

/** More exchanges in a row than damage takes away: numbers that are further apart are no numbers of one run. */
const MOST_MISSING = 2000;

/** For every number that is missing an exchange is inserted that may have been the key's, so it never counts against the target. */
export function accounted(exchanges: readonly Exchange[]): readonly Exchange[] {
  const found: Exchange[] = [];
  for (const exchange of exchanges) {
    const before = found.at(-1);
    if (before !== undefined && isSame(before, exchange)) continue;
    const missing = exchange.n - (before?.n ?? 0) - 1;
    for (let n = exchange.n - missing; n < exchange.n && missing <= MOST_MISSING; n += 1) {
      found.push(unknown(n, before ?? exchange, exchange));
    }
    found.push(exchange);
  }
  return found;
}

/** No connection of a run has this number. */
const NO_CONNECTION = 0;

/** Whether an exchange was inserted for one that the journal lacks: nothing is known of it. */
export const isMissing = ({ connection }: Exchange): boolean => connection.id === NO_CONNECTION;

const isSame = (one: Exchange, other: Exchange): boolean =>
  one.n === other.n && JSON.stringify(one) === JSON.stringify(other);

/** An exchange that was under way at some time from one that is known to the next. */
const unknown = (n: number, before: Exchange, after: Exchange): Exchange => ({
  kind: 'exchange',
  n,
  probe: before.probe,
  step: before.step,
  caller: 'key',
  connection: { id: NO_CONNECTION, fresh: true },
  request: { method: 'GET', target: before.request.target, headers: [], body: null },
  sent: before.sent,
  received: after.received,
  outcome: {
    kind: 'no-response',
    cause: 'protocol',
    detail: 'the journal is damaged here, so request and response are unknown',
  },
});

/** The exchanges of a run, those of a lockout as requests whose response was lost: it rejects whatever comes. */
export function withoutLockouts(
  exchanges: readonly Exchange[],
  lockouts: readonly Lockout[],
): readonly Exchange[] {
  const shown = new Set(lockouts.flatMap((lockout) => lockout.exchanges));
  const bannedFrom = exchanges.find((one) => one.probe === 'ban')?.n ?? Number.POSITIVE_INFINITY;
  // What is banned on purpose is judged for itself, unless everyone was locked out before.
  const concerns = ({ affects, exchanges: [first] }: Lockout, { probe }: Exchange): boolean =>
    probe !== 'ban' || (affects === 'everyone' && (first?.n ?? bannedFrom) < bannedFrom);
  return exchanges.map((exchange) =>
    shown.has(exchange) || lockouts.some((one) => concerns(one, exchange) && isLike(one, exchange))
      ? setAside(exchange)
      : exchange,
  );
}

/** Answered like those by everything before the firewall, and at its end by requests without a valid key alone. */
function isLike(
  { affects, exchanges: [first, ...more], answered, lasts }: Lockout,
  exchange: Exchange,
): boolean {
  if (first === undefined || exchange.n < first.n) return false;
  if (answered === undefined || formOfRejection(exchange) !== formOfRejection(answered)) return false;
  if (exchange.caller === 'unauthenticated' || exchange.caller === 'unspecified') return true;
  return affects !== 'requests without a valid key' && (lasts || exchange.n <= (more.at(-1)?.n ?? 0));
}

const setAside = (exchange: Exchange): Exchange => ({
  ...exchange,
  outcome: { kind: 'no-response', cause: 'locked-out', detail: answerText(exchange) },
});

export const isLockedOut = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'no-response' && outcome.cause === 'locked-out';

/** What a lockout is, what probably caused it, and what to do, as sentences. */
export function lockoutText(lockout: Lockout): string {
  const { affects, exchanges, answered, pair, provoking, lasts } = lockout;
  const first = answered ?? (exchanges[0] as Exchange);
  const isDropped = answered === undefined;
  const whom =
    affects === 'everyone' ? `${isDropped ? 'anything' : 'everything'}, the valid key included` : affects;
  const span = lasts
    ? `From ${exchangeName(first)} on`
    : `From ${exchangeName(first)} to exchange ${exchanges.at(-1)?.n}`;
  const sent = isDropped ? 'did not answer' : `answered ${answerText(first)} to`;
  if (pair === undefined)
    return `${span} the target ${sent} ${whom}, and gave no other answer. A firewall or a gateway in front of the service is the likely reason: let it pass the address and the User-Agent of this run, or send the header that it asks for (--header), and run again.`;
  const { shows, otherwise } = pair;
  const equal = `${exchangeName(otherwise)}, equal to exchange ${shows.n}, received ${responseText(otherwise)}`;
  return `${span} the target ${sent} ${whom}, and ${equal}. ${causeText(provoking)} Exempt ${affects === 'the key' ? 'this key' : 'the address of this run'} from such a lockout and run again.`;
}

/** Which requests probably caused a lockout, by status. */
function causeText(provoking: readonly Exchange[]): string {
  const statuses = [...new Set(provoking.map(statusOf))];
  const parts = statuses.map((status) => {
    const some = provoking.filter((one) => statusOf(one) === status);
    return `${countOf(some.length, 'request')} answered ${status} (the first in exchange ${some[0]?.n})`;
  });
  return `What this run had sent by then is the likely cause: ${parts.join(', ')}.`;
}

const answerText = (exchange: Exchange): string =>
  isHtml(exchange) ? `${responseText(exchange)} with a page of HTML` : responseText(exchange);

/** Responses in a row that show that the key itself is rejected. */
const IN_A_ROW = 3;

/** While the key, which worked before or right after, was banned: every request got 401 or 403, or such a response had Retry-After. */
export function whileLost(keyed: readonly Exchange[]): ReadonlySet<Exchange> {
  const lost = new Set<Exchange>();
  let listed = false;
  let worked = false;
  let row: Exchange[] = [];
  const close = (then?: Exchange): void => {
    // Before the run, another client may have got the key banned; a list that is accepted then shows that it is known.
    const isKnown = listed || (then !== undefined && requestsList(then) && accepted(then));
    // Creations alone may be rejected for their contents.
    if (isKnown && row.some(requestsList) && row.length >= IN_A_ROW)
      for (const exchange of row) lost.add(exchange);
    row = [];
  };
  for (const exchange of keyed) {
    if (!isDocumentedOperation(exchange)) continue;
    if (isKeyRejected(exchange)) {
      row.push(exchange);
      if (worked && hasRetryAfter(exchange)) lost.add(exchange);
    } else if (statusOf(exchange) !== undefined && !isRateLimited(exchange)) close(exchange);
    worked ||= accepted(exchange);
    listed ||= accepted(exchange) && requestsList(exchange);
  }
  close();
  return lost;
}

const requestsList = ({ request }: Exchange): boolean => request.method === 'GET';
