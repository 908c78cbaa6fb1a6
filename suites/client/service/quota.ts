import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { RetryAfter } from '../model/scenario.ts';

/** The limit of the Business plan: more than a scripted service takes, so that Remaining never contradicts a 200. */
const LIMIT = 1000;
const WINDOW_MS = 60_000;

/** What the three headers of every response show. */
interface QuotaState {
  readonly remaining: number;
  /** Milliseconds since the Unix epoch. */
  readonly resetAt: number;
}

/** The quota of the key as the headers show it. The script decides about 429; this follows, so that they agree. */
export class Quota {
  #state: QuotaState = { remaining: LIMIT, resetAt: 0 };

  /** The headers of a response to an accepted request at this moment (milliseconds since the Unix epoch). */
  accepted(wall: number): readonly HeaderLine[] {
    const current = wall >= this.#state.resetAt ? untouched(wall) : this.#state;
    this.#state = { ...current, remaining: Math.max(0, current.remaining - 1) };
    return headersOf(this.#state);
  }

  /**
   * The headers of a 429 response at this moment. Reset agrees with Retry-After. Without Retry-After there is no Reset
   * either: some clients wait for it instead, and the scenario asks what a client does that is given no time.
   */
  exhausted(wall: number, retryAfter: RetryAfter): readonly HeaderLine[] {
    const resetAt = endOf(wall, retryAfter);
    this.#state = { remaining: 0, resetAt };
    const headers = headersOf(this.#state);
    if (retryAfter.form === 'absent') return headers.filter(([name]) => name !== RESET);
    return [...headers, ['Retry-After', headerValueOf(retryAfter, resetAt)]];
  }

  /** The headers of a response to a request without a valid key, which uses no quota of the key. */
  static unauthenticated(wall: number): readonly HeaderLine[] {
    return headersOf(untouched(wall));
  }
}

const RESET = 'X-RateLimit-Reset';

const untouched = (wall: number): QuotaState => ({ remaining: LIMIT, resetAt: wall + WINDOW_MS });

const headersOf = ({ remaining, resetAt }: QuotaState): readonly HeaderLine[] => [
  ['X-RateLimit-Limit', String(LIMIT)],
  ['X-RateLimit-Remaining', String(remaining)],
  [RESET, String(Math.ceil(resetAt / 1000))],
];

/** When a Retry-After ends. A date lies on a whole second, so it is that many seconds ahead or up to one more. */
function endOf(wall: number, retryAfter: RetryAfter): number {
  if (retryAfter.form === 'absent') return wall;
  const end = wall + 1000 * retryAfter.seconds;
  return retryAfter.form === 'seconds' ? end : 1000 * Math.ceil(end / 1000);
}

const headerValueOf = (retryAfter: Exclude<RetryAfter, { form: 'absent' }>, resetAt: number): string =>
  retryAfter.form === 'seconds' ? String(retryAfter.seconds) : new Date(resetAt).toUTCString();
