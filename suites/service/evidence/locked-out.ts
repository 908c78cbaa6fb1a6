import { countOf } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { exchangeName, responseText } from '../../../kernel/exchanges/exchange-text.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import type { Lockout } from '../model/lockout.ts';
import { formOfRejection } from '../model/lockout.ts';
import { isHtml } from '../model/target-reading.ts';
import { ban } from '../probes/ban.ts';
import { isMissing } from './accounted.ts';

/**
 * The exchanges of a run, those of a lockout without their answers: "When the key is missing or invalid, the service
 * answers 401" and every other rule is about what the service does with a request, and a lockout rejects whatever
 * comes. So every judge treats them as requests whose response was lost.
 */
export function withoutLockouts(
  exchanges: readonly Exchange[],
  lockouts: readonly Lockout[],
): readonly Exchange[] {
  if (lockouts.length === 0) return exchanges;
  const shown = new Set(lockouts.flatMap((lockout) => lockout.exchanges));
  const bannedFrom = exchanges.find((one) => one.probe === ban.id)?.n ?? Number.POSITIVE_INFINITY;
  // What is banned on purpose is judged for itself, unless everyone was locked out before.
  const concerns = ({ affects, exchanges: [first] }: Lockout, { probe }: Exchange): boolean =>
    probe !== ban.id || (affects === 'everyone' && (first?.n ?? bannedFrom) < bannedFrom);
  return exchanges.map((exchange) =>
    shown.has(exchange) || lockouts.some((one) => concerns(one, exchange) && isLike(one, exchange))
      ? setAside(exchange)
      : exchange,
  );
}

/**
 * Whether an exchange was answered like those of a lockout from then on: by everything before the firewall, and where it
 * ended, by requests without a valid key alone, which it may reject again.
 */
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

/** Whether the answer of an exchange was set aside, because the run was locked out. */
export const isLockedOut = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'no-response' && outcome.cause === 'locked-out';

/** Whether the answer of the service is unknown: set aside, or not in the journal. */
export const isUnknown = (exchange: Exchange): boolean => isLockedOut(exchange) || isMissing(exchange);

const WHAT_MAY_BE_EXEMPT: Readonly<Record<Lockout['affects'], string>> = {
  everyone: 'the address of this run',
  'the key': 'this key',
  'requests without a valid key': 'the address of this run',
};

/** What a lockout is, what probably caused it, and what to do, as sentences. */
export function lockoutText(lockout: Lockout): string {
  const { affects, exchanges, answered, shows, otherwise, provoking, lasts } = lockout;
  const first = answered ?? (exchanges[0] as Exchange);
  const isDropped = answered === undefined;
  const whom =
    affects === 'everyone' ? `${isDropped ? 'anything' : 'everything'}, the valid key included` : affects;
  const span = lasts
    ? `From ${exchangeName(first)} on`
    : `From ${exchangeName(first)} to exchange ${exchanges.at(-1)?.n}`;
  const sent = isDropped ? 'did not answer' : `answered ${answerText(first)} to`;
  const equal = `${exchangeName(otherwise)}, equal to exchange ${shows.n}, received ${responseText(otherwise)}`;
  return `${span} the target ${sent} ${whom}, and ${equal}. ${causeText(provoking)} Exempt ${WHAT_MAY_BE_EXEMPT[affects]} from such a lockout and run again.`;
}

/** Which requests probably caused a lockout, by status. */
function causeText(provoking: readonly Exchange[]): string {
  const statuses = [...new Set(provoking.map(statusOf))];
  const parts = statuses.map((status) => {
    const some = provoking.filter((one) => statusOf(one) === status);
    return `${countOf(some.length, 'request')} answered ${status} (${numbersText(some)})`;
  });
  return `What this run had sent by then is the likely cause: ${parts.join(', ')}.`;
}

/** The most stretches of numbers that a sentence names. */
const MOST_STRETCHES = 6;

/** `exchanges 1, 4 and 7 to 20`. */
function numbersText(some: readonly Exchange[]): string {
  const stretches: [number, number][] = [];
  for (const { n } of some) {
    const last = stretches.at(-1);
    if (last !== undefined && last[1] === n - 1) last[1] = n;
    else stretches.push([n, n]);
  }
  const named = stretches
    .slice(0, MOST_STRETCHES)
    .map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  const more = stretches.length > MOST_STRETCHES ? [...named, 'others'] : named;
  return `${some.length === 1 ? 'exchange' : 'exchanges'} ${more.join(', ')}`;
}

/** A status, and whether the body is a page. */
function answerText(exchange: Exchange): string {
  const answer = answerOf(exchange);
  return answer !== undefined && isHtml(answer)
    ? `${responseText(exchange)} with a page of HTML`
    : responseText(exchange);
}
