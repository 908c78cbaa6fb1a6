import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf } from '../../../kernel/exchanges/headers.ts';
import { announcedWaitSeconds, readRetryAfter } from '../../../kernel/exchanges/retry-after.ts';

/** This many 429 responses in a row, each after its own wait, show a key that does not recover. */
export const MOST_429_IN_A_ROW = 3;

/** From the second 429 in a row on, the wait is at least this long, in seconds: the server may have rounded it down. */
const LEAST_REPEATED_SECONDS = 1;

/** A date that is rounded up, on a clock that differs by little, lies at most so many seconds beyond the window. */
const ROUNDING_SECONDS = 2;

/** A wait that a 429 asks for. */
export interface AnnouncedWait {
  /** When it ends, in milliseconds on the monotonic clock. */
  readonly endsAt: number;
  /** How long it is from the receipt of the 429. */
  readonly seconds: number;
  /** False where the 429 has no usable Retry-After, so that a whole window is assumed. */
  readonly stated: boolean;
}

/** Which wait the last 429 asks for, and how many 429 responses came in a row. */
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
    const answer = answerOf(exchange);
    if (answer === undefined) return;
    if (answer.status !== 429) {
      // A success next to a 429 of the same burst was not sent after a wait, either.
      if (this.#current === undefined) this.#inARow = 0;
      return;
    }
    if (this.#current === undefined) this.#inARow += 1;
    const stated = announcedWaitSeconds(answer);
    const least = this.#inARow > 1 ? LEAST_REPEATED_SECONDS : 0;
    const seconds = Math.max(stated ?? this.#assumedSeconds(exchange), least);
    const endsAt = exchange.received.mono + seconds * 1000;
    if (this.#current === undefined || endsAt > this.#current.endsAt) {
      this.#current = { endsAt, seconds, stated: stated !== undefined };
    }
  }

  /** A whole window; until a date without a `Date` beside it has come on our clock, where that is little later. */
  #assumedSeconds(exchange: Exchange): number {
    const after = readRetryAfter(answerOf(exchange));
    const byOurClock = after.kind === 'date' ? after.at - exchange.received.wall / 1000 : 0;
    return byOurClock <= this.#windowSeconds + ROUNDING_SECONDS
      ? Math.max(this.#windowSeconds, byOurClock)
      : this.#windowSeconds;
  }

  /** The wait is over: the next request may be sent. */
  end(): void {
    this.#current = undefined;
  }

  /** Counts 429 responses in a row from 0 again. */
  resetCount(): void {
    this.#inARow = 0;
  }
}

/** Seconds from `now` (milliseconds on the monotonic clock) until a wait ends; negative when it is over. */
export const secondsUntilEnd = ({ endsAt }: AnnouncedWait, now: number): number => (endsAt - now) / 1000;
