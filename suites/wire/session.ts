import type { Exchange, HeaderLine, Instant } from '../../exchanges/exchange.ts';
import type { Limits } from '../../spec/plans.ts';
import type { JournalLine, PublishedDocument } from '../model/journal.ts';
import { Sharing } from '../model/sharing.ts';
import { BodyKeeper } from './body-keeper.ts';
import type { Clock } from './clock.ts';
import type { Journal } from './journal-file.ts';
import type { Credential, Keys } from './keyring.ts';
import { callerOf, isTheKeyItself, present, secretsOf } from './keyring.ts';
import type { Redact } from './redact.ts';
import { redactor } from './redact.ts';
import type { Reply, Route, Wire, WireRequest } from './wire.ts';

/** One question of a probe. */
export interface ProbeRequest {
  readonly method: 'GET' | 'POST';
  /** After the base address, for example `/categories`. */
  readonly path: string;
  readonly credential: Credential;
  readonly body?: string | Uint8Array;
  /** Sent with a body; `application/json` unless said otherwise, none for null. */
  readonly contentType?: string | null;
  /** The types that are accepted; `application/json` unless said otherwise. */
  readonly accept?: string;
  readonly headers?: readonly HeaderLine[];
  /** The kept connection unless said otherwise. */
  readonly route?: Route;
}

/** What a session needs to know of its run. */
export interface SessionOptions {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly keys: Keys;
  readonly limits: Limits;
  /** The path of the base address, as it stands before every path asked for. */
  readonly basePath: string;
  /** Header lines that a gateway in front of the target wants on every request. */
  readonly extraHeaders?: readonly HeaderLine[];
  readonly signal?: AbortSignal;
}

/** Asks the target and writes down everything: the one place where the wire, the keys and the journal meet. */
export class Session {
  readonly limits: Limits;
  readonly #options: SessionOptions;
  readonly #redact: Redact;
  /** What stands for each secret. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #exchanges: Exchange[] = [];
  readonly #bodies: BodyKeeper;
  readonly #sharing = new Sharing();
  #probe = '';

  constructor(options: SessionOptions) {
    this.#options = options;
    this.limits = options.limits;
    const secrets = secretsOf(options.keys, options.extraHeaders);
    this.#redact = redactor(secrets);
    this.#names = new Map(secrets.map(({ value, name }) => [value, `[${name}]`] as const).reverse());
    this.#bodies = new BodyKeeper(this.#redact);
  }

  /** Everything that was exchanged so far, in the order of the journal. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** The path of the base address; empty at the root. */
  get basePath(): string {
    return this.#options.basePath;
  }

  now(): Instant {
    return this.#options.clock.now();
  }

  /** Every exchange from here on belongs to this probe. */
  begin(probe: string): void {
    this.#probe = probe;
    this.#append({ kind: 'probe', id: probe, at: this.now().wall });
  }

  /** Writes down what a judge needs to know and no exchange shows. */
  note(text: string): void {
    this.#append({ kind: 'note', probe: this.#probe, text: this.#redact(text), at: this.now().wall });
  }

  /** Keeps a document of the target as evidence. */
  keep({ source, address, text, unread }: PublishedDocument): void {
    this.#append({
      kind: 'document',
      source: this.#redact(source),
      ...(address === undefined ? {} : { address: this.#redact(address) }),
      text: this.#redact(text),
      ...(unread === undefined ? {} : { unread: this.#redact(unread) }),
      at: this.now().wall,
    });
  }

  /** Whether a credential that is meant to be invalid is the examined key itself. */
  isTheKey(credential: Credential): boolean {
    return isTheKeyItself(credential, this.#options.keys);
  }

  /** Sends one request. Rejects only when the run is interrupted or the journal cannot be written. */
  async send(step: string, request: ProbeRequest): Promise<Exchange> {
    this.#options.signal?.throwIfAborted();
    const presented = present(request.credential, this.#options.keys);
    const send = this.#render(request, presented.headers, presented.query);
    const reply = await this.#options.wire.send(send);
    return this.#record(step, request, send, reply);
  }

  /** Sends several requests at the same time, each on its own route. */
  together(step: string, questions: readonly ProbeRequest[]): Promise<readonly Exchange[]> {
    return Promise.all(questions.map((request) => this.send(step, request)));
  }

  /** Waits, says why, and goes on with new connections: servers close idle ones. */
  async rest(seconds: number, because: string): Promise<void> {
    this.#append({ kind: 'wait', seconds, because, at: this.now().wall });
    await this.#options.wire.hangUp();
    await this.#options.clock.sleep(seconds * 1000, this.#options.signal);
  }

  #render(request: ProbeRequest, credential: readonly HeaderLine[], query: string | undefined): WireRequest {
    const body = request.body === undefined ? null : Buffer.from(request.body);
    const type = request.contentType === undefined ? 'application/json' : request.contentType;
    const headers: HeaderLine[] = [
      ['Accept', request.accept ?? 'application/json'],
      ['Accept-Encoding', 'identity'],
      ['User-Agent', 'petstore-conformance'],
      ...(body !== null && type !== null ? ([['Content-Type', type]] as const) : []),
      ...(this.#options.extraHeaders ?? []),
      ...(request.headers ?? []),
      ...credential,
    ];
    const path = query === undefined ? request.path : `${request.path}?${query}`;
    return { method: request.method, path, headers, body, route: request.route ?? 'kept' };
  }

  #record(step: string, request: ProbeRequest, send: WireRequest, reply: Reply): Exchange {
    const exchange = this.#sharing.exchange({
      kind: 'exchange',
      n: this.#exchanges.length + 1,
      probe: this.#probe,
      step,
      caller: callerOf(request.credential),
      connection: reply.connection,
      request: {
        method: send.method,
        target: this.#redact(this.#options.basePath + send.path),
        // A key of digits alone is left standing where it may be a number. What is sent is known to be a key.
        headers: this.#lines(send.headers.map(([name, value]) => [name, this.#names.get(value) ?? value])),
        body: send.body === null ? null : this.#bodies.keepOwn(send.body),
      },
      sent: reply.sent,
      received: reply.received,
      outcome: this.#outcome(reply),
    });
    this.#exchanges.push(exchange);
    this.#append(exchange);
    return exchange;
  }

  #outcome(reply: Reply): Exchange['outcome'] {
    if (reply.kind === 'no-response') {
      return { kind: 'no-response', cause: reply.cause, detail: this.#redact(reply.detail) };
    }
    const { status, headers, body, bytes, broken } = reply;
    return {
      kind: 'answer',
      status,
      headers: this.#lines(headers),
      body: this.#bodies.keep(body, bytes, broken === undefined),
      ...(broken === undefined ? {} : { broken: this.#redact(broken) }),
    };
  }

  #lines(headers: readonly HeaderLine[]): readonly HeaderLine[] {
    return headers.map(([name, value]) => [this.#redact(name), this.#redact(value)]);
  }

  #append(line: JournalLine): void {
    this.#options.journal.append(line);
  }
}
