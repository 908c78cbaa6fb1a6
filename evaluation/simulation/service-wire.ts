import type { Answer } from '../../reference-server/index.ts';
import type { Clock } from '../../suites/wire/clock.ts';
import type { Reply, Route, Wire, WireRequest } from '../../suites/wire/wire.ts';

/** How long a request travels each way, in milliseconds, and what becomes of it. */
export interface Network {
  readonly there: () => number;
  readonly back: () => number;
  /** Asked once for each request; undefined where it arrives and its answer, too. */
  readonly loss?: () => Loss | undefined;
}

/** What gets lost, and how the client learns of it. */
export interface Loss {
  readonly what: 'request' | 'answer';
  readonly shows: 'reset' | 'timeout';
}

/** How long a client waits for an answer that does not come, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** A fast link: a fifth of a millisecond each way. */
export const loopback: Network = { there: () => 0.2, back: () => 0.2 };

/** A wire to a service without sockets, in virtual time: what the network does is a parameter. */
export class ServiceWire implements Wire {
  readonly #answer: Answer;
  readonly #clock: Clock;
  readonly #network: Network;
  readonly #lines = new Map<Route, number>();
  #connections = 0;

  constructor(answer: Answer, clock: Clock, network: Network = loopback) {
    this.#answer = answer;
    this.#clock = clock;
    this.#network = network;
  }

  async send(send: WireRequest): Promise<Reply> {
    const connection = this.#connection(send.route);
    const sent = this.#clock.now();
    const loss = this.#network.loss?.();
    await this.#clock.sleep(this.#network.there());
    if (loss?.what === 'request') return this.#lost(send.route, { connection, sent }, loss);
    const outcome = this.#answer({
      method: send.method,
      target: `/v1${send.path}`,
      headers: send.headers,
      body: send.body,
      client: { address: '127.0.0.1', connection: connection.id },
    });
    if (loss !== undefined) return this.#lost(send.route, { connection, sent }, loss);
    await this.#clock.sleep((outcome.delayMs ?? 0) + this.#network.back());
    const moments = { connection, sent, received: this.#clock.now() };
    if (outcome.kind === 'dropped') {
      return { ...moments, kind: 'no-response', cause: 'reset', detail: 'other side closed' };
    }
    const { status, headers, body } = outcome;
    return { ...moments, kind: 'answer', status, headers, body, bytes: body.length };
  }

  async closeConnections(): Promise<void> {
    this.#lines.clear();
  }

  /** A connection on which something was lost is not used again. */
  async #lost(route: Route, begun: Pick<Reply, 'connection' | 'sent'>, { shows }: Loss): Promise<Reply> {
    const { wall } = this.#clock.now();
    await this.#clock.sleep(
      shows === 'reset' ? this.#network.back() : Math.max(0, TIMEOUT_MS - (wall - begun.sent.wall)),
    );
    this.#lines.delete(route);
    const detail = shows === 'reset' ? 'other side closed' : 'no answer came in time';
    return { ...begun, received: this.#clock.now(), kind: 'no-response', cause: shows, detail };
  }

  #connection(route: Route): { readonly id: number; readonly fresh: boolean } {
    const kept = this.#lines.get(route);
    if (kept !== undefined) return { id: kept, fresh: false };
    this.#connections += 1;
    if (route !== 'new') this.#lines.set(route, this.#connections);
    return { id: this.#connections, fresh: true };
  }
}
