import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { completeBody } from '../../../kernel/exchanges/body.ts';
import type { Instant } from '../../../kernel/exchanges/exchange.ts';
import { headerLines } from '../../../kernel/exchanges/headers.ts';
import { recordedValue } from '../../../kernel/exchanges/judged-headers.ts';
import { now } from '../../../kernel/recording/line-file.ts';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import type { ArrivalLine, ResetLine, ResponseLine } from '../model/journal.ts';
import type { Scenario } from '../model/scenario.ts';
import { isFromClient, targetWithout } from '../model/sender.ts';
import { served } from '../scenarios/index.ts';
import type { ServerAddress } from './listen.ts';
import { listen } from './listen.ts';
import type { ArrivalBounds, ReceivedBody } from './request-body.ts';
import {
  ARRIVAL_BOUNDS,
  ArrivalCounter,
  keyRedactor,
  receiveBody,
  recordedBody,
  tagOf,
} from './request-body.ts';
import type { PreparedResponse, ServedOperation } from './responses.ts';
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
  readonly id: number;
  requests: number;
  /** The number of the request that was answered last, where none has come since. */
  lastResponse: number | undefined;
}

/** The open connections of one service, numbered from 1. */
class Connections {
  readonly #open = new Map<Socket, Connection>();
  #opened = 0;

  open(socket: Socket): void {
    this.#opened += 1;
    this.#open.set(socket, { id: this.#opened, requests: 0, lastResponse: undefined });
    socket.on('close', () => this.#open.delete(socket));
  }

  /** Counts a request; 0 is the number of a connection that has closed meanwhile. */
  arrivalOn(socket: Socket): ArrivalLine['connection'] {
    const connection = this.#open.get(socket);
    if (connection === undefined) return { id: 0, fresh: true };
    connection.requests += 1;
    connection.lastResponse = undefined;
    return { id: connection.id, fresh: connection.requests === 1 };
  }

  /** The response to request `n` is about to be written. */
  answers(socket: Socket, n: number): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.lastResponse = n;
  }

  /** The request whose response came last on a connection, where the client has sent nothing further on it. */
  lastAnswered(socket: Socket): number | undefined {
    return this.#open.get(socket)?.lastResponse;
  }

  destroy(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
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

interface ScriptedService {
  readonly port: number;
  close(): Promise<void>;
}

/** A connection must outlive every Retry-After of a scenario, so that the client does not find it closed. */
const KEEP_ALIVE_MS = 5 * 60_000;

/** How a reset connection shows: `EPIPE` where the client had closed it before. */
const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** The most connections at a time; a client that opens more is not served on them. */
const MOST_CONNECTIONS = 256;

/** Starts a service that plays one scenario for one start of a client. @throws {UserError} when it cannot listen at the address. */
export async function startScriptedService(settings: ServiceSettings): Promise<ScriptedService> {
  const session = new ServiceSession(settings);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void session.serve(request, response);
  });
  server.maxConnections = MOST_CONNECTIONS;
  session.attach(server);
  const port = await listen(server, settings, 'service');
  server.on('error', () => session.close());
  return { port, close: () => session.close() };
}

