import { readRateHeaders } from '../../kernel/exchanges/rate-headers.ts';
import type { Limits } from '../../spec/plans.ts';
import type { Scenario } from '../model/profile.ts';
import type { Sample, SampleOutcome, StopReason } from '../model/sample.ts';
import { answerOf, isMalformed } from '../model/sample.ts';

export interface Stop {
  readonly because: StopReason;
  readonly detail: string;
}

/** This many 5xx, or requests without a response, in a row stop a scenario: one may be chance, three are an outage that load makes worse. */
const FAILURES_IN_A_ROW = 3;

type AnswerOutcome = SampleOutcome & { readonly kind: 'answer' };

/** Checks every sample of a scenario, in the order in which the responses arrive, for a reason to stop. */
export class StopConditions {
  readonly #limits: Limits;
  readonly #expectedLimit: string;
  /** A disposable key may get banned, whether the ban is a response or a connection that is dropped. */
  readonly #mayBeBanned: boolean;
  #firstAccepted = false;
  #serverErrors = 0;
  #noResponses = 0;

  constructor({ key, limits }: Scenario) {
    this.#mayBeBanned = key === 'disposable';
    this.#limits = limits;
    this.#expectedLimit = String(limits.perMinute);
  }

  check({ outcome }: Sample): Stop | undefined {
    if (outcome.kind === 'no-response') return this.#checkNoResponse(outcome.error);
    this.#noResponses = 0;
    const { status } = outcome;
    this.#serverErrors = status >= 500 ? this.#serverErrors + 1 : 0;
    if (!this.#firstAccepted) return this.#checkFirst(outcome);
    if (this.#serverErrors >= FAILURES_IN_A_ROW)
      return stop('server errors', `${FAILURES_IN_A_ROW} in a row, most recently ${status}`);
    if (!isUnauthorized(status)) return this.#checkPlan(outcome);
    return this.#mayBeBanned ? undefined : stop('banned', `${status} for a key that was accepted before`);
  }

  #checkNoResponse(error: string): Stop | undefined {
    this.#noResponses += 1;
    const isOutage = this.#noResponses >= FAILURES_IN_A_ROW;
    // The target responds, so one of these ends nothing; a run of them measures nothing.
    if (isMalformed(error))
      return isOutage
        ? stop('malformed responses', `${FAILURES_IN_A_ROW} in a row, most recently: ${error}`)
        : undefined;
    if (!this.#firstAccepted) return stop('unreachable', `no response to the first request: ${error}`);
    if (!isOutage || this.#mayBeBanned) return undefined;
    return stop(
      'unreachable',
      `no response to ${FAILURES_IN_A_ROW} requests in a row, most recently: ${error}`,
    );
  }

  /** The first response must show that the target is the service and that it accepts the key. */
  #checkFirst(outcome: AnswerOutcome): Stop | undefined {
    const { status } = outcome;
    if (isUnauthorized(status))
      return stop('wrong target', `the first response is ${status}: the key is not accepted`);
    if (!isFromService(status)) {
      return stop('wrong target', `the first response is ${status}; expected 200 or 429`);
    }
    const { limit, remaining, reset } = outcome;
    if (limit === undefined && remaining === undefined && reset === undefined) {
      return stop('wrong target', `the first response (${status}) has no rate-limit header`);
    }
    this.#firstAccepted = true;
    return this.#checkPlan(outcome);
  }

  #checkPlan(outcome: AnswerOutcome): Stop | undefined {
    // True of nearly every response; parsing each one in full would slow down a fast burst.
    if (outcome.limit === this.#expectedLimit) return undefined;
    const { perMinute, perDay } = this.#limits;
    const { limit } = readRateHeaders(answerOf(outcome).headers);
    if (limit === undefined || limit === perMinute || limit === perDay || !isFromService(outcome.status)) {
      return undefined;
    }
    const expected = `${perMinute} a minute or ${perDay} a day`;
    return stop('wrong plan', `X-RateLimit-Limit is ${limit}; the stated plan has ${expected}`);
  }
}

const stop = (because: StopReason, detail: string): Stop => ({ because, detail });

const isUnauthorized = (status: number): boolean => status === 401 || status === 403;

/** Whether this is a status of the service for a valid request with a key. */
const isFromService = (status: number): boolean => status === 200 || status === 201 || status === 429;
