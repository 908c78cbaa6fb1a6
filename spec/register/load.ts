import { BACK_OFF, BAN, BEYOND, HEADERS, LIMIT, PLANS, REMAINING, RETRY_AFTER } from './quotes.ts';
import { chapter } from './statement.ts';

const { must } = chapter('Load', 'by load');

/** What rests on no sentence of the specification, but is what a load test is for. */
const own = <const Id extends string>(id: Id, sentence: string) =>
  ({ id, chapter: 'Load', level: 'MUST', sentence, judged: 'by load' }) as const;

/** What load runs are judged by. */
export const load = [
  own('SENT', 'Every planned request was sent on schedule, and the script did not fail.'),
  must(
    'CONTRACT',
    'Every response is 200, 201 or 429, with the rate-limit headers, the Limit of the plan and the body of its operation.',
    HEADERS,
  ),
  must('NO-429', 'A client that stays below the limit never receives a 429.', BEYOND),
  own('NO-5XX', 'No response is a 5xx, and every request gets a response.'),
  must('FLOOR', 'A full quota lets through as many requests as it states.', PLANS),
  must('CEILING', 'The target never grants more than its plan allows (accepted plus Remaining).', BEYOND),
  must(
    'RATE-LIMITED',
    'A key that exceeds its limit receives at least one 429, and each 429 has a Retry-After.',
    RETRY_AFTER,
  ),
  must(
    'REMAINING',
    'No request is rate-limited by the minute right after a response with Remaining above zero.',
    REMAINING,
  ),
  must('RECOVERY', 'A request after Retry-After is accepted.', RETRY_AFTER),
  must(
    'GOODPUT',
    'A client that waits for Retry-After gets 90 % of its limit accepted, and a response other than 429 after each wait.',
    BACK_OFF,
  ),
  must('NO-BAN', 'A key that waits for Retry-After is not banned.', BAN),
  must(
    'BAN-ENDS',
    'A key that kept sending after 429 is accepted again after the wait that the target announces to it.',
    BAN,
  ),
  must(
    'NEIGHBOUR',
    'One key’s traffic does not affect another: it gets no 429, keeps its quota, and is answered as fast as before.',
    LIMIT,
  ),
  must(
    'DAY',
    'The quota of the day is accepted, and the next request is rate-limited until the day is over.',
    PLANS,
  ),
  own(
    'STEADY',
    'Under the same load for a long time, latency and errors do not grow, and counters do not drift.',
  ),
  own('RECOVERS', 'After a burst of all keys within their limits, the target is about as fast as before it.'),
  own(
    'HOLDS',
    'Up to the highest rate of the profile, the target responds without errors and about as fast as at the lowest.',
  ),
] as const;