/** A client that has closed its connection meanwhile gets no response. The second turn of the loop reads for certain. */
async function everythingRead(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** The connections of one service, and the requests in flight on them. */
class ServiceSession {
  readonly #settings: ServiceSettings;
  readonly #player: ScriptPlayer;
  readonly #responses = new Responses();
  readonly #redact: Redact;
  readonly #counter: ArrivalCounter;
  readonly #connections = new Connections();
  #server: Server | undefined;
  #inFlight = 0;
  #closed = false;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
    this.#player = playerOf(settings.scenario.script);
    this.#redact = keyRedactor(settings.key);
    this.#counter = new ArrivalCounter(settings.bounds ?? ARRIVAL_BOUNDS);
  }

  attach(server: Server): void {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#connections.open(socket);
      socket.prependListener('end', () => this.#probe(socket));
    });
    // What is no HTTP, or far too long, gets no response: it is no request of the specification.
    server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: unknown }, socket) => {
      if (error.code !== undefined && RESETS.has(error.code)) this.#recordReset(socket as Socket);
      const protocol = otherProtocolOf(error.rawPacket);
      if (protocol !== undefined) this.#settings.onOtherProtocol?.(protocol);
      socket.destroy();
    });
  }

  /** Records an arrival, reads its body, and responds when the script says so. Never rejects. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = now();
    if (this.#closed) return;
    if (!this.#counter.admits(at.mono)) return this.#exceeded();
    const arrival = this.#recordArrival(request, at);
    let pending = this.#isFromClient(arrival);
    const settle = (): void => {
      if (pending) this.#inFlight -= 1;
      pending = false;
    };
    response.on('close', settle);
    const body = await receiveBody(request);
    if (body === undefined) return;
    const isOpen = (): boolean => !response.destroyed && !request.socket.readableEnded && !this.#closed;
    const decide = await this.#decided(request, body, isOpen);
    await everythingRead();
    if (!isOpen()) return;
    settle();
    this.#respond(arrival.n, body, decide, response);
  }

  #recordArrival(request: IncomingMessage, at: Instant): ArrivalLine {
    const connection = this.#connections.arrivalOn(request.socket);
    const head = {
      method: request.method ?? '',
      target: this.#redact(request.url ?? ''),
      headers: headerLines(request.rawHeaders).map(
        ([name, value]) => [this.#redact(name), recordedValue(name, this.#redact(value), tagOf)] as const,
      ),
    };
    if (this.#isFromClient(head)) this.#inFlight += 1;
    const arrival: ArrivalLine = {
      kind: 'arrival',
      n: this.#settings.nextNumber(),
      start: this.#settings.start,
      at,
      connection,
      inFlight: this.#inFlight,
      ...head,
    };
    this.#settings.record(arrival);
    return arrival;
  }

  /** Where it closed just before a response, only the next write shows the reset: an empty line, which no client reads (RFC 9112 §2.2). */
  #probe(socket: Socket): void {
    if (this.#connections.lastAnswered(socket) !== undefined && socket.writable) socket.write('\r\n');
  }

  /** A client that reset a connection before it sent anything further on it may not have read the last response. */
  #recordReset(socket: Socket): void {
    const n = this.#connections.lastAnswered(socket);
    if (n !== undefined && !this.#closed) this.#settings.record({ kind: 'reset', n, at: now() });
  }

  #isFromClient(head: Pick<ArrivalLine, 'target' | 'headers'>): boolean {
    return isFromClient(head, this.#settings.prefix);
  }

  /** How to respond at the moment of responding, once the script gives its reply. */
  async #decided(
    request: IncomingMessage,
    body: ReceivedBody,
    isOpen: () => boolean,
  ): Promise<(wall: number) => PreparedResponse> {
    if (!hasKey(headerLines(request.rawHeaders), this.#settings.key))
      return (wall) => Responses.unauthorized(wall);
    const target = targetWithout(this.#settings.prefix, request.url ?? '');
    const operation = operationOf(request.method ?? '', target);
    const read = { operation, contentType: request.headers['content-type'], body };
    const reply = this.#isScripted(operation) ? await this.#player.reply(isOpen) : served;
    return (wall) => this.#responses.to(read, reply, wall);
  }

  /** A request of another operation takes no reply of the script, such as a heartbeat on a path of its own. */
  #isScripted(operation: ServedOperation): boolean {
    const scripted = this.#settings.scenario.operation;
    return operation !== 'other' && (scripted === 'any' || scripted === operation);
  }

  /** Stamps the moment, writes the line, and only then sends the response, in one piece. */
  #respond(
    n: number,
    body: ReceivedBody,
    respond: (wall: number) => PreparedResponse,
    response: ServerResponse,
  ): void {
    const at = now();
    const { status, headers: lines, body: text } = respond(at.wall);
    const headers = lines.map(([name, value]) => [this.#named(name), value] as const);
    this.#settings.record({
      kind: 'response',
      n,
      at,
      requestBody: recordedBody(body, this.#redact),
      status,
      headers: headers.map(([name, value]) => [name, this.#redact(value)]),
      body: completeBody(this.#redact(text)),
    });
    this.#connections.answers(response.req.socket, n);
    response.sendDate = false;
    response.writeHead(status, headers.flat());
    response.end(text);
  }

  #named(name: string): string {
    return this.#settings.scenario.headerNames === 'in lower case' ? name.toLowerCase() : name;
  }

  #exceeded(): void {
    void this.close();
    this.#settings.onExcess();
  }

  /** Ends every connection at once; nothing is recorded afterwards. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#player.stop();
    this.#connections.destroy();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}
