import { HTTPParser } from 'http-parser-js';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { headerLines } from '../../../kernel/exchanges/headers.ts';
import { now } from '../../../kernel/recording/line-file.ts';
import type { ArrivalLine, ClientJournalLine, ResponseLine } from '../model/journal.ts';
import type { ReceivedBody } from '../service/request-body.ts';
import { BodyKeeper } from '../service/request-body.ts';
import type { SeenKey, SeenKeys } from './recorded-values.ts';
import { recordedForm, recordedHeaders, recordedTarget } from './recorded-values.ts';

/** The head of a message: `status` is 0 in a request, `method` and `target` are empty in a response. */
interface MessageHead {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly headers: readonly HeaderLine[];
}

const MOST_HEADER_BYTES = 64 * 1024;
/** What the parser expects of `onHeadersComplete`: that it reads no body. */
const SKIP_BODY = 1;
const READ_BODY = 0;
/** The method that the first line of HTTP/2 looks like (RFC 9113 §3.4): no request of HTTP/1.1. */
const HTTP2_PREFACE = 'PRI';

/**
 * Reads the messages of one direction of a connection on the side: nothing here changes a byte of it.
 * @param onHead returns whether a body follows where one is announced: not after a request with HEAD.
 */
function messageReader(
  direction: 'requests' | 'responses',
  onHead: (head: MessageHead) => boolean,
  onEnd: (body: ReceivedBody) => void,
) {
  const isOfClient = direction === 'requests';
  const parser = new HTTPParser(isOfClient ? HTTPParser.REQUEST : HTTPParser.RESPONSE);
  const sentLines = isOfClient ? readOnAfterOffersOfUpgrade(parser) : undefined;
  let body = new BodyKeeper();
  let readable = true;
  parser.maxHeaderSize = MOST_HEADER_BYTES;
  parser.onHeadersComplete = ({ headers, method, url, statusCode, upgrade }) => {
    const lines = sentLines?.splice(0) ?? headers;
    body = new BodyKeeper();
    // The declarations call it a number; with these handlers it is the name.
    const name = isOfClient ? String(method) : '';
    // What follows an accepted upgrade, or the first line of HTTP/2, is no HTTP/1.1.
    if (upgrade || name === HTTP2_PREFACE) readable = false;
    if (name === HTTP2_PREFACE) return SKIP_BODY;
    const head = { method: name, target: url ?? '', status: statusCode ?? 0, headers: headerLines(lines) };
    return onHead(head) ? READ_BODY : SKIP_BODY;
  };
  parser.onBody = (chunk, offset, length) => body.add(chunk.subarray(offset, offset + length));
  parser.onMessageComplete = () => onEnd(body.body);
  return {
    /** Reads on; false where the bytes are no HTTP, from then on. */
    read(bytes: Buffer): boolean {
      if (readable && parser.execute(bytes) instanceof Error) readable = false;
      return readable;
    },
    /** Reads nothing from now on, because the other side has accepted an upgrade to another protocol. */
    stop(): void {
      readable = false;
    },
    /** The connection has ended, which ends a body without an announced length. */
    end(): void {
      if (readable) parser.finish();
      readable = false;
    },
  };
}

/**
 * Hides the field Upgrade of requests from the parser, which would read nothing after it. A client only offers an
 * upgrade, as the HTTP client of Java and `curl --http2` do in each request; the server decides ("A server MAY ignore a
 * received Upgrade header field", RFC 9110 §7.8), and shows it by 101.
 * @returns the names and values of the request that is being read, this field included.
 */
function readOnAfterOffersOfUpgrade(parser: InstanceType<typeof HTTPParser>): string[] {
  const sent: string[] = [];
  const parse = parser.parseHeader.bind(parser);
  parser.parseHeader = (line, headers) => {
    parse(line, sent);
    if (!/^upgrade:/i.test(line)) parse(line, headers);
  };
  return sent;
}

export interface WatchedTraffic {
  readonly keys: SeenKeys;
  /** The path of the base address, without a slash at its end. */
  readonly base: string;
  readonly record: (line: ClientJournalLine) => void;
  readonly nextNumber: () => number;
  /** How many requests with the key of this start are in flight, after this change. */
  readonly inFlight: (start: number, change: 1 | -1) => number;
}

/** A request that waits for its response. */
interface Pending {
  readonly arrival: ArrivalLine;
  readonly key: SeenKey;
  requestBody?: ReceivedBody;
  /** The moment before the first byte of the response was passed on, and what it began with. */
  response?: Pick<ResponseLine, 'at' | 'status' | 'headers'>;
}

/** Reads both directions of one connection and records its requests and responses. It changes nothing. */
export function watchConnection({ keys, base, record, nextNumber, inFlight }: WatchedTraffic, id: number) {
  const pending: Pending[] = [];
  let fresh = true;
  const arrived = ({ method, target, headers }: MessageHead): boolean => {
    const at = now();
    const key = keys.keyOf(headers, target);
    const { start, redact } = key;
    const arrival: ArrivalLine = {
      kind: 'arrival',
      n: nextNumber(),
      start,
      at,
      connection: { id, fresh },
      inFlight: inFlight(start, 1),
      method,
      target: recordedTarget(redact(target), base),
      headers: recordedHeaders(headers, key, base),
    };
    fresh = false;
    pending.push({ arrival, key });
    record(arrival);
    return true;
  };
  const requests = messageReader('requests', arrived, (body) => {
    const last = pending.at(-1);
    if (last !== undefined) last.requestBody = body;
  });
  const responding = ({ status, headers }: MessageHead): boolean => {
    const [first] = pending;
    if (first === undefined || isInterim(status)) return true;
    if (status === 101) requests.stop();
    first.response = { at: now(), status, headers: recordedHeaders(headers, first.key, base) };
    return first.arrival.method !== 'HEAD';
  };
  const responses = messageReader('responses', responding, (body) => {
    const [first] = pending;
    if (first?.response === undefined) return;
    const { arrival, key, requestBody, response } = first;
    pending.shift();
    inFlight(arrival.start, -1);
    record({
      kind: 'response',
      n: arrival.n,
      ...response,
      requestBody: requestBody === undefined ? null : recordedForm(requestBody, key.redact),
      body: recordedForm(body, key.redact) ?? EMPTY,
    });
  });
  /** The connection is closed: requests without a response stay without one. */
  const close = (): void => {
    responses.end();
    for (const { arrival } of pending.splice(0)) inFlight(arrival.start, -1);
  };
  // These read what the client and the service send, each piece before it is passed on.
  return { requests, responses, close };
}

const EMPTY = { text: '', encoding: 'utf8', bytes: 0, cut: false } as const;

/** 100, 102 and 103 announce the response and are none (RFC 9110 §15.2). */
const isInterim = (status: number): boolean => status >= 100 && status < 200 && status !== 101;
