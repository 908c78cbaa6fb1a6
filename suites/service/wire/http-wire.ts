import { rootCertificates } from 'node:tls';
import type { Dispatcher, EnvHttpProxyAgent } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import { ResponseReader } from './response-reader.ts';
import { ResponseReceiver } from './response-receiver.ts';
import type { Clock, Reply, Route, Wire, WireRequest } from './wire.ts';
import { basePath } from './wire.ts';

/** A certificate with which a client shows who it is (mutual TLS), and its private key; both as PEM text. */
export interface ClientCertificate {
  readonly cert: string;
  /** A secret: it is used for connections and appears nowhere else. */
  readonly key: string;
}

/** The target of a wire, and bounds that hold whatever the target does. */
export interface WireOptions {
  /** The base address, without a slash at the end; `http:` or `https:`. */
  readonly baseUrl: URL;
  readonly clock: Clock;
  /** The longest that one request may take, in milliseconds, connecting included. */
  readonly requestMs: number;
  readonly bodyBytes: number;
  /** PEM text of certificate authorities to trust besides the built-in ones. */
  readonly certificateAuthority?: string | undefined;
  /** For a target that asks for a certificate of the client. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** What connects as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say, where they apply. */
  readonly proxy?: typeof EnvHttpProxyAgent | undefined;
}

const HEADER_BYTES = 64 * 1024;

/** A longer response may wait for a server of one connection at a time, as Python's `HTTPServer`, that an idle one keeps busy. */
const PATIENCE_MS = 500;

/** A connection to the target: a dispatcher with at most one socket, and the number of that socket. */
interface Connection {
  readonly dispatcher: Dispatcher;
  /** Numbered from 1 in the order of opening; 0 before the socket exists. */
  number: number;
  /** Of the latest request. */
  method: string;
  /** Undefined before the socket exists, and behind a proxy, which reads the responses of the target itself. */
  reader?: ResponseReader;
}

/** The wire over real sockets: HTTP/1.1 by undici, one request at a time on each connection. */
export class HttpWire implements Wire {
  readonly #options: WireOptions;
  readonly #kept = new Map<Route, Connection>();
  readonly #busy = new Set<Connection>();
  /** Those of the busy ones whose response takes long. */
  readonly #late = new Set<Connection>();
  #opened = 0;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  async send(request: WireRequest): Promise<Reply> {
    const connection = this.#connectionFor(request.route);
    const before = connection.number;
    this.#busy.add(connection);
    const patience = setTimeout(() => {
      this.#late.add(connection);
      this.#closeIdle();
    }, PATIENCE_MS);
    const reply = await this.#dispatch(connection, request);
    clearTimeout(patience);
    this.#busy.delete(connection);
    this.#late.delete(connection);
    if (request.route === 'new') void connection.dispatcher.destroy().catch(() => undefined);
    if (this.#late.size > 0) this.#closeIdle();
    return { ...reply, connection: { id: connection.number, fresh: connection.number !== before } };
  }

  /** Gives up what a late response may wait for. */
  #closeIdle(): void {
    for (const [route, connection] of this.#kept) {
      if (this.#busy.has(connection)) continue;
      this.#kept.delete(route);
      void connection.dispatcher.destroy().catch(() => undefined);
    }
  }

  async closeConnections(): Promise<void> {
    const open = new Set([...this.#kept.values(), ...this.#busy]);
    this.#kept.clear();
    await Promise.all([...open].map(({ dispatcher }) => dispatcher.destroy()));
  }

  #connectionFor(route: Route): Connection {
    const kept = this.#kept.get(route);
    if (kept !== undefined) return kept;
    const connection = this.#open();
    if (route !== 'new') this.#kept.set(route, connection);
    return connection;
  }

  #open(): Connection {
    const { baseUrl, proxy, requestMs, certificateAuthority: ca, clientCertificate } = this.#options;
    const bounds = {
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: requestMs,
      bodyTimeout: requestMs,
    };
    const tls = {
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
      ...clientCertificate,
    };
    if (proxy !== undefined) {
      this.#opened += 1;
      const dispatcher = new proxy({ ...bounds, connections: 1, requestTls: tls, connect: tls });
      return { dispatcher, number: this.#opened, method: '' };
    }
    const connect = buildConnector({ ...tls, timeout: requestMs });
    const connection: Connection = {
      number: 0,
      method: '',
      dispatcher: new Client(baseUrl.origin, {
        ...bounds,
        connect: (options, callback) => {
          this.#opened += 1;
          connection.number = this.#opened;
          connect(options, (...opened) => {
            const [error, socket] = opened;
            if (error === null) connection.reader = new ResponseReader(socket, connection.method);
            callback(...opened);
          });
        },
      }),
    };
    return connection;
  }

  #dispatch(connection: Connection, request: WireRequest): ResponseReceiver['reply'] {
    const { baseUrl, clock, requestMs, bodyBytes } = this.#options;
    const receiver = new ResponseReceiver({ clock, bodyBytes, requestMs, connection });
    connection.method = request.method;
    connection.reader?.expectResponse(request.method);
    try {
      connection.dispatcher.dispatch(
        {
          origin: baseUrl.origin,
          path: basePath(baseUrl) + request.path,
          method: request.method as Dispatcher.HttpMethod,
          headers: request.headers.flat(),
          body: request.body,
        },
        receiver,
      );
    } catch (error) {
      receiver.finish(error);
    }
    return receiver.reply;
  }
}
