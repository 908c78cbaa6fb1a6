import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { ServerAddress } from '../../../kernel/basics/listen.ts';
import { listen } from '../../../kernel/basics/listen.ts';
import { completeBody } from '../../../kernel/exchanges/body.ts';
import type { Instant } from '../../../kernel/exchanges/exchange.ts';
import { headerLines } from '../../../kernel/exchanges/headers.ts';
import { recordedValue } from '../../../kernel/exchanges/judged-headers.ts';
import { now } from '../../../kernel/recording/line-file.ts';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import type { ArrivalLine, ResetLine, ResponseLine } from '../model/journal.ts';
import type { Reply, Scenario } from '../model/scenario.ts';
import { isFromClient, targetWithout } from '../model/sender.ts';
import { served } from '../scenarios/index.ts';
import type { ArrivalBounds } from './request-body.ts';
import {
  ARRIVAL_BOUNDS,
  arrivalCounter,
  keyRedactor,
  receiveBody,
  recordedBody,
  tagOf,
} from './request-body.ts';
import type { ReadRequest, ServedOperation } from './responses.ts';
import { hasKey, operationOf, Responses } from './responses.ts';
import type { ScriptPlayer } from './several-tasks.ts';
import { playerOf } from './several-tasks.ts';

/** What a connection began with that is no HTTP/1.1, as far as its first bytes show it. */
export type OtherProtocol = 'HTTP/2' | 'TLS';

/** The type of the first record of TLS: a handshake (RFC 8446 §5.1). */
const HANDSHAKE = 0x16;
/** What a client sends that speaks HTTP/2 without having asked (RFC 9113 §3.4). */
const PREFACE = 'PRI * HTTP/2.0';

/** Which other protocol the bytes are of that a parser of HTTP/1.1 did not take; undefined for anything else. */
function otherProtocolOf(bytes: unknown): OtherProtocol | undefined {
  if (!Buffer.isBuffer(bytes)) return undefined;
  if (bytes[0] === HANDSHAKE) return 'TLS';
  return bytes.subarray(0, PREFACE.length).toString('latin1') === PREFACE ? 'HTTP/2' : undefined;
}

interface Connection {
  /** Numbered from 1. */
  readonly id: number;
  requests: number;
  /** The number of the request that was answered last, where none has come since. */
  lastResponse?: number;
}

/** What a scripted service plays, for whom, and who records it. */
interface ServiceSettings extends ServerAddress {
  readonly scenario: Pick<Scenario, 'operation' | 'script' | 'headerNames'>;
  readonly start: number;
  readonly key: string;
  /** What the path of the address begins with that the client is given; undefined for `/v1` at the root of the host. */
  readonly prefix: string | undefined;
  readonly bounds?: ArrivalBounds;
  /** Numbers the arrivals of the whole run. */
  readonly nextNumber: () => number;
  /** Writes a line before it returns. */
  readonly record: (line: ArrivalLine | ResponseLine | ResetLine) => void;
  /** Called once when the client exceeds the bounds; nothing is answered from then on. */
  readonly onExcess: () => void;
  /** Called where the client began a connection with another protocol than HTTP/1.1. */
  readonly onOtherProtocol?: (protocol: OtherProtocol) => void;
}

/** A connection must outlive every Retry-After of a scenario, so that the client does not find it closed. */
const KEEP_ALIVE_MS = 5 * 60_000;

/** How a reset connection shows: `EPIPE` where the client had closed it before. */
const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** The most connections at a time; a client that opens more is not served on them. */
const MOST_CONNECTIONS = 256;

/** Starts a service that plays one scenario for one start of a client. @throws {UserError} when it cannot listen at the address. */
export async function startScriptedService(settings: ServiceSettings) {
  const session = new ServiceSession(settings);
  const { port } = await listen(session.server, settings, 'service', '--listen');
  session.server.on('error', () => session.close());
  return { port, close: () => session.close() };
}

