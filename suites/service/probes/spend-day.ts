import { countOf, groupedNumber } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted, isRateLimited, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import { announcedWaitSeconds, readRetryAfter } from '../../../kernel/exchanges/rate-headers.ts';
import { beyondTwiceTheLimit } from '../../../kernel/rate-limits/bounds/overrun.ts';
import { dayQuota, paceSeconds } from '../../../kernel/rate-limits/quota.ts';
import { ofKey } from '../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { LONGEST_WAIT_WINDOWS } from '../pacing/pacer.ts';
import { listRequest, parallelLists } from './category-requests.ts';
import { unexpectedText } from './exhaust-quota.ts';
import type { Probe } from './probe.ts';

/** The day is used one request at a time from this share of it on, so that exactly one request exceeds it. */
const ONE_BY_ONE_FROM = 0.9;

/** The most requests that are sent at the same time, where responses take longer than the interval between requests. */
const MOST_PARALLEL = 8;

/** Responses in a row that are neither a success nor 429 and say nothing about the day: none at all, or an unavailable gateway. */
const MOST_WITHOUT_NEWS = 3;

/** A bucket gives back single requests. This many 429 responses, each after an accepted one, are enough. */
const MOST_ENDS = 2;

/** More 429 responses than this before the day is used, each waited out, would hold up a run for hours. */
const MOST_EARLY = 20;

/** The most bytes of lists that a run reads while it uses a day: the journal keeps each of them. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Inside the limit per minute, up to a 429 about the day or more than any limiter accepts. Nothing uses the key after it. */
export const spendDay = {
  id: 'spend-day',
  description:
    'the rest of the daily quota and one request more, one by one at the pace that the limit per minute permits',
  steps: { atPace: 'list at the permitted pace' },
  cost: ({ spendDay, limits }, before) =>
    spendDay === true ? { withKey: Math.max(1, limits.perDay + 1 - before.withKey) } : null,
  async run(pacer) {
    const because = 'the quota of a minute must be available before the rest of the day is used';
    if (!(await pacer.leaveKeyIdle(1, because))) return;
    const day = new DayInUse(pacer);
    while (!pacer.isKeyStopped && day.goesOn) {
      const size = day.nextSize;
      const requests = size === 1 ? [listRequest({ route: 'new' })] : parallelLists(size);
      for (const exchange of await pacer.sendAtPace(spendDay.steps.atPace, requests)) day.observe(exchange);
    }
  },
} as const satisfies Probe;

/** Whether an exchange belongs to the daily quota's use, which no judge of the minute reads. */
export const spendsDay = ({ probe }: Exchange): boolean => probe === spendDay.id;

/** The most requests with the key that a target gets which does not enforce the day, in all. */
export function mostOfDay(limits: Limits): number {
  return Math.ceil((2 * limits.perDay) / (1 - dayShareOfPace(limits))) + 1;
}

/** How much of a day's quota a bucket may give back while it is used at the permitted pace, from 0 to 1. */
export const dayShareOfPace = (limits: Limits): number =>
  (limits.perDay * paceSeconds(limits)) / limits.daySeconds;

/** How long so many requests of an even pace take, in seconds, with the rest before them. */
export const paceDuration = (requests: number, limits: Limits): number =>
  requests * paceSeconds(limits) + limits.minuteSeconds;

class DayInUse {
  readonly #pacer: Pacer;
  readonly #sent: Exchange[];
  #ends = 0;
  #early = 0;
  #bytes = 0;
  #withoutNews = 0;
  #last: Exchange | undefined;
  goesOn = true;

  constructor(pacer: Pacer) {
    this.#pacer = pacer;
    this.#sent = [...ofKey(pacer.session.exchanges)];
  }

  /** How many requests go out at the same time: several only where responses are slower than the pace, and the end of the day is far. */
  get nextSize(): number {
    const { limits, isRateLimited } = this.#pacer;
    const took = this.#last === undefined ? 0 : this.#last.received.mono - this.#last.sent.mono;
    const size = Math.min(MOST_PARALLEL, Math.ceil(took / (1000 * paceSeconds(limits))));
    const isFar = this.#sent.length + size < ONE_BY_ONE_FROM * limits.perDay;
    return isFar && !isRateLimited && this.#withoutNews === 0 ? Math.max(1, size) : 1;
  }

  observe(exchange: Exchange): void {
    const isFirst = this.#last === undefined || accepted(this.#last);
    this.#last = exchange;
    this.#sent.push(exchange);
    this.#bytes += answerOf(exchange)?.body.bytes ?? 0;
    const because = this.#whyEnd(exchange, isFirst);
    if (because === undefined || !this.goesOn) return;
    this.goesOn = false;
    if (because !== AS_EXPECTED) this.#pacer.session.note(because);
  }

  #whyEnd(exchange: Exchange, isFirst: boolean): string | undefined {
    const sent = this.#sent.length;
    if (this.#bytes > MOST_BYTES)
      return `The lists of the target are so large that ${sent} requests took ${Math.round(this.#bytes / 1e6)} MB, so the run sent no more.`;
    if (accepted(exchange)) {
      this.#withoutNews = 0;
      return this.#whyBeyondAnyLimit();
    }
    if (isRateLimited(exchange)) {
      const isAtEnd = sent > this.#pacer.limits.perDay;
      if (!isAtEnd) this.#early += 1;
      else if (isFirst) this.#ends += 1;
      if (this.#early > MOST_EARLY)
        return `The key got ${this.#early} 429 responses before the day was used, so the run sent no more.`;
      const goesOn = this.#ends < MOST_ENDS && waitsBriefly(exchange, this.#pacer.limits, isAtEnd);
      return goesOn ? undefined : AS_EXPECTED;
    }
    this.#withoutNews += 1;
    const mayPass = statusOf(exchange) === undefined || unavailable(exchange);
    return mayPass && this.#withoutNews < MOST_WITHOUT_NEWS ? undefined : unexpectedText(exchange);
  }

  #whyBeyondAnyLimit(): string | undefined {
    const { limits } = this.#pacer;
    const sent = this.#sent.length;
    const over = sent > 2 * limits.perDay ? beyondTwiceTheLimit(this.#sent, dayQuota(limits)) : undefined;
    if (over !== undefined)
      return `The target accepted ${countOf(over.accepted, 'request')} where a conforming limit of ${groupedNumber(limits.perDay)} a day accepts at most ${groupedNumber(over.allowed)}, so the run sent no more.`;
    return sent > 2 * mostOfDay(limits)
      ? `The run sent ${sent} requests without proof of a day's limit, and sent no more.`
      : undefined;
  }
}

/** The end of a day that needs no note. */
const AS_EXPECTED = '';

/** Whether a run can wait out what the 429 announces; a 429 at the end of the day that announces nothing ends the run. */
function waitsBriefly(exchange: Exchange, { minuteSeconds }: Limits, atEnd: boolean): boolean {
  if (readRetryAfter(exchange).kind === 'absent') return !atEnd;
  return (announcedWaitSeconds(exchange) ?? 0) <= LONGEST_WAIT_WINDOWS * minuteSeconds;
}
