import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import {
  announcedWaitSeconds,
  rateHeadersOf,
  readRetryAfter,
} from '../../../kernel/exchanges/rate-headers.ts';
import { readingOf } from '../../../kernel/rate-limits/series.ts';
import { waitScale } from '../../../kernel/rate-limits/waits.ts';
import type { Limits } from '../../../spec/plans.ts';

/** This many 429 responses in a row, each after its own wait, show a key that does not recover. */
export const MOST_429_IN_A_ROW = 3;

/** From the second 429 in a row on, the wait is at least this long, in seconds: the server may have rounded it down. */
const LEAST_REPEATED_SECONDS = 1;

/** A date that is rounded up, on a clock that differs by little, lies at most so many seconds beyond the window. */
const ROUNDING_SECONDS = 2;

export interface AnnouncedWait {
  /** When it ends, in milliseconds on the monotonic clock. */
  readonly endsAt: number;
  /** How long it is from the receipt of the 429. */
  readonly seconds: number;
  /** False where the 429 has no usable Retry-After, so that a whole window is assumed. */
  readonly stated: boolean;
}

export class RetryAfterWait {
  readonly #windowSeconds: number;
  #current: AnnouncedWait | undefined;
  #inARow = 0;

  /** @param windowSeconds the wait that is assumed where a 429 states none. */
  constructor(windowSeconds: number) {
    this.#windowSeconds = windowSeconds;
  }

  /** The wait that is not over yet; undefined unless the last window of requests ended in a 429. */
  get current(): AnnouncedWait | undefined {
    return this.#current;
  }

  /** Whether the key got so many 429 responses in a row that further waits are pointless. */
  get isExhausted(): boolean {
    return this.#inARow >= MOST_429_IN_A_ROW;
  }

  /** Takes note of a response to the key. Several 429 responses before the next wait count as one: the longest wait is kept. */
  observe(exchange: Exchange): void {
    const status = statusOf(exchange);
    if (status === undefined) return;
    if (status !== 429) {
      // A success next to a 429 of the same burst was not sent after a wait, either.
      if (this.#current === undefined) this.#inARow = 0;
      return;
    }
    if (this.#current === undefined) this.#inARow += 1;
    const stated = announcedWaitSeconds(exchange);
    const least = this.#inARow > 1 ? LEAST_REPEATED_SECONDS : 0;
    const seconds = Math.max(stated ?? this.#assumedSeconds(exchange), least);
    const endsAt = exchange.received.mono + seconds * 1000;
    if (this.#current === undefined || endsAt > this.#current.endsAt) {
      this.#current = { endsAt, seconds, stated: stated !== undefined };
    }
  }

  /** A whole window; until a date without a `Date` beside it has come on our clock, where that is little later. */
  #assumedSeconds(exchange: Exchange): number {
    const after = readRetryAfter(exchange);
    const byOurClock = after.kind === 'date' ? after.at - exchange.received.wall / 1000 : 0;
    return byOurClock <= this.#windowSeconds + ROUNDING_SECONDS
      ? Math.max(this.#windowSeconds, byOurClock)
      : this.#windowSeconds;
  }

  end(): void {
    this.#current = undefined;
  }

  resetCount(): void {
    this.#inARow = 0;
  }
}

/** This many requests of the quota stay unused, so that a miscount by one causes no 429. */
const RESERVE = 1;

/** What the per-minute quota of the key still allows: our own count or the last Remaining, whichever is lower. */
export class QuotaCount {
  readonly #perMinute: number;
  #used = 0;
  #trustsHeaders = true;
  #lastAnswered: Exchange | undefined;

  /** @param perMinute the plan's limit, in requests per window. */
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  countRequest(exchange: Exchange): void {
    this.#used += 1;
    const status = statusOf(exchange);
    if (status !== undefined && status !== 429) this.#lastAnswered = exchange;
  }

  /** A Remaining of 0 right after an idle window contradicts an untouched quota: from then on only our own count decides. */
  allows(requests: number): boolean {
    if (this.#available() >= requests) return true;
    if (this.#used > 1) return false;
    if (this.#advertised() === 0) this.ignoreHeaders();
    return true;
  }

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
    if (this.#lastAnswered === undefined || !this.#trustsHeaders) return undefined;
    const { limit, remaining } = rateHeadersOf(this.#lastAnswered);
    return limit === this.#perMinute ? remaining : undefined;
  }
}

/** A bucket that holds more than this share of the limit needs no pace of its own: the probes fit into it. */
const SMALL = 1 / 3;

/** Smaller than the limit, at its rate: a 429 that asks for the time of one request shows it, or a first Remaining that is low. */
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

  /** One less than a 429 showed, or one more than Remaining: that 429 tells a bucket from a short window. */
  get mostAtOnce(): number | undefined {
    if (this.#capacity !== undefined) return Math.max(1, this.#capacity - 1);
    return this.#advertised === undefined ? undefined : this.#advertised + 1;
  }

  /** The key was idle for a window: the bucket is full. */
  startAnew(): void {
    this.#answered = 0;
  }

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
