import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import type {
  BodyExcerpt,
  Caller,
  CompleteBody,
  Exchange,
  HeaderLine,
  NoResponseCause,
} from '../../../kernel/exchanges/exchange.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import type { JournalLine, RunLine } from '../../../suites/service/model/journal.ts';
import { exhaustQuota } from '../../../suites/service/probes/exhaust-quota.ts';
import type { StepName } from '../../../suites/service/probes/index.ts';
import { probes } from '../../../suites/service/probes/index.ts';
import { HttpWire } from '../../../suites/service/wire/http-wire.ts';
import type { Reply, Wire, WireRequest } from '../../../suites/service/wire/wire.ts';
import { systemClock } from '../../../suites/service/wire/wire.ts';
import type { RawServer, Respond } from './raw-server.ts';
import { rawServer } from './raw-server.ts';

/** The step of an exchange that no judge picks by its step. */
export const UNKNOWN_STEP = 'a step that no judge knows';

/** The fields of a synthetic exchange; all others have usual values. */
export interface StagedExchange {
  readonly probe?: string;
  /** `UNKNOWN_STEP` stands for any step that no judge knows. */
  readonly step?: StepName | typeof UNKNOWN_STEP;
  readonly caller?: Caller;
  readonly method?: string;
  readonly path?: string;
  /** The request body; by default none. */
  readonly sends?: string;
  /** The value of Authorization; by default the key of the caller. */
  readonly credential?: string;
  /** The value of X-Forwarded-For; by default none. */
  readonly claims?: string;
  /** The value of User-Agent; by default none. */
  readonly client?: string;
  /** The value of Accept-Language; by default none. */
  readonly language?: string;
  readonly connection?: number;
  readonly fresh?: boolean;
  /** Milliseconds on the monotonic clock. */
  readonly sent?: number;
  readonly received?: number;
  readonly status?: number;
  readonly noResponse?: NoResponseCause;
  readonly headers?: readonly HeaderLine[];
  readonly body?: string;
  /** The value of Remaining, with the plan's Limit and a Reset; null for a response without the headers. */
  readonly left?: number | null;
  /** How far ahead Reset is, in seconds; by default a window. */
  readonly resetIn?: number;
  /** Reset in seconds after the beginning of the run, in place of `resetIn`. */
  readonly reset?: number;
  readonly limit?: number;
  /** The Date header in Unix seconds; by default the second of the receipt; null for none. */
  readonly date?: number | null;
}

/** The wall time at which synthetic runs begin, 2026-11-21 10:00:00 UTC, in Unix seconds. */
export const START = Date.UTC(2026, 10, 21, 10) / 1000;

/** Builds exchanges one after another; by default each takes a millisecond and begins a millisecond after the last. */
export class Synthesis {
  readonly exchanges: Exchange[] = [];
  #time = 0;

  /** Lets this time pass, in seconds. */
  wait(seconds: number): this {
    this.#time += seconds * 1000;
    return this;
  }

  /** Adds exchanges, one after another. */
  add(...all: readonly StagedExchange[]): this {
    for (const staged of all) {
      const sent = staged.sent ?? this.#time + 1;
      const received = staged.received ?? sent + 1;
      this.#time = Math.max(this.#time, received);
      this.exchanges.push(exchange(staged, this.exchanges.length + 1, sent, received));
    }
    return this;
  }

  /** Adds several exchanges that overlap in time. */
  together(count: number, stagedAt: (i: number) => StagedExchange): this {
    const sent = this.#time + 1;
    for (let i = 0; i < count; i += 1) this.add({ sent, received: sent + 2, fresh: true, ...stagedAt(i) });
    return this;
  }

  /** The journal of a finished run with these exchanges. */
  lines(run: Partial<RunLine> = {}): readonly JournalLine[] {
    const finishedAt = new Date(START * 1000 + this.#time).toISOString();
    return [
      { ...RUN, ...run },
      ...this.exchanges,
      { kind: 'end', how: 'finished', because: 'done', finishedAt },
    ];
  }
}

/** One exchange. */
export function exchangeOf(staged: StagedExchange): Exchange {
  const [only] = new Synthesis().add(staged).exchanges;
  assert.ok(only !== undefined);
  return only;
}

/** The first line of the journal of a run with a Free key and the windows of the specification. */
export const RUN: RunLine = {
  kind: 'run',
  journalVersion: 3,
  suite: SUITE,
  spec: { version: '1.0.0', digest: `sha256:${'0'.repeat(64)}` },
  target: { baseUrl: 'http://127.0.0.1:8080/v1', plan: 'free' },
  limits: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86400 },
  furtherPlans: {},
  inputs: {
    otherKey: true,
    exhaustedKey: true,
    disposableKey: true,
    exclusiveKey: false,
    thorough: false,
    openapi: true,
  },
  probes: probes.map(({ id }) => ({ id, requests: 1 })),
  startedAt: new Date(START * 1000).toISOString(),
};

