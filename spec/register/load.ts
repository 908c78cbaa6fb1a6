import type { LoadStatement, Source } from './statement.ts';

const HEADERS: Source = { section: 'rate-limit-headers', quote: 'Every API response carries:' };
const BEYOND: Source = {
  section: 'behaviour-when-the-limit-is-exceeded',
  quote: 'A request that exceeds the limit gets `429 Too Many Requests`.',
};
const PLANS: Source = {
  section: 'request-rates-by-plan',
  quote: '| Plan | Requests per minute | Requests per day |',
};
const RETRY_AFTER: Source = {
  section: 'errors',
  quote: 'The `Retry-After` header is present on a 429 response and tells the client when to retry.',
};
const REMAINING: Source = {
  section: 'rate-limit-headers',
  quote: '| X-RateLimit-Remaining | Requests left in the current window. |',
};
const BACK_OFF: Source = {
  section: 'behaviour-when-the-limit-is-exceeded',
  quote: 'The client must back off and retry after the time given in `Retry-After`.',
};
const BAN: Source = {
  section: 'behaviour-when-the-limit-is-exceeded',
  quote: 'A client that keeps sending requests after receiving 429 may have its API key temporarily banned.',
};
const LIMIT: Source = {
  section: 'rate-limit-headers',
  quote: '| X-RateLimit-Limit | The limit in force for the caller. |',
};

/** `from`: what the specification says of it; undefined for what rests on no sentence, but is what a load test is for. */
type Row<Id extends string> = readonly [id: Id, from: Source | undefined, sentence: string];

const row = <Id extends string>(...cells: Row<Id>): Row<Id> => cells;

const rows = [
  row('SENT', undefined, 'Every planned request was sent on schedule, and the script did not fail.'),
  row(
    'CONTRACT',
    HEADERS,
    'Every response is 200, 201 or 429, with the rate-limit headers, the Limit of the plan and the body of its operation.',
  ),
  row('NO-429', BEYOND, 'A client that stays below the limit never receives a 429.'),
  row('NO-5XX', undefined, 'No response is a 5xx, and every request gets a response.'),
  row('FLOOR', PLANS, 'A full quota lets through as many requests as it states.'),
  row('CEILING', BEYOND, 'The target never grants more than its plan allows (accepted plus Remaining).'),
  row(
    'RATE-LIMITED',
    RETRY_AFTER,
    'A key that exceeds its limit receives at least one 429, and each 429 has a Retry-After.',
  ),
  row(
    'REMAINING',
    REMAINING,
    'No request is rate-limited by the minute right after a response with Remaining above zero.',
  ),
  row('RECOVERY', RETRY_AFTER, 'A request after Retry-After is accepted.'),
  row(
    'GOODPUT',
    BACK_OFF,
    'A client that waits for Retry-After gets 90 % of its limit accepted, and a response other than 429 after each wait.',
  ),
  row('NO-BAN', BAN, 'A key that waits for Retry-After is not banned.'),
  row(
    'BAN-ENDS',
    BAN,
    'A key that kept sending after 429 is accepted again after the wait that the target announces to it.',
  ),
  row(
    'NEIGHBOUR',
    LIMIT,
    'One key’s traffic does not affect another: it gets no 429, keeps its quota, and is answered as fast as before.',
  ),
  row(
    'DAY',
    PLANS,
    'The quota of the day is accepted, and the next request is rate-limited until the day is over.',
  ),
  row(
    'STEADY',
    undefined,
    'Under the same load for a long time, latency and errors do not grow, and counters do not drift.',
  ),
  row(
    'RECOVERS',
    undefined,
    'After a burst of all keys within their limits, the target is about as fast as before it.',
  ),
  row(
    'HOLDS',
    undefined,
    'Up to the highest rate of the profile, the target responds without errors and about as fast as at the lowest.',
  ),
] as const;

/** The chapter "Load" of the register: what load runs are judged by. */
export const load = rows.map(([id, from, sentence]) => ({
  ...{ id, sentence, chapter: 'Load', level: 'MUST' as const, judged: 'by load' as const },
  ...(from === undefined ? {} : { from }),
})) satisfies readonly LoadStatement[];
