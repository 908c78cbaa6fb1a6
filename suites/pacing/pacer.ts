import type { Exchange, NoResponse } from '../../exchanges/exchange.ts';
import { answerOf, statusOf } from '../../exchanges/headers.ts';
import { unavailable } from '../../exchanges/outcome-kinds.ts';
import { readRateHeaders } from '../../exchanges/rate-headers.ts';
import { announcedWaitSeconds } from '../../exchanges/retry-after.ts';
import type { Limits } from '../../spec/plans.ts';
import { UserError } from '../../words/user-error.ts';
import type { ProbeRequest, Session } from '../wire/session.ts';

/** The target cannot be reached (any more): nobody's verdict, the end of the run. */
export class TargetLostError extends UserError {
  override readonly name = 'TargetLostError';
  /** The first exchange of the run already failed. */
  readonly atFirst: boolean;
  readonly exchange: Exchange;
  constructor(exchange: Exchange, message: string, atFirst: boolean) {
    super(message);
    this.exchange = exchange;
    this.atFirst = atFirst;
  }
}

/** Waits are bounded: a Retry-After longer than this many windows is reported, not obeyed. */
const LONGEST_WAIT_WINDOWS = 3;

/** Refusals in a row, each after its own Retry-After, before the key is given up. */
const PATIENCE = 3;

/** Silences in a row that end the run. */
const MOST_WITHOUT_RESPONSE = 3;

/**
 * An answer that broke off after this long counts as a silence, in seconds:
 * a target that drips could otherwise hold a run for as long as it likes.
 */
const STALL_SECONDS = 10;

/** Sent a little after the promised moment, because clocks are read before and after it. */
const PUNCTUALITY_SECONDS = 0.005;

interface Refusal {
  /** Milliseconds on the monotonic clock. */
  readonly retryAt: number;
  readonly seconds: number;
  readonly stated: boolean;
}

/**
 * Keeps the examination inside the target's own limit: it knows what the key
 * has used, waits where the next request could be refused, and after a 429
 * sends nothing with that key until `Retry-After` has passed.
 */
export class Pacer {
  readonly session: Session;
  readonly limits: Limits;
  #limited: Refusal | undefined;
  #limitedExchanges = 0;
  #noResponses = 0;
  #givenUp: string | undefined;
  #impatient = false;
  #used = 0;
  #headersTrusted = true;
  #last: Exchange | undefined;

  constructor(session: Session) {
    this.session = session;
    this.limits = session.limits;
  }

  /** Why no further keyed request is sent in this run, if so. */
  get givenUp(): string | undefined {
    return this.#givenUp;
  }

  /** True between a 429 and the next request of the key. */
  get isRateLimited(): boolean {
    return this.#limited !== undefined;
  }

  /** Waits until one more request of the key will not be refused; false when the key was given up. */
  async room(): Promise<boolean> {
    return this.#admit(1);
  }

