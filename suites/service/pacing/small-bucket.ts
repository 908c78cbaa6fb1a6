import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { readingOf } from '../../../kernel/rate-limits/series/reading.ts';
import { waitScale } from '../../../kernel/rate-limits/wait-scale.ts';
import type { Limits } from '../../../spec/plans.ts';

/** A bucket that holds more than this share of the limit needs no pace of its own: the probes fit into it. */
const SMALL = 1 / 3;

/**
 * What a bucket holds that is smaller than the limit and refills at the rate of
 * the limit, as far as the run has seen it. A 429 that asks for the time of one
 * request shows it, or a first Remaining that is low although the key was idle.
 * From the 429 on it states how long to wait so that no request exceeds it.
 */
export class SmallBucket {
  readonly #limits: Limits;
  /** How many requests were answered since the bucket was last full. */
  #answered = 0;
  /** What a 429 showed that the bucket holds. */
  #capacity: number | undefined;
  /** The last such 429, and what was known before it. */
  #shownBy: { readonly exchange: Exchange; readonly before: number | undefined } | undefined;
  /** What Remaining showed that it holds. */
  #advertised: number | undefined;
  /** What it holds at the least at the moment `#at`, fractions included. */
  #tokens = 0;
  /** Milliseconds on the monotonic clock. */
  #at = Number.NEGATIVE_INFINITY;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** What it holds, as a 429 showed; undefined where none showed a small bucket. */
  get capacity(): number | undefined {
    return this.#capacity;
  }

  /**
   * The most requests that a batch should have: one less than a 429 showed, of
   * which one may have flowed back meanwhile; before a 429, one more than
   * Remaining shows, because that 429 tells a bucket from a short window.
   * Undefined where nothing shows a small bucket.
   */
  get mostAtOnce(): number | undefined {
    if (this.#capacity !== undefined) return Math.max(1, this.#capacity - 1);
    return this.#advertised === undefined ? undefined : this.#advertised + 1;
  }

  /** The key was idle for a window: the bucket is full. */
  startAnew(): void {
    this.#answered = 0;
  }

  /** Takes note of a response to the key. */
  observe(exchange: Exchange): void {
    const held = this.#heldAt(exchange.sent.mono);
    // What flows back while a request is under way is not counted: its decision may be the last moment of it.
    this.#at = Math.max(this.#at, exchange.received.mono);
    if (statusOf(exchange) === 429) {
      this.#observe429(exchange);
      return;
    }
    this.#answered += 1;
    this.#tokens = Math.max(0, held - 1);
    // A request that was under way together with the 429 may have been accepted before it.
    if (this.#shownBy !== undefined && exchange.sent.mono < this.#shownBy.exchange.received.mono)
      this.#capacity = this.#held(this.#shownBy.before);
    if (this.#answered === 1) this.#advertised = this.#smallRemaining(exchange);
  }

  /** Seconds from `now` (milliseconds on the monotonic clock) until the bucket holds this many requests, or all that it can hold. */
  secondsUntil(requests: number, now: number): number {
    if (this.#capacity === undefined) return 0;
    const missing = Math.min(requests, this.#capacity) - this.#heldAt(now);
    return Math.max(0, (missing * this.#limits.minuteSeconds) / this.#limits.perMinute);
  }

  #observe429(exchange: Exchange): void {
    this.#tokens = 0;
    if (waitScale(exchange, this.#limits) !== 'next request') return;
    const isFirst = this.#shownBy === undefined || exchange.sent.mono >= this.#shownBy.exchange.received.mono;
    if (isFirst) this.#shownBy = { exchange, before: this.#capacity };
    this.#capacity = this.#held(this.#shownBy?.before);
  }

  /** What was answered since the bucket was full, or what was known before where that is less; undefined where it is not small. */
  #held(before: number | undefined): number | undefined {
    const held = Math.max(1, Math.min(this.#answered, before ?? this.#answered));
    return held <= this.#limits.perMinute * SMALL ? held : before;
  }

  /** What a bucket holds by the first Remaining of a key that was idle; a Remaining of 0 says as little as none. */
  #smallRemaining(exchange: Exchange): number | undefined {
    const { perMinute } = this.#limits;
    const reading = readingOf(exchange);
    if (reading?.limit !== perMinute || reading.remaining === 0) return undefined;
    const capacity = reading.remaining + 1;
    return capacity <= perMinute * SMALL ? capacity : undefined;
  }

  #heldAt(now: number): number {
    const { perMinute, minuteSeconds } = this.#limits;
    const refilled = (Math.max(0, now - this.#at) * perMinute) / (minuteSeconds * 1000);
    return Math.min(this.#capacity ?? 0, this.#tokens + refilled);
  }
}
