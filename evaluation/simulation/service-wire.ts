import type { RequestHandler } from '../../reference-server/service/message.ts';
import type { Clock, Reply, Route, Wire, WireRequest } from '../../suites/service/wire/wire.ts';

/** The delays of a simulated network, in milliseconds, and what it loses. */
export interface Network {
  /** The delay of a request. */
  readonly there: () => number;
  /** The delay of a response. */
  readonly back: () => number;
  /** Called once for each request; undefined if both the request and its response arrive. */
  readonly loss?: () => Loss | undefined;
}

/** What the network loses, and what the client sees instead of a response. */
export interface Loss {
  readonly lost: 'request' | 'response';
  readonly seenAs: 'reset' | 'timeout';
}

/** How long a client waits for a response, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** A fast link: a fifth of a millisecond each way. */
export const loopback: Network = { there: () => 0.2, back: () => 0.2 };

/** A wire to a service without sockets, in virtual time, over a simulated network. */
export class ServiceWire implements Wire {
  readonly #answer: RequestHandler;
  readonly #clock: Clock;
  readonly #network: Network;
  readonly #openConnections = new Map<Route, number>();
  #connections = 0;

  constructor(answer: RequestHandler, clock: Clock, network: Network = loopback) {
    this.#answer = answer;
    this.#clock = clock;
    this.#network = network;
  }

  async send(send: WireRequest): Promise<Reply> {
    const connection = this.#connection(send.route);
    const sent = this.#clock.now();
    const loss = this.#network.loss?.();
    await this.#clock.sleep(this.#network.there());
    if (loss?.lost === 'request') return this.#lost(send.route, { connection, sent }, loss);
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
    this.#openConnections.clear();
  }

  /** The reply to a request that was lost, or whose response was. Its connection is not used again. */
  async #lost(route: Route, begun: Pick<Reply, 'connection' | 'sent'>, { seenAs }: Loss): Promise<Reply> {
    const { wall } = this.#clock.now();
    await this.#clock.sleep(
      seenAs === 'reset' ? this.#network.back() : Math.max(0, TIMEOUT_MS - (wall - begun.sent.wall)),
    );
    this.#openConnections.delete(route);
    const detail = seenAs === 'reset' ? 'other side closed' : 'no response in time';
    return { ...begun, received: this.#clock.now(), kind: 'no-response', cause: seenAs, detail };
  }

  #connection(route: Route): { readonly id: number; readonly fresh: boolean } {
    const open = this.#openConnections.get(route);
    if (open !== undefined) return { id: open, fresh: false };
    this.#connections += 1;
    if (route !== 'new') this.#openConnections.set(route, this.#connections);
    return { id: this.#connections, fresh: true };
  }
}