/** The connections of one service, and the requests in flight on them. */
class ServiceSession {
  readonly server: Server;
  readonly #settings: ServiceSettings;
  readonly #player: ScriptPlayer;
  readonly #responses = new Responses();
  readonly #redact: Redact;
  readonly #isAdmitted: (mono: number) => boolean;
  readonly #open = new Map<Socket, Connection>();
  #opened = 0;
  #inFlight = 0;
  #closed = false;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
    this.#player = playerOf(settings.scenario.script);
    this.#redact = keyRedactor(settings.key);
    this.#isAdmitted = arrivalCounter(settings.bounds ?? ARRIVAL_BOUNDS);
    this.server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
      void this.#serve(request, response);
    });
    this.server.maxConnections = MOST_CONNECTIONS;
    this.server.on('connection', (socket) => {
      this.#opened += 1;
      this.#open.set(socket, { id: this.#opened, requests: 0 });
      socket.on('close', () => this.#open.delete(socket));
      socket.prependListener('end', () => this.#probe(socket));
    });
    // What is no HTTP, or far too long, gets no response: it is no request of the specification.
    this.server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: unknown }, socket) => {
      if (error.code !== undefined && RESETS.has(error.code)) this.#recordReset(socket as Socket);
      const protocol = otherProtocolOf(error.rawPacket);
      if (protocol !== undefined) settings.onOtherProtocol?.(protocol);
      socket.destroy();
    });
  }

  /** Records an arrival, reads its body, and responds when the script says so. Never rejects. */
  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = now();
    if (this.#closed) return;
    if (!this.#isAdmitted(at.mono)) {
      void this.close();
      return this.#settings.onExcess();
    }
    const arrival = this.#recordArrival(request, at);
    let pending = isFromClient(arrival, this.#settings.prefix);
    const settle = (): void => {
      if (pending) this.#inFlight -= 1;
      pending = false;
    };
    response.on('close', settle);
    const body = await receiveBody(request);
    if (body === undefined) return;
    const isOpen = (): boolean => !response.destroyed && !request.socket.readableEnded && !this.#closed;
    const operation = operationOf(
      request.method ?? '',
      targetWithout(this.#settings.prefix, request.url ?? ''),
    );
    const reply = await this.#replyTo(request, operation, isOpen);
    // A client that has closed its connection meanwhile gets no response. The second turn of the loop reads for certain.
    await setImmediate();
    await setImmediate();
    if (!isOpen()) return;
    settle();
    const read = { operation, contentType: request.headers['content-type'], body };
    this.#respond(arrival.n, read, reply, response);
  }

  #recordArrival(request: IncomingMessage, at: Instant): ArrivalLine {
    const head = {
      method: request.method ?? '',
      target: this.#redact(request.url ?? ''),
      headers: headerLines(request.rawHeaders).map(
        ([name, value]) => [this.#redact(name), recordedValue(name, this.#redact(value), tagOf)] as const,
      ),
    };
    if (isFromClient(head, this.#settings.prefix)) this.#inFlight += 1;
    const arrival: ArrivalLine = {
      kind: 'arrival',
      n: this.#settings.nextNumber(),
      start: this.#settings.start,
      at,
      connection: this.#arrivalOn(request.socket),
      inFlight: this.#inFlight,
      ...head,
    };
    this.#settings.record(arrival);
    return arrival;
  }

  /** 0 is the number of a connection that has closed meanwhile. */
  #arrivalOn(socket: Socket): ArrivalLine['connection'] {
    const { id, requests } = this.#open.get(socket) ?? { id: 0, requests: 0 };
    if (id > 0) this.#open.set(socket, { id, requests: requests + 1 });
    return { id, fresh: requests === 0 };
  }

  /** Where it closed just before a response, only the next write shows the reset: an empty line, which no client reads (RFC 9112 §2.2). */
  #probe(socket: Socket): void {
    if (this.#open.get(socket)?.lastResponse !== undefined && socket.writable) socket.write('\r\n');
  }

  /** A client that reset a connection before it sent anything further on it may not have read the last response. */
  #recordReset(socket: Socket): void {
    const n = this.#open.get(socket)?.lastResponse;
    if (n !== undefined && !this.#closed) this.#settings.record({ kind: 'reset', n, at: now() });
  }

  /** What the script gives, once it does. A request without the key takes no reply of it, nor does one of another operation, such as a heartbeat on a path of its own. */
  async #replyTo(
    request: IncomingMessage,
    operation: ServedOperation,
    isOpen: () => boolean,
  ): Promise<Reply> {
    const { key, scenario } = this.#settings;
    if (!hasKey(headerLines(request.rawHeaders), key)) return { kind: 'unauthorized' };
    const isScripted =
      operation !== 'other' && (scenario.operation === 'any' || scenario.operation === operation);
    return isScripted ? this.#player.reply(isOpen) : served;
  }

  /** Stamps the moment, writes the line, and only then sends the response, in one piece. */
  #respond(n: number, request: ReadRequest, reply: Reply, response: ServerResponse): void {
    const at = now();
    const { status, headers: lines, body } = this.#responses.to(request, reply, at.wall);
    const inLowerCase = this.#settings.scenario.headerNames === 'in lower case';
    const headers = lines.map(([name, value]) => [inLowerCase ? name.toLowerCase() : name, value] as const);
    this.#settings.record({
      kind: 'response',
      n,
      at,
      requestBody: recordedBody(request.body, this.#redact),
      status,
      headers: headers.map(([name, value]) => [name, this.#redact(value)]),
      body: completeBody(this.#redact(body)),
    });
    const connection = this.#open.get(response.req.socket);
    if (connection !== undefined) connection.lastResponse = n;
    response.sendDate = false;
    response.writeHead(status, headers.flat());
    response.end(body);
  }

  /** Ends every connection at once; nothing is recorded afterwards. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#player.stop();
    for (const socket of this.#open.keys()) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
