import type {
  BodyExcerpt,
  Caller,
  Exchange,
  HeaderLine,
  NoResponseCause,
  WholeBody,
} from '../../../exchanges/exchange.ts';
import { SUITE } from '../../../suites/inputs/suite.ts';
import type { JournalLine, RunLine } from '../../../suites/model/journal.ts';
import { exhaustQuota } from '../../../suites/probes/exhaust-quota.ts';
import type { StepName } from '../../../suites/probes/index.ts';
import { probes } from '../../../suites/probes/index.ts';

/** The step of an exchange that no judge picks by its step. */
export const UNKNOWN_STEP = 'a step that no judge knows';

/** What a synthetic exchange says; everything else is as an ordinary one would be. */
export interface Told {
  readonly probe?: string;
  /** `UNKNOWN_STEP` stands for any step that no judge knows. */
  readonly step?: StepName | typeof UNKNOWN_STEP;
  readonly caller?: Caller;
  readonly method?: string;
  readonly path?: string;
  readonly sends?: string;
  readonly claims?: string;
  readonly connection?: number;
  readonly fresh?: boolean;
  /** Milliseconds on the monotonic clock. */
  readonly sent?: number;
  readonly received?: number;
  readonly status?: number;
  readonly noResponse?: NoResponseCause;
  readonly headers?: readonly HeaderLine[];
  readonly body?: string;
  /** Remaining, with the plan's Limit and a Reset of a whole window; no headers at all for null. */
  readonly left?: number | null;
  readonly limit?: number;
  /** The Date of the answer, Unix seconds; the second of its receipt unless said otherwise, none for null. */
  readonly date?: number | null;
}

/** The wall time at which synthetic runs begin, Unix seconds: 2026-11-21 10:00:00 UTC. */
export const START = Date.UTC(2026, 10, 21, 10) / 1000;

/** Builds exchanges one after another, each a millisecond long and a millisecond after the one before. */
export class Synthesis {
  readonly exchanges: Exchange[] = [];
  #time = 0;

  /** Lets `seconds` pass. */
  wait(seconds: number): this {
    this.#time += seconds * 1000;
    return this;
  }

  add(told: Told): this {
    const sent = told.sent ?? this.#time + 1;
    const received = told.received ?? sent + 1;
    this.#time = Math.max(this.#time, received);
    this.exchanges.push(exchange(told, this.exchanges.length + 1, sent, received));
    return this;
  }

  /** Several requests that overlap in time. */
  together(count: number, told: (i: number) => Told): this {
    const sent = this.#time + 1;
    for (let i = 0; i < count; i += 1) this.add({ sent, received: sent + 2, fresh: true, ...told(i) });
    return this;
  }

  /** The whole journal of a run with these exchanges. */
  lines(run: Partial<RunLine> = {}): readonly JournalLine[] {
    const finishedAt = new Date(START * 1000 + this.#time).toISOString();
    return [
      { ...RUN, ...run },
      ...this.exchanges,
      { kind: 'end', how: 'finished', because: 'done', finishedAt },
    ];
  }
}

/** The head of an ordinary run on the Free plan with real windows. */
export const RUN: RunLine = {
  kind: 'run',
  journalVersion: 3,
  suite: SUITE,
  spec: { version: '1.0.0', digest: 'sha256:0' },
  target: { baseUrl: 'http://127.0.0.1:8080/v1', plan: 'free' },
  limits: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86400 },
  furtherPlans: {},
  inputs: { otherKey: true, exhaustedKey: true, disposableKey: true, exclusiveKey: false, openapi: true },
  probes: probes.map(({ id }) => ({ id, requests: 1 })),
  startedAt: new Date(START * 1000).toISOString(),
};

function exchange(told: Told, n: number, sent: number, received: number): Exchange {
  const { caller = 'key', method = 'GET', path = '/categories', claims, sends } = told;
  const wall = (mono: number) => ({ mono, wall: START * 1000 + mono });
  const headers: HeaderLine[] = caller === 'unauthenticated' ? [] : [['Authorization', `Bearer [${caller}]`]];
  if (claims !== undefined) headers.push(['X-Forwarded-For', claims]);
  return {
    kind: 'exchange',
    n,
    probe: told.probe ?? exhaustQuota.id,
    step: told.step ?? exhaustQuota.steps.oneByOne,
    caller,
    connection: { id: told.connection ?? 1, fresh: told.fresh ?? false },
    request: { method, target: `/v1${path}`, headers, body: sends === undefined ? null : body(sends) },
    sent: wall(sent),
    received: wall(received),
    outcome:
      told.noResponse === undefined
        ? answer(told, received)
        : { kind: 'no-response', cause: told.noResponse, detail: told.noResponse },
  };
}

function answer(told: Told, received: number): Exchange['outcome'] {
  const seconds = told.date ?? START + Math.floor(received / 1000);
  const { status = 200, left = null, limit = 60 } = told;
  const rate: HeaderLine[] =
    left === null
      ? []
      : [
          ['X-RateLimit-Limit', String(limit)],
          ['X-RateLimit-Remaining', String(left)],
          ['X-RateLimit-Reset', String(seconds + 60)],
        ];
  const headers: HeaderLine[] = [
    ...(told.date === null ? [] : ([['Date', new Date(seconds * 1000).toUTCString()]] as const)),
    ['Content-Type', 'application/json'],
    ...rate,
    ...(told.headers ?? []),
  ];
  return { kind: 'answer', status, headers, body: body(told.body ?? '[]') };
}

/** What is kept of a body of so many bytes that is not kept whole. */
export function excerptOf(excerpt: string, bytes: number): BodyExcerpt {
  return { excerpt, encoding: 'utf8', bytes, cut: true };
}

/** A body as the journal keeps it whole. */
export function body(text: string): WholeBody {
  return { text, encoding: 'utf8', bytes: Buffer.byteLength(text), cut: false };
}