function exchange(staged: StagedExchange, n: number, sent: number, received: number): Exchange {
  const { caller = 'key', method = 'GET', path = '/categories', claims, client, language, sends } = staged;
  const wall = (mono: number) => ({ mono, wall: START * 1000 + mono });
  const { credential = caller === 'unauthenticated' ? undefined : `Bearer [${caller}]` } = staged;
  const headers: HeaderLine[] = credential === undefined ? [] : [['Authorization', credential]];
  if (claims !== undefined) headers.push(['X-Forwarded-For', claims]);
  if (client !== undefined) headers.push(['User-Agent', client]);
  if (language !== undefined) headers.push(['Accept-Language', language]);
  return {
    kind: 'exchange',
    n,
    probe: staged.probe ?? exhaustQuota.id,
    step: staged.step ?? exhaustQuota.steps.oneByOne,
    caller,
    connection: { id: staged.connection ?? 1, fresh: staged.fresh ?? false },
    request: { method, target: `/v1${path}`, headers, body: sends === undefined ? null : body(sends) },
    sent: wall(sent),
    received: wall(received),
    outcome:
      staged.noResponse === undefined
        ? answer(staged, received)
        : { kind: 'no-response', cause: staged.noResponse, detail: staged.noResponse },
  };
}

function answer(staged: StagedExchange, received: number): Exchange['outcome'] {
  const seconds = staged.date ?? START + Math.floor(received / 1000);
  const { status = 200, left = null, limit = 60, resetIn = 60, reset } = staged;
  const rate: HeaderLine[] =
    left === null
      ? []
      : [
          ['X-RateLimit-Limit', String(limit)],
          ['X-RateLimit-Remaining', String(left)],
          ['X-RateLimit-Reset', String(reset === undefined ? seconds + resetIn : START + reset)],
        ];
  const headers: HeaderLine[] = [
    ...(staged.date === null ? [] : ([['Date', new Date(seconds * 1000).toUTCString()]] as const)),
    ['Content-Type', 'application/json'],
    ...rate,
    ...(staged.headers ?? []),
  ];
  return { kind: 'answer', status, headers, body: body(staged.body ?? '[]') };
}

/** The excerpt of a body of this many bytes, of which the journal has only a part. */
export function excerptOf(excerpt: string, bytes: number): BodyExcerpt {
  return { excerpt, encoding: 'utf8', bytes, cut: true };
}

/** A body of which the journal has all bytes. */
export function body(text: string): CompleteBody {
  return { text, encoding: 'utf8', bytes: Buffer.byteLength(text), cut: false };
}

/** A list request over the connection that is kept open. */
export const get: WireRequest = {
  method: 'GET',
  path: '/categories',
  headers: [['Accept', '*/*']],
  body: null,
  route: 'kept',
};

/** For a wire to a raw server. */
type Bounds = Partial<Pick<ConstructorParameters<typeof HttpWire>[0], 'requestMs' | 'bodyBytes'>>;

/** The reply to one request of a raw server that responds like this. */
export const replyOf = (respond: Respond, bounds?: Bounds): Promise<Reply> =>
  asking(respond, (wire) => wire.send(get), bounds);

/** Starts a raw server and a wire to it, with short bounds, calls `send`, and stops both. */
export async function asking<T>(
  respond: Respond,
  send: (wire: Wire, server: RawServer) => Promise<T>,
  { requestMs = 2000, bodyBytes = 1024 }: Bounds = {},
): Promise<T> {
  const server = await rawServer(respond);
  const wire = new HttpWire({ baseUrl: server.baseUrl, clock: systemClock, requestMs, bodyBytes });
  try {
    return await send(wire, server);
  } finally {
    await wire.closeConnections();
    await server[Symbol.asyncDispose]();
  }
}

/** Writes this text again and again, every so many milliseconds, until the connection closes. */
export function writeEndlessly(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes a response byte by byte. */
export function writeByteByByte(socket: Socket, bytes: string): void {
  socket.setNoDelay(true);
  const next = (at: number): void => {
    if (at >= bytes.length) return;
    socket.write(bytes[at] ?? '');
    setImmediate(next, at + 1);
  };
  next(0);
}

/** The reply as an answer. @throws {AssertionError} when there was no response. */
export function answered(reply: Reply): Extract<Reply, { kind: 'answer' }> {
  assert.ok(reply.kind === 'answer', JSON.stringify(reply));
  return reply;
}

/** Why no response came. @throws {AssertionError} when one did. */
export function unanswered(reply: Reply): Extract<Reply, { kind: 'no-response' }> {
  assert.ok(reply.kind === 'no-response', JSON.stringify(reply));
  return reply;
}
