import type { Instant } from '../../../kernel/exchanges/exchange.ts';
import type { ArrivalLine, ClientJournalLine } from '../model/journal.ts';
import type { ReceivedBody } from '../service/request-body.ts';
import { MessageReader } from './message-reader.ts';
import { recordedForm, recordedHeaders, recordedTarget } from './recorded-values.ts';
import type { SeenKey, SeenKeys } from './seen-keys.ts';

/** What the connections of a watched client share. */
export interface WatchedTraffic {
  readonly keys: SeenKeys;
  /** The path of the base address, without a slash at its end. */
  readonly base: string;
  readonly record: (line: ClientJournalLine) => void;
  readonly now: () => Instant;
  /** The number of the next request. */
  readonly nextNumber: () => number;
  /** How many requests with the key of this start are in flight, after this change. */
  readonly inFlight: (start: number, change: 1 | -1) => number;
}

/** A request that waits for its response. */
interface Pending {
  readonly arrival: ArrivalLine;
  readonly key: SeenKey;
  readonly requestBody: ReceivedBody | undefined;
  /** The moment before the first byte of the response was passed on, and what it began with. */
  readonly response:
    | { readonly at: Instant; readonly status: number; readonly headers: ArrivalLine['headers'] }
    | undefined;
}

/** Reads both directions of one connection and records its requests and responses. It changes nothing. */
export class WatchedConnection {
  readonly #traffic: WatchedTraffic;
  readonly #id: number;
  readonly #requests: MessageReader;
  readonly #responses: MessageReader;
  #pending: readonly Pending[] = [];
  #count = 0;

  constructor(traffic: WatchedTraffic, id: number) {
    this.#traffic = traffic;
    this.#id = id;
    this.#requests = new MessageReader('requests', {
      onHead: ({ method, target, headers }) => this.#arrived(method, target, headers),
      onEnd: (body) => this.#change(this.#pending.length - 1, (one) => ({ ...one, requestBody: body })),
    });
    this.#responses = new MessageReader('responses', {
      onHead: ({ status, headers }) => this.#responding(status, headers),
      onEnd: (body) => this.#responded(body),
    });
  }

  /** Bytes of the client; false where they are no HTTP. To be called before they are passed on. */
  fromClient(bytes: Buffer): boolean {
    return this.#requests.read(bytes);
  }

  /** Bytes of the service; false where they are no HTTP. To be called before they are passed on. */
  fromService(bytes: Buffer): boolean {
    return this.#responses.read(bytes);
  }

  /** The connection is closed: requests without a response stay without one. */
  close(): void {
    this.#responses.end();
    for (const { arrival } of this.#pending) this.#traffic.inFlight(arrival.start, -1);
    this.#pending = [];
  }

  #arrived(method: string, target: string, headers: ArrivalLine['headers']): 'body as announced' {
    const at = this.#traffic.now();
    const key = this.#traffic.keys.keyOf(headers, target);
    const { start, redact } = key;
    const arrival: ArrivalLine = {
      kind: 'arrival',
      n: this.#traffic.nextNumber(),
      start,
      at,
      connection: { id: this.#id, fresh: this.#count === 0 },
      inFlight: this.#traffic.inFlight(start, 1),
      method,
      target: recordedTarget(redact(target), this.#traffic.base),
      headers: recordedHeaders(headers, key, this.#traffic.base),
    };
    this.#count += 1;
    this.#pending = [...this.#pending, { arrival, key, requestBody: undefined, response: undefined }];
    this.#traffic.record(arrival);
    return 'body as announced';
  }

  #responding(status: number, headers: ArrivalLine['headers']): 'body as announced' | 'no body' {
    const [first] = this.#pending;
    if (first === undefined || isInterim(status)) return 'body as announced';
    if (status === 101) this.#requests.stop();
    const response = {
      at: this.#traffic.now(),
      status,
      headers: recordedHeaders(headers, first.key, this.#traffic.base),
    };
    this.#change(0, (one) => ({ ...one, response }));
    return first.arrival.method === 'HEAD' ? 'no body' : 'body as announced';
  }

  #responded(body: ReceivedBody): void {
    const [first, ...rest] = this.#pending;
    if (first?.response === undefined) return;
    const { arrival, key, requestBody, response } = first;
    this.#pending = rest;
    this.#traffic.inFlight(arrival.start, -1);
    this.#traffic.record({
      kind: 'response',
      n: arrival.n,
      ...response,
      requestBody: requestBody === undefined ? null : recordedForm(requestBody, key.redact),
      body: recordedForm(body, key.redact) ?? EMPTY,
    });
  }

  #change(at: number, change: (one: Pending) => Pending): void {
    this.#pending = this.#pending.map((one, index) => (index === at ? change(one) : one));
  }
}

const EMPTY = { text: '', encoding: 'utf8', bytes: 0, cut: false } as const;

/** 100, 102 and 103 announce the response and are none (RFC 9110 §15.2). */
const isInterim = (status: number): boolean => status >= 100 && status < 200 && status !== 101;
