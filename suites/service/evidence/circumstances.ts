import { countOf, secondsText } from '../../../kernel/basics/text.ts';
import { least } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { isLoopbackUrl } from '../../../kernel/exchanges/loopback.ts';
import { exchangeName, isRateLimited, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import { hasRateHeaders } from '../../../kernel/exchanges/rate-headers.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { inconclusive } from '../../../kernel/findings/judgement.ts';
import { readingThatCovers } from '../../../kernel/rate-limits/attribution.ts';
import type { ClockProblem } from '../../../kernel/rate-limits/clocks.ts';
import { clockProblem } from '../../../kernel/rate-limits/clocks.ts';
import { exchangesOf, readingOf, stepsOf } from '../../../kernel/rate-limits/series.ts';
import { isHtml } from '../model/target-reading.ts';
import { durationOf } from '../probes/exhaust-quota.ts';
import { keptPace } from '../probes/paced-window.ts';
import type { Use } from '../probes/recount.ts';
import type { Evidence, Requirement } from './evidence.ts';
import { bodyFields } from './json.ts';
import { isMissing } from './locked-out.ts';
import { uses } from './uses.ts';

/** What the requests that were turned away have in common; `text` is a sentence. */
interface Circumstances {
  readonly only: 'in flight' | 'over new connections';
  readonly text: string;
}

/** So many other requests that were served show that what the ones that were not have in common matters. */
const LEAST_OTHERS = 10;

/** A firewall that limits new connections turns several away, each after several others in a second. */
const NEW_CONNECTIONS = { leastTurned: 2, leastBefore: 5, withinMs: 1000 } as const;

/** Others were in flight, or the connection was new, of all 429 responses although quota remained, and of no other. */
export function circumstances(evidence: Evidence): Circumstances | undefined {
  const keyed = evidence.by('key');
  const early = new Set(evidence.fact(uses).flatMap((use) => earlyIn(use, evidence)));
  const isTurned = (one: Exchange): boolean => isUnanswered(one) || early.has(one);
  const turned = keyed.filter(isTurned);
  const served = keyed.filter((one) => !isTurned(one) && (statusOf(one) ?? 500) < 500);
  const [first] = turned;
  if (first === undefined) return undefined;
  const together = new Map(
    stepsOf(keyed).flatMap(({ exchanges }) => exchanges.map((one) => [one, exchanges.length] as const)),
  );
  const alone = served.filter((one) => together.get(one) === 1);
  const inFlight = turned.every((one) => together.get(one) !== 1) && alone.length >= LEAST_OTHERS;
  const others = overFewNewConnections(turned, served, evidence.exchanges) ?? 0;
  const overNew = `only over a new connection, when several others had been opened in the same second, and none of ${others} over a kept connection or when fewer had been opened: the service, or a firewall before it, may limit how fast connections are opened`;
  if (inFlight)
    return {
      only: 'in flight',
      text: `${turnedText(turned)} only while others were in flight (${together.get(first)} at the same time in ${exchangeName(first)}), and none of ${alone.length} that were sent one at a time: the service may limit how many requests are in flight.${others < LEAST_OTHERS ? '' : ` They came ${overNew} instead.`}`,
    };
  return others < LEAST_OTHERS
    ? undefined
    : { only: 'over new connections', text: `${turnedText(turned)} ${overNew}.` };
}

const turnedText = (turned: readonly Exchange[]): string =>
  `Although quota remained, ${countOf(turned.length, 'request was', 'requests were')} not served,`;

const isFresh = ({ connection }: Exchange): boolean => connection.fresh;

/** Undefined where new connections are not what those have in common. One that was turned away when new may be used again. */
function overFewNewConnections(
  turned: readonly Exchange[],
  served: readonly Exchange[],
  exchanges: readonly Exchange[],
): number | undefined {
  const opened = exchanges.filter(isFresh).map(({ sent }) => sent.mono);
  const before = ({ sent }: Exchange): number =>
    opened.filter((at) => at <= sent.mono && at > sent.mono - NEW_CONNECTIONS.withinMs).length - 1;
  const fresh = turned.filter(isFresh);
  const turnedIds = new Set(fresh.map(({ connection }) => connection.id));
  const fewest = least(fresh.map(before));
  const isOpen = turned.some(({ connection }) => !turnedIds.has(connection.id));
  if (turned.length < NEW_CONNECTIONS.leastTurned || isOpen || fewest < NEW_CONNECTIONS.leastBefore)
    return undefined;
  return served.filter((one) => !isFresh(one) || before(one) < fewest).length;
}

const isUnanswered = (exchange: Exchange): boolean =>
  !isMissing(exchange) && (statusOf(exchange) === undefined || unavailable(exchange));

/** They show themselves that requests remain or, without usable headers, the response before covers all that were in flight. */
function earlyIn({ series, limited }: Use, { limits }: Evidence): readonly Exchange[] {
  if (limited === undefined || limited.before.length >= limits.perMinute) return [];
  const covered = readingThatCovers(series, limited.step, limits) !== undefined;
  return exchangesOf(series)
    .filter(isRateLimited)
    .filter((one) => {
      const reading = readingOf(one);
      if (reading === undefined) return covered && limited.step.exchanges.includes(one);
      return reading.limit === limits.perMinute && reading.remaining > 0;
    });
}

const MOST_NAMED = 6;

/** Statuses by which a firewall rejects a request for its contents. */
const REJECTS: ReadonlySet<number | undefined> = new Set([400, 403, 405, 406, 409, 418, 429, 451, 501]);

/**
 * Says which creations with the key got a page of HTML in place of an answer of the service, where other requests with
 * it got the headers of the service. Whether to accept a text is left open, so no requirement judges it.
 */
export function firewallRemarks(evidence: Evidence): readonly string[] {
  const keyed = evidence.by('key').filter(isDocumentedOperation);
  const pages = keyed.filter((exchange) => exchange.request.method === 'POST' && isPageInFront(exchange));
  if (pages.length === 0 || !keyed.some(hasRateHeaders)) return [];
  const named = pages.slice(0, MOST_NAMED).map((one) => `exchange ${one.n} ("${one.step}")`);
  const more = pages.length > MOST_NAMED ? `, and ${countOf(pages.length - MOST_NAMED, 'other')}` : '';
  const statuses = [...new Set(pages.map(statusOf))].join(' and ');
  return [
    `${countOf(pages.length, 'creation')} with the key got a page of HTML (${statuses}) in place of an answer of the service: ${named.join(', ')}${more}. A firewall in front of the service that rejects some texts is the likely reason. Whether such texts are accepted is left open by the specification; let the firewall pass them at this path if clients may send them, or let it answer with the Error of the specification.`,
  ];
}

const isPageInFront = (exchange: Exchange): boolean =>
  REJECTS.has(statusOf(exchange)) && isHtml(exchange) && !hasRateHeaders(exchange);

/** Whether a firewall seems to have rejected a body: a page, or a 403 without an Error of the service, without the headers that the service sends with the key. */
export const rejectedInFront = (evidence: Evidence, exchange: Exchange): boolean =>
  (isPageInFront(exchange) ||
    (statusOf(exchange) === 403 && !hasRateHeaders(exchange) && !hasErrorFields(exchange))) &&
  evidence.by('key').some(hasRateHeaders);

function hasErrorFields(exchange: Exchange): boolean {
  const fields = bodyFields(answerOf(exchange)?.body);
  return fields !== undefined && ['code', 'message', 'status'].every((name) => fields.has(name));
}

const ON_ONE_MACHINE = 2;
const ACROSS_A_NETWORK = 5;

/** How far the clocks of one service may differ, in seconds: on one machine, and across a network. */
export const clockSkew = ({ run: { target } }: Evidence): number =>
  isLoopbackUrl(target.baseUrl) ? ON_ONE_MACHINE : ACROSS_A_NETWORK;

/** That the target keeps the rate of the plan, as a sentence about the requests at that pace; undefined where none shows it. */
export function pacedText(evidence: Evidence): string | undefined {
  const kept = keptPace(evidence.exchanges, evidence.limits);
  if (kept === undefined) return undefined;
  return `At the pace of the plan ${countOf(kept.length, 'request')} in ${secondsText(durationOf(kept))} were accepted, without a 429.`;
}

/** What is judged by durations, or by what comes back in them: limits, their headers, waits and bans. */
const TIMED: ReadonlySet<string> = new Set([
  ...['RATE-7', 'RATE-8', 'RATE-9', 'RETRY-3', 'RETRY-4', 'BAN-1'],
  ...['LIMIT-1', 'LIMIT-2', 'LIMIT-4', 'LIMIT-5', 'LIMIT-6', 'LIMIT-7', 'LIMIT-8', 'LIMIT-9'],
]);

/** What the requirement finds; undecided where the clocks of the run did not keep time and it is judged by durations. */
export function judgedByClocks({ id, judge }: Requirement, evidence: Evidence): Judgement {
  const found = judge(evidence);
  const problem = TIMED.has(id) ? evidence.fact(clocksOf) : undefined;
  return problem === undefined || found.verdict === 'inconclusive' || found.verdict === 'not-tested'
    ? found
    : inconclusive(clockText(problem), problem.between);
}

const clocksOf = (evidence: Evidence): ClockProblem | undefined =>
  clockProblem(evidence.exchanges, evidence.fact(clockSkew));

/** What is wrong with the clocks, and what to do, in two sentences. */
function clockText({ kind, between, byMs }: ClockProblem): string {
  const where = `between ${exchangeName(between[0])} and ${exchangeName(between[1])}`;
  const time = secondsText(Math.abs(byMs));
  const what =
    kind === 'suspended'
      ? `The machine that ran the test stood still for ${time} ${where}, as a suspended one does`
      : `The Date of the target was set ${byMs < 0 ? 'back' : 'ahead'} by ${time} ${where}`;
  return `${what}, so no duration of this run proves anything. Run again.`;
}
