import { readRateHeaders } from '../../exchanges/rate-headers.ts';
import type { Limits } from '../../spec/plans.ts';
import { answerOf } from '../model/answer.ts';
import type { KeyAlias } from '../model/profile.ts';
import type { Sample, SampleOutcome, StopReason } from '../model/sample.ts';

/** Why a lane stops, and what it saw, in a clause for a person. */
export interface Stop {
  readonly because: StopReason;
  readonly detail: string;
}

/** So many 5xx, or requests without an answer, in a row end a lane: one may be chance, three are an outage that load makes worse. */
const IN_A_ROW = 3;

type AnswerOutcome = SampleOutcome & { readonly kind: 'answer' };

/** Looks at every answer of a lane, in the order in which they come, for a reason to stop. */
export class Watch {
  readonly #limits: Limits;
  readonly #usual: string;
  /** A sacrificial key is there to be banned, whatever a ban looks like: refused, or not answered at all. */
  readonly #mayBeBanned: boolean;
  #known = false;
  #serverErrors = 0;
  #noResponses = 0;

  constructor(key: KeyAlias, limits: Limits) {
    this.#mayBeBanned = key === 'disposable';
    this.#limits = limits;
    this.#usual = String(limits.perMinute);
  }

  /** The reason to stop that this request gives, if it does. */
  take({ outcome }: Sample): Stop | undefined {
    if (outcome.kind === 'no-response') return this.#noResponse(outcome.error);
    this.#noResponses = 0;
    const { status } = outcome;
    this.#serverErrors = status >= 500 ? this.#serverErrors + 1 : 0;
    if (!this.#known) return this.#first(outcome);
    if (this.#serverErrors >= IN_A_ROW)
      return stop('server errors', `${IN_A_ROW} in a row, the last ${status}`);
    if (!isBan(status)) return this.#otherPlan(outcome);
    return this.#mayBeBanned ? undefined : stop('banned', `${status} for a key that was accepted before`);
  }

  #noResponse(error: string): Stop | undefined {
    this.#noResponses += 1;
    if (!this.#known) return stop('vanished', `the first request got no answer: ${error}`);
    if (this.#noResponses < IN_A_ROW || this.#mayBeBanned) return undefined;
    return stop('vanished', `${IN_A_ROW} requests in a row got no answer, the last: ${error}`);
  }

  /** The first answer has to show that this is the service, and the key one that it knows. */
  #first(outcome: AnswerOutcome): Stop | undefined {
    const { status } = outcome;
    if (isBan(status))
      return stop('not the service', `the first answer is ${status}: the key is not accepted`);
    if (!isServed(status)) {
      return stop('not the service', `the first answer is ${status} where 200 or 429 belongs`);
    }
    const { limit, remaining, reset } = outcome;
    if (limit === undefined && remaining === undefined && reset === undefined) {
      return stop('not the service', `the first answer, ${status}, has no rate-limit header`);
    }
    this.#known = true;
    return this.#otherPlan(outcome);
  }

  #otherPlan(outcome: AnswerOutcome): Stop | undefined {
    // Nearly every answer: reading it in full would cost a fast burst its speed.
    if (outcome.limit === this.#usual) return undefined;
    const { perMinute, perDay } = this.#limits;
    const { limit } = readRateHeaders(answerOf(outcome).headers);
    if (limit === undefined || limit === perMinute || limit === perDay || !isServed(outcome.status)) {
      return undefined;
    }
    const wanted = `${perMinute} in a minute or ${perDay} in a day`;
    return stop('another plan', `X-RateLimit-Limit is ${limit} where the plan has ${wanted}`);
  }
}

const stop = (because: StopReason, detail: string): Stop => ({ because, detail });

const isBan = (status: number): boolean => status === 401 || status === 403;

/** What the service says to a request that is well formed and comes with a key. */
const isServed = (status: number): boolean => status === 200 || status === 201 || status === 429;
