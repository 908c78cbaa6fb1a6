import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { isRateLimited, mayPass } from '../../../kernel/exchanges/outcome-kinds.ts';
import { literalWaitSeconds } from '../../../kernel/exchanges/rate-headers.ts';
import { paceSeconds } from '../../../kernel/rate-limits/quota.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Lockout } from '../model/lockout.ts';
import { lockoutsIn, REJECTS_KEY } from '../model/lockout.ts';
import type { ProbeRequest, Session } from '../wire/session.ts';
import type { AnnouncedWait } from './retry-after-wait.ts';
import { MOST_429_IN_A_ROW, QuotaCount, RetryAfterWait, SmallBucket } from './retry-after-wait.ts';
import { TargetLostError, Transport } from './transport.ts';

/** The run waits for at most this many windows. A longer Retry-After is reported instead. */
export const LONGEST_WAIT_WINDOWS = 3;

/** The next request is sent this long after the announced moment, in seconds, because clocks are read before and after it. */
const CLOCK_MARGIN_SECONDS = 0.005;

/** After a 429 to a request without a valid key: a bucket of few requests for each address gives one back in that time. */
const SHORT_WAIT_SECONDS = 2;

/** Keeps below the target's limit: waits where the next request could be rate-limited, and as long as Retry-After says. */
export class Pacer {
  readonly session: Session;
  readonly limits: Limits;
  readonly #transport: Transport;
  readonly #quota: QuotaCount;
  readonly #wait: RetryAfterWait;
  /** What is known of a target that holds few requests. */
  readonly bucket: SmallBucket;
  /** Why the key is not used any more: whether a probe may use it again after a rest. */
  #stopped: 'for good' | 'until a rest' | undefined;
  /** When the next request of an even pace is due, milliseconds on the monotonic clock. */
  #dueAt = 0;

  constructor(session: Session, limits: Limits) {
    this.session = session;
    this.limits = limits;
    this.#transport = new Transport(session);
    this.#quota = new QuotaCount(limits.perMinute);
    this.#wait = new RetryAfterWait(limits.minuteSeconds);
    this.bucket = new SmallBucket(limits);
  }

  get isKeyStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Whether the target has locked out the run, or its requests without a valid key, and has not let them in again. */
  get isLockedOut(): boolean {
    return lockoutsIn(this.session.exchanges).some(({ lasts }) => lasts);
  }

  /** True between a 429 and the next request of the key. */
  get isRateLimited(): boolean {
    return this.#wait.current !== undefined;
  }

  /** Sends one request with the key once the quota allows it; undefined when the key is stopped. */
  async sendWithKey(step: string, request: ProbeRequest): Promise<Exchange | undefined> {
    if (!(await this.waitForQuota())) return undefined;
    return this.sendWithKeyNow(step, request);
  }

  /** The same, and once more after a 429, an unavailable gateway or a 500: none shows what the request was sent for, unless it comes again. */
  async sendWithKeyAndRetry(step: string, request: ProbeRequest): Promise<Exchange | undefined> {
    const first = await this.sendWithKey(step, request);
    const isConclusive = first === undefined || (!isRateLimited(first) && !mayPass(first));
    return isConclusive ? first : this.sendWithKey(step, request);
  }

  /** Sends several requests with the key at the same time, once the quota allows all of them. */
  async sendBatchWithKey(step: string, requests: readonly ProbeRequest[]): Promise<readonly Exchange[]> {
    const [head, ...others] = requests;
    if (this.isRateLimited && head !== undefined) {
      // Only one request may follow a 429. The others wait for its response.
      const first = await this.sendWithKey(step, head);
      if (first === undefined) return [];
      return isRateLimited(first) ? [first] : [first, ...(await this.sendBatchWithKey(step, others))];
    }
    return (await this.waitForQuota(requests.length)) ? this.sendBatchWithKeyNow(step, requests) : [];
  }

  /** Sends one request with the key at once, even where it may exceed the limit. */
  async sendWithKeyNow(step: string, request: ProbeRequest): Promise<Exchange> {
    const exchange = await this.sendOutsideQuota(step, request);
    this.#observe(exchange);
    return exchange;
  }

  /** Sends several requests with the key at once, even where they may exceed the limit. */
  async sendBatchWithKeyNow(step: string, requests: readonly ProbeRequest[]): Promise<readonly Exchange[]> {
    const exchanges = await this.#transport.sendTogether(step, requests);
    for (const exchange of exchanges) this.#observe(exchange);
    return exchanges;
  }

