import { rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { buildConnector, Client, EnvHttpProxyAgent } from 'undici';
import type { Clock } from './clock.ts';
import { InterimFilter } from './interim.ts';
import { Receiver } from './receiver.ts';
import type { Reply, Route, Wire, WireRequest } from './wire.ts';

/** Bounds that hold whatever the target does. */
export interface WireOptions {
  /** The base address, without a slash at the end; `http:` or `https:`. */
  readonly baseUrl: URL;
  readonly clock: Clock;
  /** The longest that one request may take, in milliseconds, connecting included. */
  readonly requestMs: number;
  /** The most bytes of a body that are kept; reading stops there. */
  readonly bodyBytes: number;
  /** PEM text of certificate authorities to trust besides the built-in ones. */
  readonly ca?: string;
  /** Whether `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply. */
  readonly proxied: boolean;
}

/** The most bytes of header that are read before the answer is given up. */
const HEADER_BYTES = 64 * 1024;

/** One way to the target: a dispatcher with at most one socket, and the number of that socket. */
interface Line {
  readonly dispatcher: Dispatcher;
  connection: number;
  /** Undefined before the socket is there, and behind a proxy, whose business interim answers are (RFC 9110 §15.2). */
  interim?: InterimFilter;
}

/** The wire over real sockets: HTTP/1.1 by undici, one request at a time on each connection. */
export class HttpWire implements Wire {
  readonly #options: WireOptions;
  readonly #kept = new Map<Route, Line>();
  #connections = 0;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  async send(send: WireRequest): Promise<Reply> {
    const line = this.#line(send.route);
    const before = line.connection;
    const reply = await this.#dispatch(line, send);
    if (send.route === 'new') void line.dispatcher.destroy().catch(() => undefined);
    return { ...reply, connection: { id: line.connection, fresh: line.connection !== before } };
  }

  async hangUp(): Promise<void> {
    const lines = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(lines.map((line) => line.dispatcher.destroy()));
  }

  #line(route: Route): Line {
    const kept = this.#kept.get(route);
    if (kept !== undefined) return kept;
    const line = this.#open();
    if (route !== 'new') this.#kept.set(route, line);
    return line;
  }

  #open(): Line {
    const { baseUrl, proxied, requestMs, ca } = this.#options;
    const bounds = {
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: requestMs,
      bodyTimeout: requestMs,
    };
    const tls = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
    if (proxied) {
      this.#connections += 1;
      const dispatcher = new EnvHttpProxyAgent({ ...bounds, connections: 1, requestTls: tls, connect: tls });
      return { dispatcher, connection: this.#connections };
    }
    const connect = buildConnector({ ...tls, timeout: requestMs });
    const line: Line = {
      connection: 0,
      dispatcher: new Client(baseUrl.origin, {
        ...bounds,
        connect: (options, callback) => {
          this.#connections += 1;
          line.connection = this.#connections;
          connect(options, (...opened) => {
            const [error, socket] = opened;
            if (error === null) line.interim = new InterimFilter(socket);
            callback(...opened);
          });
        },
      }),
    };
    return line;
  }

  #dispatch(line: Line, send: WireRequest): Promise<DispatchedReply> {
    const { baseUrl, clock, requestMs, bodyBytes } = this.#options;
    const receiver = new Receiver({ clock, bodyBytes, requestMs });
    line.interim?.expectAnswer();
    try {
      line.dispatcher.dispatch(
        {
          origin: baseUrl.origin,
          path: basePath(baseUrl) + send.path,
          method: send.method as Dispatcher.HttpMethod,
          headers: send.headers.flat(),
          body: send.body,
        },
        receiver,
      );
    } catch (error) {
      receiver.fail(error);
    }
    return receiver.reply;
  }
}

type DispatchedReply = Awaited<Receiver['reply']>;

/** The path of a base address without the slash at its end; empty at the root. */
export function basePath(baseUrl: URL): string {
  return baseUrl.pathname.replace(/\/+$/, '');
}
