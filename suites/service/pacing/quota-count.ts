import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { readRateHeaders } from '../../../kernel/exchanges/rate-headers.ts';

/** This many requests of the quota stay unused, so that a miscount by one causes no 429. */
const RESERVE = 1;

/**
 * What the per-minute quota of the key under test still allows: our own count
 * of requests in this window and the target's last `X-RateLimit-Remaining`,
 * whichever is lower.
 */
export class QuotaCount {
  readonly #perMinute: number;
  #used = 0;
  #trustsHeaders = true;
  /** The last answer other than 429 in this window. */
  #lastAnswered: Exchange | undefined;

  /** @param perMinute the plan's limit, in requests per window. */
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts one request that was sent with the key. */
  countRequest(exchange: Exchange): void {
    this.#used += 1;
    const status = statusOf(exchange);
    if (status !== undefined && status !== 429) this.#lastAnswered = exchange;
  }

  /**
   * Whether this many more requests fit into the quota. A Remaining of 0 right
   * after an idle window contradicts an untouched quota. From then on only our
   * own count decides.
   */
  allows(requests: number): boolean {
    if (this.#available() >= requests) return true;
    if (this.#used > 1) return false;
    if (this.#advertised() === 0) this.ignoreHeaders();
    return true;
  }

  /** From now on only our own count decides. */
  ignoreHeaders(): void {
    this.#trustsHeaders = false;
  }

  /** A whole window passed since the 429, so the quota is full again. */
  refill(): void {
    this.#used = 0;
  }

  /** The key was idle: the quota is full again, and the last answer describes an earlier window. */
  startAnew(): void {
    this.refill();
    this.#lastAnswered = undefined;
  }

  #available(): number {
    const byCount = this.#perMinute - RESERVE - this.#used;
    const advertised = this.#advertised();
    return advertised === undefined ? byCount : Math.min(advertised - RESERVE, byCount);
  }

  /** The last Remaining of the minute, where it is trusted. */
  #advertised(): number | undefined {
    const answer = this.#lastAnswered === undefined ? undefined : answerOf(this.#lastAnswered);
    const { limit, remaining } = readRateHeaders(answer?.headers ?? []);
    return this.#trustsHeaders && limit === this.#perMinute ? remaining : undefined;
  }
}