  /** Sends one request with the examined key once the limit allows it; undefined when the key was given up. */
  async keyed(step: string, request: ProbeRequest): Promise<Exchange | undefined> {
    if (!(await this.#admit(1))) return undefined;
    return this.urgent(step, request);
  }

  /** The same, and once more where the answer was a 429 or a 503: those say nothing about the question. */
  async answered(step: string, request: ProbeRequest): Promise<Exchange | undefined> {
    const first = await this.keyed(step, request);
    const tells = first === undefined || (statusOf(first) !== 429 && !unavailable(first));
    return tells ? first : this.keyed(step, request);
  }

  /** Sends several at the same time, when the limit has room for all of them. */
  async batch(step: string, questions: readonly ProbeRequest[]): Promise<readonly Exchange[]> {
    const exchanges: Exchange[] = [];
    let rest = questions;
    if (this.isRateLimited && questions[0] !== undefined) {
      // Only one request may follow a refusal; the others wait for its answer.
      const first = await this.keyed(step, questions[0]);
      if (first === undefined || statusOf(first) === 429) return first === undefined ? [] : [first];
      exchanges.push(first);
      rest = questions.slice(1);
    }
    if (!(await this.#admit(rest.length))) return exchanges;
    return [...exchanges, ...(await this.burst(step, rest))];
  }

  /** Sends at once, even where it may exceed the limit: for the drain alone. */
  async urgent(step: string, request: ProbeRequest): Promise<Exchange> {
    const exchange = await this.#heard(await this.session.send(step, request), step, request);
    this.#account(exchange);
    return exchange;
  }

  /** Sends several at once, even where they may exceed the limit: for the drain alone. */
  async burst(step: string, questions: readonly ProbeRequest[]): Promise<readonly Exchange[]> {
    const sent = await this.session.together(step, questions);
    const exchanges = await Promise.all(
      sent.map((exchange, i) => this.#heard(exchange, step, questions[i] as ProbeRequest)),
    );
    for (const exchange of exchanges) this.#account(exchange);
    return exchanges;
  }

  /** Sends one request that does not use the examined key. */
  async aside(step: string, request: ProbeRequest): Promise<Exchange> {
    return this.#heard(await this.session.send(step, request), step, request);
  }

  /** The same, and once more where the answer was a 503: that one says nothing about the question. */
  async asideAnswered(step: string, request: ProbeRequest): Promise<Exchange> {
    const first = await this.aside(step, request);
    return unavailable(first) ? this.aside(step, request) : first;
  }

  /** Leaves the key alone for `windows` windows and a little, so that every limiter has forgotten it, and for as long as a refusal asked. */
  async idle(windows: number, because: string): Promise<void> {
    const { minuteSeconds } = this.limits;
    if (this.#limited !== undefined && this.#tooLong(this.#limited)) return;
    const told = this.#limited === undefined ? 0 : this.#leftOf(this.#limited) + PUNCTUALITY_SECONDS;
    const seconds = windows * minuteSeconds + Math.min(2, minuteSeconds / 4);
    await this.session.rest(Math.max(seconds, told), because);
    this.#used = 0;
    this.#last = undefined;
    this.#limited = undefined;
  }

  /** No keyed request will be sent from now on, and why; judges read the note. */
  giveUp(because: string): void {
    if (this.#givenUp !== undefined) return;
    this.#givenUp = because;
    this.session.note(because);
  }

  /** Takes the key up again that was given up for being refused too often in a row; it has to rest before it is used. */
  forgive(): void {
    if (!this.#impatient) return;
    this.#impatient = false;
    this.#limitedExchanges = 0;
    this.#givenUp = undefined;
  }

  async #admit(count: number): Promise<boolean> {
    if (this.#givenUp !== undefined) return false;
    if (this.#limited !== undefined) return this.#sitOut(this.#limited);
    if (this.#room() >= count) return true;
    if (this.#used <= 1) {
      // Nothing left right after an idle window is not believed; our own count decides.
      this.#headersTrusted = false;
      return true;
    }
    await this.idle(1, 'the next requests would reach the limit, so the window is left to pass');
    return true;
  }

  async #sitOut(limited: Refusal): Promise<boolean> {
    if (this.#tooLong(limited)) return false;
    const left = this.#leftOf(limited);
    const why = limited.stated
      ? 'the target answered 429 and Retry-After asks for it'
      : 'the target answered 429 without a usable Retry-After, so a whole window passes';
    if (left > 0) await this.session.rest(left + PUNCTUALITY_SECONDS, why);
    this.#limited = undefined;
    if (limited.seconds >= this.limits.minuteSeconds) this.#used = 0;
    return true;
  }

  /** Gives the key up where a refusal asks for longer than a run waits. */
  #tooLong({ seconds }: Refusal): boolean {
    const longest = LONGEST_WAIT_WINDOWS * this.limits.minuteSeconds;
    if (seconds <= longest) return false;
    this.giveUp(
      `Retry-After asks for ${seconds} s; this run waits at most ${longest} s, so nothing more was asked with the key.`,
    );
    return true;
  }

  /** Seconds until the moment that a refusal named; negative when it has passed. */
  #leftOf({ retryAt }: Refusal): number {
    return (retryAt - this.session.now().mono) / 1000;
  }

  /** Requests that may be sent now without being refused, one held back. */
  #room(): number {
    const { perMinute } = this.limits;
    const answer = this.#last === undefined ? undefined : answerOf(this.#last);
    const { limit, remaining } = readRateHeaders(answer?.headers ?? []);
    const byCount = perMinute - 1 - this.#used;
    const told = this.#headersTrusted && limit === perMinute && remaining !== undefined;
    return told ? Math.min(remaining - 1, byCount) : byCount;
  }

  #account(exchange: Exchange): void {
    this.#used += 1;
    const answer = answerOf(exchange);
    if (answer === undefined) return;
    if (answer.status !== 429) {
      // A success of the burst in which a refusal came was not sent after a wait, either.
      if (this.#limited === undefined) this.#limitedExchanges = 0;
      this.#last = exchange;
      return;
    }
    // Refusals of one burst are one refusal: none of them was sent after a wait.
    if (this.#limited === undefined) this.#limitedExchanges += 1;
    const stated = announcedWaitSeconds(answer);
    const seconds = Math.max(stated ?? this.limits.minuteSeconds, this.#limitedExchanges > 1 ? 1 : 0);
    const retryAt = exchange.received.mono + seconds * 1000;
    // Of the refusals of one burst the one that asks for the longest wait counts.
    if (this.#limited === undefined || retryAt > this.#limited.retryAt) {
      this.#limited = { seconds, stated: stated !== undefined, retryAt };
    }
    if (this.#limitedExchanges >= PATIENCE && this.#givenUp === undefined) {
      this.#impatient = true;
      this.giveUp(`The key was refused ${PATIENCE} times in a row, each time after Retry-After had passed.`);
    }
  }

  /**
   * A kept connection may be closed by the target at the very moment it is
   * used again; that says nothing, so the request is sent once more on a new
   * one. What cannot be connected to at all ends the run.
   */
  async #heard(exchange: Exchange, step: string, request: ProbeRequest): Promise<Exchange> {
    const trouble = troubleOf(exchange);
    if (trouble === undefined) {
      this.#noResponses = 0;
      return exchange;
    }
    if (trouble.cause === 'reset' && !exchange.connection.fresh) {
      return this.session.send(step, { ...request, route: 'new' });
    }
    this.#noResponses += 1;
    const unreachable = trouble.cause === 'refused' || trouble.cause === 'dns' || trouble.cause === 'tls';
    const atFirst = this.session.exchanges.every((one) => troubleOf(one) !== undefined);
    if (unreachable || atFirst || this.#noResponses >= MOST_WITHOUT_RESPONSE) {
      throw new TargetLostError(exchange, lost(exchange, trouble.detail, atFirst), atFirst);
    }
    return exchange;
  }
}

/** Why an exchange is no whole answer, if it is none: a silence, or a body that never came to its end. */
function troubleOf({ outcome, sent, received }: Exchange): Pick<NoResponse, 'cause' | 'detail'> | undefined {
  if (outcome.kind === 'no-response') return outcome;
  const stalled = outcome.broken !== undefined && received.mono - sent.mono >= STALL_SECONDS * 1000;
  return stalled ? { cause: 'timeout', detail: outcome.broken } : undefined;
}

function lost(exchange: Exchange, detail: string, atFirst: boolean): string {
  return atFirst
    ? `The target could not be reached: ${detail}.`
    : `The target stopped answering at exchange ${exchange.n}: ${detail}.`;
}
