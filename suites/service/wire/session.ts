import { createHash } from 'node:crypto';
import { definedFields } from '../../../kernel/basics/json.ts';
import { contentCodings } from '../../../kernel/exchanges/body.ts';
import { once } from '../../../kernel/exchanges/collections.ts';
import type { Exchange, HeaderLine, Instant } from '../../../kernel/exchanges/exchange.ts';
import { headerValues } from '../../../kernel/exchanges/headers.ts';
import { recordedValue } from '../../../kernel/exchanges/judged-headers.ts';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import { redactedLine, redactor } from '../../../kernel/recording/redaction/redact.ts';
import type { JournalLine, PublishedDocument } from '../model/journal.ts';
import { Sharing } from '../model/sharing.ts';
import { BodyRecorder, withoutCoding } from './body-recorder.ts';
import type { Journal } from './journal.ts';
import type { Credential, Keys, Presented } from './keyring.ts';
import { callerOf, isTheKeyItself, present, secretsOf } from './keyring.ts';
import type { Clock, Reply, Route, Wire, WireRequest } from './wire.ts';
import { basePath } from './wire.ts';

/** The most cookies that are sent back, and the longest line of them; browsers keep more (RFC 6265 §6.1). */
const MOST = 20;
const LONGEST = 4096;

/** As a browser keeps them (RFC 6265 §5.3). They are secrets of the target, so they are kept in memory alone. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  keep(headers: readonly HeaderLine[]): void {
    for (const line of headerValues(headers, 'Set-Cookie')) {
      const [, name = '', value = ''] = /^([!-:<>-~]+)=([!-:<-~]*)/.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
      const [oldest = ''] = this.#cookies.keys();
      if (this.#cookies.size > MOST) this.#cookies.delete(oldest);
    }
  }

  /** The line of the `Cookie` header that a browser would send (RFC 6265 §4.2); empty where there is no cookie. */
  get line(): string {
    const pairs = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    while (pairs.join('; ').length > LONGEST) pairs.shift();
    return pairs.join('; ');
  }
}

export interface ProbeRequest {
  readonly method: 'GET' | 'POST' | 'HEAD' | 'OPTIONS';
  /** After the base address, for example `/categories`; sent as it is written here. */
  readonly path: string;
  readonly credential: Credential;
  readonly body?: string | Uint8Array;
  /** Sent with a body; `application/json` by default, no Content-Type for null. */
  readonly contentType?: string | null | undefined;
  /** The types that are accepted; `application/json` by default. */
  readonly accept?: string | undefined;
  readonly headers?: readonly HeaderLine[];
  /** The kept connection by default. */
  readonly route?: Route;
}

export interface SessionOptions {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly keys: Keys;
  readonly baseUrl: URL;
  /** Header lines that a gateway in front of the target requires on every request. */
  readonly headers?: readonly HeaderLine[];
  readonly signal?: AbortSignal;
}

const LONGEST_SENTENCE = 400;

/** How many values are known as equal to later ones: a target may send new ones without end. */
const MOST_TAGS = 100_000;

/** Sends requests to the target and records every exchange: the one place where the wire, the keys and the journal meet. */
export class Session {
  /** The path of the base address; empty at the root. */
  readonly basePath: string;
  readonly origin: string;
  /** What the successes of the key set. */
  readonly cookies = new CookieJar();
  readonly #options: SessionOptions;
  readonly #redact: Redact;
  readonly #exchanges: Exchange[] = [];
  readonly #bodies: BodyRecorder;
  readonly #sharing = new Sharing();
  readonly #tags = new Map<string, number>();
  #lastTag = 0;
  #probe = '';

  constructor(options: SessionOptions) {
    this.#options = options;
    this.basePath = basePath(options.baseUrl);
    this.origin = options.baseUrl.origin;
    const { keys, headers = [] } = options;
    this.#redact = headers.length > 0 ? redactor(secretsOf(keys, headers)) : redactorOfKeys(keys);
    this.#bodies = new BodyRecorder(this.#redact, this.#sharing);
  }

  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  now(): Instant {
    return this.#options.clock.now();
  }

