import { UserError } from '../../../kernel/basics/errors.ts';
import type { Exchange, NoResponse } from '../../../kernel/exchanges/exchange.ts';
import { responseText, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { ProbeRequest, Session } from '../wire/session.ts';

/** The target cannot be reached, or stopped responding. The run ends without a verdict on it. */
export class TargetLostError extends UserError {
  override readonly name = 'TargetLostError';
  readonly exchange: Exchange;
  constructor(exchange: Exchange, message: string) {
    super(message);
    this.exchange = exchange;
  }
}

const MOST_WITHOUT_RESPONSE = 3;

/** So many new connections in a second, and a firewall that limits them may turn the next one away. */
const SEVERAL = 5;
const A_SECOND_MS = 1000;

/** A response that breaks off after so many seconds counts as none: a target could hold up a run byte by byte. */
const STALL_SECONDS = 10;

/** Responses that end the run where all of it is out of service; two to the key, because a gateway may respond so without one. */
const [MOST_ALIKE, MOST_ALIKE_TO_KEY] = [8, 2];

/** A `TargetLostError` ends a run whose first request, or three in a row, get no response, or that is unavailable from the start. */
export class Transport {
  readonly #session: Session;
  #withoutResponse = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Sends one request. @throws {TargetLostError} */
  async send(step: string, request: ProbeRequest): Promise<Exchange> {
    return this.#checked(await this.#session.send(step, request), step, request);
  }

  /** Sends several requests at the same time. @throws {TargetLostError} */
  async sendTogether(step: string, requests: readonly ProbeRequest[]): Promise<readonly Exchange[]> {
    const exchanges = await this.#session.sendTogether(step, requests);
    return Promise.all(
      exchanges.map((exchange, i) => this.#checked(exchange, step, requests[i] as ProbeRequest)),
    );
  }

  /** A target may close an idle connection at the moment of its next use: the request is sent again on a new one. */
  async #checked(exchange: Exchange, step: string, request: ProbeRequest): Promise<Exchange> {
    const failure = failureOf(exchange);
    if (failure === undefined) {
      this.#withoutResponse = 0;
      this.#checkAvailable(exchange);
      return exchange;
    }
    if (failure.cause === 'reset' && !exchange.connection.fresh) {
      return this.#session.send(step, { ...request, route: 'new' });
    }
    if (failure.cause !== 'dns' && failure.cause !== 'tls' && this.#isTurnedAway(exchange)) {
      await this.#session.pause((1.1 * A_SECOND_MS) / 1000);
      return exchange;
    }
    // Bytes that no client reads came all the same: the next response may be readable.
    const isUnread = failure.cause === 'malformed' || failure.cause === 'protocol';
    if (!isUnread) this.#withoutResponse += 1;
    const unreachable = failure.cause === 'refused' || failure.cause === 'dns' || failure.cause === 'tls';
    const atFirst = this.#session.exchanges.every((one) => failureOf(one) !== undefined);
    const goesOn = failure.cause === 'malformed' && this.#isEarly();
    if (unreachable || (atFirst && !goesOn) || this.#withoutResponse >= MOST_WITHOUT_RESPONSE) {
      throw new TargetLostError(exchange, lostMessage(exchange, failure.detail, atFirst));
    }
    return exchange;
  }

  /** Whether too few requests were sent, with and without the key, to say anything about all of them. */
  #isEarly(): boolean {
    const { exchanges } = this.#session;
    const keyed = exchanges.filter(({ caller }) => caller === 'key').length;
    return exchanges.length < MOST_ALIKE || keyed < MOST_ALIKE_TO_KEY;
  }

  /** A firewall may limit new connections in a second. The request shows nothing then, and the next one comes a second later. */
  #isTurnedAway({ connection, sent }: Exchange): boolean {
    const { exchanges } = this.#session;
    const opened = exchanges.filter(
      (one) =>
        one.connection.fresh && failureOf(one) === undefined && one.sent.mono > sent.mono - A_SECOND_MS,
    );
    return connection.fresh && opened.length >= SEVERAL;
  }

  /** A service that a gateway has not reached yet shows nothing, however many requests it gets. @throws {TargetLostError} */
  #checkAvailable(exchange: Exchange): void {
    const { exchanges } = this.#session;
    if (!exchanges.every(unavailable) || this.#isEarly()) return;
    const message = `The service is unavailable: the first ${exchanges.length} requests returned ${responseText(exchange)}. See whether it is running behind its gateway, and start the run again.`;
    throw new TargetLostError(exchange, message);
  }
}

/** Why an exchange has no complete response: none came, or its body never ended. Undefined where it is complete. */
function failureOf({ outcome, sent, received }: Exchange): Pick<NoResponse, 'cause' | 'detail'> | undefined {
  if (outcome.kind === 'no-response') return outcome;
  const stalled = outcome.broken !== undefined && received.mono - sent.mono >= STALL_SECONDS * 1000;
  return stalled ? { cause: 'timeout', detail: outcome.broken } : undefined;
}

function lostMessage(exchange: Exchange, detail: string, atFirst: boolean): string {
  const { outcome } = exchange;
  const body = outcome.kind === 'answer' ? ' Status and headers arrived, and the body did not end.' : '';
  const isLate = outcome.kind === 'answer' || outcome.cause === 'timeout';
  return atFirst
    ? `The target ${isLate ? 'is slow or out of reach' : 'could not be reached'}: ${detail}.${body}`
    : `The target stopped answering at exchange ${exchange.n}: ${detail}.${body} If a firewall in front of it locks out an address after rejected requests, exempt the address of this run.`;
}