  /** Several at the same time count for as many intervals. After a 429 it waits as announced. Empty when the key is stopped. */
  async sendAtPace(step: string, requests: readonly ProbeRequest[]): Promise<readonly Exchange[]> {
    if (this.isKeyStopped) return [];
    const wait = this.#wait.current;
    if (wait !== undefined && !(await this.#waitOut(wait))) return [];
    await this.session.pause(Math.max(0, (this.#dueAt - this.session.now().mono) / 1000));
    this.#dueAt = this.session.now().mono + requests.length * paceSeconds(this.limits) * 1000;
    return this.sendBatchWithKeyNow(step, requests);
  }

  /**
   * Sends one request and counts nothing: that of another key, or without one. Where a target that answers nothing seems
   * to have locked out the run, it goes on without the key. @throws {TargetLostError}
   */
  async sendOutsideQuota(step: string, request: ProbeRequest): Promise<Exchange> {
    try {
      return await this.#transport.send(step, request);
    } catch (error) {
      if (!(error instanceof TargetLostError) || !this.isLockedOut) throw error;
      this.stopUsingKey(LOCKED_OUT);
      return error.exchange;
    }
  }

  /** The same, and once more after an unavailable gateway, a 500 or a short wait of a 429, as with the key. */
  async sendOutsideQuotaAndRetry(step: string, request: ProbeRequest): Promise<Exchange> {
    const first = await this.sendOutsideQuota(step, request);
    if (mayPass(first)) return this.sendOutsideQuota(step, request);
    const seconds = isRateLimited(first) ? literalWaitSeconds(first) : undefined;
    if (seconds === undefined || seconds > SHORT_WAIT_SECONDS) return first;
    await this.session.wait(
      Math.max(seconds, 0) + CLOCK_MARGIN_SECONDS,
      'a request without a valid key got 429, and Retry-After asks for this short wait',
    );
    return this.sendOutsideQuota(step, request);
  }

  /** Leaves the key idle for this many windows and a margin, so that no limiter remembers; longer where a 429 asks for it. False when the key is stopped. */
  async leaveKeyIdle(windows: number, because: string): Promise<boolean> {
    const { minuteSeconds } = this.limits;
    const wait = this.#wait.current;
    if (this.isKeyStopped || (wait !== undefined && this.#stopIfTooLong(wait))) return false;
    const announced = wait === undefined ? 0 : this.#secondsLeft(wait) + CLOCK_MARGIN_SECONDS;
    const idle = windows * minuteSeconds + Math.min(2, minuteSeconds / 4);
    await this.session.wait(Math.max(idle, announced), because);
    this.#quota.startAnew();
    this.bucket.startAnew();
    this.#wait.end();
    return true;
  }

  /** Sends nothing more with the key in this run, and writes the reason into the journal as a note. */
  stopUsingKey(because: string, until: 'for good' | 'until a rest' = 'for good'): void {
    if (this.isKeyStopped) return;
    this.#stopped = until;
    this.session.note(because);
  }

  /** Uses the key again if several 429 responses in a row stopped it. Leave it idle before the next request. */
  resumeKey(): void {
    if (this.#stopped !== 'until a rest') return;
    this.#stopped = undefined;
    this.#wait.resetCount();
  }

  /** Waits until so many more requests of the key fit into the quota; false when the key is stopped. */
  async waitForQuota(requests = 1): Promise<boolean> {
    if (this.isKeyStopped) return false;
    const wait = this.#wait.current;
    if (wait !== undefined) return this.#waitOut(wait);
    if (!this.#quota.allows(requests)) {
      await this.leaveKeyIdle(1, 'the next requests would reach the limit, so the window has to pass first');
    }
    const seconds = this.bucket.secondsUntil(requests, this.session.now().mono);
    if (seconds > 0) {
      const because = 'the target accepts few requests at once and gives them back one by one';
      await this.session.wait(seconds + CLOCK_MARGIN_SECONDS, because);
    }
    return true;
  }

  async #waitOut(wait: AnnouncedWait): Promise<boolean> {
    if (this.#stopIfTooLong(wait)) return false;
    const seconds = this.#secondsLeft(wait);
    const because = wait.stated
      ? 'the target answered 429, and Retry-After asks for this wait'
      : 'the target answered 429 without a usable Retry-After, so a whole window passes';
    if (seconds > 0) await this.session.wait(seconds + CLOCK_MARGIN_SECONDS, because);
    this.#wait.end();
    if (wait.seconds >= this.limits.minuteSeconds) this.#quota.refill();
    return true;
  }

  #stopIfTooLong({ seconds }: AnnouncedWait): boolean {
    const longest = LONGEST_WAIT_WINDOWS * this.limits.minuteSeconds;
    if (seconds <= longest) return false;
    this.stopUsingKey(
      `Retry-After asks for ${seconds} s. This run waits for at most ${longest} s, so it sent nothing more with the key.`,
    );
    return true;
  }

  /** Negative when it is over. */
  #secondsLeft({ endsAt }: AnnouncedWait): number {
    return (endsAt - this.session.now().mono) / 1000;
  }

  #observe(exchange: Exchange): void {
    this.#quota.countRequest(exchange);
    this.#wait.observe(exchange);
    this.bucket.observe(exchange);
    // The Remaining of a small bucket is about the next seconds and not about the window.
    if (this.bucket.capacity !== undefined) this.#quota.ignoreHeaders();
    if (REJECTS_KEY.has(statusOf(exchange)) && lockoutsIn(this.session.exchanges).some(concernsKey)) {
      this.stopUsingKey(LOCKED_OUT);
    }
    if (this.#wait.isExhausted && isRateLimited(exchange)) {
      const because = `The key got a 429 ${MOST_429_IN_A_ROW} times in a row, each time after Retry-After had passed.`;
      this.stopUsingKey(because, 'until a rest');
    }
  }
}

const LOCKED_OUT = 'The target locked out the run, so it sent nothing more with the key.';

const concernsKey = ({ affects, lasts }: Lockout): boolean =>
  lasts && affects !== 'requests without a valid key';

/** Whether the last request without a valid key got a 429 whose wait is not over: a target may bar callers that keep sending. */
export function hasToWaitWithoutKey({ session, limits }: Pacer): boolean {
  const last = session.exchanges.findLast(({ caller }) => caller === 'unauthenticated');
  if (last === undefined || !isRateLimited(last)) return false;
  const seconds = literalWaitSeconds(last) ?? limits.minuteSeconds;
  return session.now().mono < last.received.mono + 1000 * seconds;
}