  /** Labels every later exchange and note with this probe. */
  beginProbe(probe: string): void {
    this.#probe = probe;
    this.#append({ kind: 'probe', id: probe, at: this.now().wall });
  }

  /** Records a sentence that a judge needs and no exchange shows. */
  note(text: string): void {
    this.#append({ kind: 'note', probe: this.#probe, text: this.#redact(text), at: this.now().wall });
  }

  recordDocument({ source, address, text, unread }: PublishedDocument): void {
    this.#append(
      definedFields({
        kind: 'document' as const,
        source: this.#redact(source),
        address: address && this.#redact(address),
        text: this.#redact(text),
        unread: unread && this.#redact(unread),
        at: this.now().wall,
      }),
    );
  }

  /** Whether a credential that is meant to be invalid is the key under test itself. */
  isKeyUnderTest(credential: Credential): boolean {
    return isTheKeyItself(credential, this.#options.keys);
  }

  /** Sends one request. Rejects only when the run is interrupted or the journal cannot be written. */
  async send(step: string, request: ProbeRequest): Promise<Exchange> {
    this.#options.signal?.throwIfAborted();
    const rendered = this.#render(request, present(request.credential, this.#options.keys));
    const reply = await this.#options.wire.send(rendered);
    // What an interruption cut off says nothing about the target.
    this.#options.signal?.throwIfAborted();
    return this.#record(step, request, rendered, reply);
  }

  /** Sends several requests at the same time, each on its own route. */
  async sendTogether(step: string, requests: readonly ProbeRequest[]): Promise<readonly Exchange[]> {
    const exchanges = requests.map((request) => this.send(step, request));
    // Where one cannot be recorded, none may be under way when the journal is closed.
    await Promise.allSettled(exchanges);
    return Promise.all(exchanges);
  }

  /** Records a wait, closes the connections (servers close idle ones) and waits. */
  async wait(seconds: number, because: string): Promise<void> {
    this.#append({ kind: 'wait', seconds, because, at: this.now().wall });
    await this.#options.wire.closeConnections();
    await this.pause(seconds);
  }

  /** The same until a moment on the monotonic clock, in milliseconds, unless that has come. */
  async waitUntil(moment: number, because: string): Promise<void> {
    const seconds = (moment - this.now().mono) / 1000;
    if (seconds > 0) await this.wait(seconds, because);
  }

  /** Waits between two requests of a sequence, in seconds. Connections stay open, and the times of the exchanges show it. */
  async pause(seconds: number): Promise<void> {
    await this.#options.clock.sleep(seconds * 1000, this.#options.signal);
  }

  #render(request: ProbeRequest, { headers: credential, query, members = {} }: Presented): WireRequest {
    const body = bodyWith(request.body, members);
    const type = request.contentType === undefined ? 'application/json' : request.contentType;
    const given = this.#options.headers ?? [];
    const headers: HeaderLine[] = [
      ['Accept', request.accept ?? 'application/json'],
      ['Accept-Encoding', 'identity'],
      ...(body !== null && type !== null ? ([['Content-Type', type]] as const) : []),
      ...given,
      ...withName(request.headers ?? [], given),
      ...credential,
    ];
    const path = query === undefined ? request.path : `${request.path}?${query}`;
    return { method: request.method, path, headers, body, route: request.route ?? 'kept' };
  }

  #record(step: string, request: ProbeRequest, rendered: WireRequest, reply: Reply): Exchange {
    const exchange = this.#sharing.exchange({
      kind: 'exchange',
      n: this.#exchanges.length + 1,
      probe: this.#probe,
      step,
      caller: callerOf(request.credential),
      connection: reply.connection,
      request: {
        method: rendered.method,
        target: this.#redact(this.basePath + rendered.path),
        headers: rendered.headers.map((line) => this.#recordedRequestLine(line)),
        body: rendered.body === null ? null : this.#bodies.recordRequest(rendered.body),
      },
      sent: reply.sent,
      received: reply.received,
      outcome: this.#outcome(reply),
    });
    if (exchange.caller === 'key' && reply.kind === 'answer' && [200, 201].includes(reply.status))
      this.cookies.keep(reply.headers.map((line) => redactedLine(line, this.#redact)));
    this.#exchanges.push(exchange);
    this.#append(exchange);
    return exchange;
  }

  #outcome(reply: Reply): Exchange['outcome'] {
    if (reply.kind === 'no-response') {
      return { kind: 'no-response', cause: reply.cause, detail: this.#sentence(reply.detail) };
    }
    const { status, headers, bytes, broken, unreadable, irregular } = reply;
    const isWhole = broken === undefined && unreadable === undefined && bytes === reply.body.length;
    const undone = isWhole ? withoutCoding(headers, reply.body) : undefined;
    const body = undone?.body ?? reply.body;
    return definedFields({
      kind: 'answer' as const,
      status,
      headers: headers.map((line) => this.#recordedLine(line)),
      irregular: irregular?.map((one) => this.#sentence(one)),
      decoded: undone?.codings,
      body: this.#bodies.recordResponse(body, undone === undefined ? bytes : body.length, {
        ended: isWhole,
        coded: undone === undefined && contentCodings(headers).length > 0,
      }),
      broken: broken && this.#redact(broken),
      unreadable: unreadable && this.#redact(unreadable),
    });
  }

  /** A sentence with words of the target, which is cut only when no key is in it. */
  #sentence(text: string): string {
    const redacted = this.#redact(text);
    return redacted.length > LONGEST_SENTENCE ? `${redacted.slice(0, LONGEST_SENTENCE)}…` : redacted;
  }

  /** A line of a response: what no judge reads may be a secret of the target. */
  #recordedLine(line: HeaderLine): HeaderLine {
    const [name, value] = redactedLine(line, this.#redact);
    return [name, recordedValue(name, value, (one) => this.#tagOf(one))];
  }

  /** A line of a request. Its values are ours, but for the cookies of the target and the headers for a gateway. */
  #recordedRequestLine(line: HeaderLine): HeaderLine {
    if (this.#options.headers?.includes(line) === true) return [line[0], `[value of ${line[0]}]`];
    return line[0] === 'Cookie' ? this.#recordedLine(line) : redactedLine(line, this.#redact);
  }

  /** The number of a value that is not recorded, from 1 in the order of a run. */
  #tagOf(value: string): number {
    const digest = createHash('sha256').update(value).digest('base64');
    const known = this.#tags.get(digest);
    if (known !== undefined) return known;
    this.#lastTag += 1;
    if (this.#tags.size < MOST_TAGS) this.#tags.set(digest, this.#lastTag);
    return this.#lastTag;
  }

  #append(line: JournalLine): void {
    this.#options.journal.append(line);
  }
}

/** To prepare it takes as long as many exchanges, and one run after another may have the same keys. */
const redactorOfKeys = once((keys: Keys): Redact => redactor(secretsOf(keys)));

/** The bytes of a body, with these members in addition where it is the text of a JSON object. */
function bodyWith(body: ProbeRequest['body'], members: Readonly<Record<string, string>>): Uint8Array | null {
  if (body === undefined) return null;
  if (typeof body !== 'string' || Object.keys(members).length === 0) return Buffer.from(body);
  return Buffer.from(JSON.stringify({ ...JSON.parse(body), ...members }));
}

const NAME = 'user-agent';
const namesClient = ([name]: HeaderLine): boolean => name.toLowerCase() === NAME;

/** The headers of a request with one User-Agent: the one that the user gave, that of the request, or the usual one. */
function withName(headers: readonly HeaderLine[], given: readonly HeaderLine[]): readonly HeaderLine[] {
  if (given.some(namesClient)) return headers.filter((line) => !namesClient(line));
  return headers.some(namesClient) ? headers : [['User-Agent', 'petstore-conformance'], ...headers];
}
