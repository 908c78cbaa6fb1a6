import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, headersOf, headerValue, statusOf } from '../../../kernel/exchanges/headers.ts';
import { exchangeName, isKeyRejected, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { rateHeadersOf } from '../../../kernel/exchanges/rate-headers.ts';
import type { Headline } from '../../../kernel/findings/record.ts';
import type { RunLine } from './journal.ts';
import { isAbsent, isHtml, likelyBase, readTarget, UNDER_VERSION } from './target-reading.ts';

const LONGEST_ADDRESS = 200;

/** Responses with a Limit that it takes to say that the key has another plan. */
const ENOUGH_LIMITS = 3;

/** It explains most of the record: another target, a rejected key, a service that fails, or another plan. */
export function headlineOf(run: RunLine, exchanges: readonly Exchange[]): Headline | undefined {
  return (
    wrongTarget(run.target.baseUrl, exchanges) ??
    keyRejected(run.target.baseUrl, exchanges) ??
    serverFails(answeredToKey(exchanges)) ??
    otherPlan(run, exchanges)
  );
}

/** The headline of a run whose target is not the service; undefined where it is, or where nothing shows it. */
export function wrongTarget(baseUrl: string, exchanges: readonly Exchange[]): Headline | undefined {
  const reading = readTarget(exchanges);
  if (reading.kind !== 'not-the-service') return undefined;
  const { list, creation } = reading;
  const meant = redirectedBase(baseUrl, list) ?? likely(baseUrl, exchanges);
  const request = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return {
    kind: 'wrong-target',
    text: `GET ${cut(baseUrl)}/categories answers ${answerText(list)}: this does not look like the service.${request}`,
    fix: `With the key, neither operation of the specification exists at this address: GET /categories answers ${answerText(list)} (exchange ${list.n}) and POST /categories ${answerText(creation)} (exchange ${creation.n}). Give the base address of the service, which ends in \`/v1\`.`,
  };
}

function answerText(exchange: Exchange): string {
  const status = statusOf(exchange) ?? 0;
  if (status >= 300 && status < 400) return `${status} (a redirect)`;
  return status < 300 && isHtml(exchange) ? `${status} with a page of HTML` : `${status}`;
}

/** The base address that a redirect of the list names, on the same host, so that a key is never sent to another one. */
function redirectedBase(baseUrl: string, list: Exchange): string | undefined {
  const location = headerValue(headersOf(list), 'Location') ?? '';
  if ((statusOf(list) ?? 0) < 300 || !URL.canParse(location)) return undefined;
  const { protocol, origin, hostname, pathname } = new URL(location);
  const sameHost = new URL(baseUrl).hostname === hostname;
  const base = /^(.*\/v1)\/categories\/?$/.exec(pathname)?.[1];
  const address = `${origin}${base}`;
  const usable =
    sameHost && /^https?:$/.test(protocol) && base !== undefined && address.length <= LONGEST_ADDRESS;
  return usable ? address : undefined;
}

/** The likely base address, where it can be known without asking, or where something answers there. */
function likely(baseUrl: string, exchanges: readonly Exchange[]): string | undefined {
  const found = likelyBase(baseUrl);
  if (found === undefined) return undefined;
  const answered = exchanges.some(
    (one) => one.step === UNDER_VERSION && answerOf(one) !== undefined && !isAbsent(one),
  );
  return found.below === undefined || answered ? cut(found.address) : undefined;
}

const answeredToKey = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(
    (one) => one.caller === 'key' && isDocumentedOperation(one) && statusOf(one) !== undefined,
  );

function keyRejected(baseUrl: string, exchanges: readonly Exchange[]): Headline | undefined {
  const keyed = answeredToKey(exchanges);
  const status = keyed[0] === undefined ? undefined : statusOf(keyed[0]);
  if (status === undefined || !keyed.every(isKeyRejected)) return undefined;
  const without = exchanges.find((one) => one.caller === 'unauthenticated' && isDocumentedOperation(one));
  const same = status === 403 && without !== undefined && statusOf(without) === 403;
  const address = same ? ' Requests without a key got 403, too, so check the base address as well.' : '';
  return {
    kind: 'key-rejected',
    text: `The key was rejected (${status}): nothing that needs a key could be tested.`,
    fix: `Check that the key is valid at ${cut(baseUrl)} and was copied completely, then run again.${address}`,
  };
}

/** Every list and every creation with the key got a 5xx, apart from those that were rate-limited. */
function serverFails(keyed: readonly Exchange[]): Headline | undefined {
  if (!keyed.every((one) => isRateLimited(one) || isServerError(statusOf(one)))) return undefined;
  const failed = keyed.filter((one) => !isRateLimited(one));
  const [first] = failed;
  const operations = new Set(failed.map(({ request }) => request.method));
  const statuses = [...new Set(failed.map(statusOf))];
  if (first === undefined || operations.size < 2) return undefined;
  return {
    kind: 'server-fails',
    text: `Every list and every creation with the key returned ${statuses.join(' or ')}, so the service works for no client.`,
    fix: `Look in its log for the error of ${exchangeName(first)}, correct it, and run again: until then the findings say little more than that.`,
  };
}

/** A 501 is no failure: the service says that it does not have the operation. */
const isServerError = (status: number | undefined): boolean =>
  status !== undefined && status >= 500 && status !== 501;

/** Every accepted request of the key names one Limit, and it is not that of the plan. */
function otherPlan({ limits, target }: RunLine, exchanges: readonly Exchange[]): Headline | undefined {
  const named = exchanges.flatMap((one) => limitOfKey(one) ?? []);
  const [limit] = named;
  if (limit === undefined || limit === limits.perMinute || limit === limits.perDay) return undefined;
  if (named.length < ENOUGH_LIMITS || named.some((one) => one !== limit)) return undefined;
  return {
    kind: 'other-plan',
    text: `X-RateLimit-Limit is ${limit} on every response to the key, but the plan "${target.plan}" of this run has ${limits.perMinute} requests per minute.`,
    fix: 'If the key has another plan, run again with that plan (--plan, PETSTORE_PLAN). If it has this plan, the service applies the wrong limit (RATE-5).',
  };
}

const limitOfKey = (exchange: Exchange): number | undefined =>
  exchange.caller === 'key' && statusOf(exchange) !== 401 ? rateHeadersOf(exchange).limit : undefined;

const cut = (address: string): string =>
  address.length > LONGEST_ADDRESS ? `${address.slice(0, LONGEST_ADDRESS)}…` : address;
