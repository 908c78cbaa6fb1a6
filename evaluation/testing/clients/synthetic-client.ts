import { completeBody } from '../../../kernel/exchanges/body.ts';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import type {
  ClientDescription,
  ClientExit,
  ClientJournalLine,
  ClientRunLine,
  EndLine,
} from '../../../suites/client/model/journal.ts';
import type { Scenario } from '../../../suites/client/model/scenario.ts';

/** A request of a client as a test states it. Times are milliseconds since the start. */
export interface StatedRequest {
  readonly at: number;
  /** Absent: a list. */
  readonly method?: string;
  readonly target?: string;
  /** Absent: the key as it should be sent, and the media type of a creation. */
  readonly headers?: readonly HeaderLine[];
  /** Absent: none of a list, a valid one of a creation. */
  readonly body?: string | null;
  /** Absent: 200 or 201. Null: no response was written. */
  readonly status?: number | null;
  /** The value of Retry-After of a 429; a number is a date so many milliseconds after the start. */
  readonly retryAfter?: string | number;
  /** Milliseconds until the response; 1 where absent. */
  readonly took?: number;
  /** Whether the client reset the connection when the response came. */
  readonly unread?: boolean;
  readonly inFlight?: number;
  readonly connection?: number;
}

/** A start as a test states it. */
export interface StatedStart {
  readonly scenario: Scenario;
  readonly requests: readonly StatedRequest[];
  /** What the path of its address begins with; absent: `/v1` at the root of the host. */
  readonly prefix?: string;
  /** Absent: exited with status 0. Null: the journal lacks its end. */
  readonly exit?: ClientExit | null;
  /** Absent: nothing. */
  readonly printed?: string;
}

/** The wall clock at the beginning of every start, on a whole second. */
const WALL = Date.UTC(2026, 10, 22, 12, 0, 0);

/** A command on this host. */
export const COMMAND: ClientDescription = {
  kind: 'command',
  words: ['node', 'client.mjs'],
  where: 'this host',
};

/** The journal of a client that sent these requests. */
export function clientJournal(
  starts: readonly StatedStart[],
  client: ClientDescription = COMMAND,
  end: EndLine | 'cut off' = FINISHED,
): readonly ClientJournalLine[] {
  const repetitions = new Map<string, number>();
  const planned = starts.map(({ scenario: { id } }, at) => {
    const repetition = (repetitions.get(id) ?? 0) + 1;
    repetitions.set(id, repetition);
    return { start: at + 1, scenario: id, repetition };
  });
  const run: ClientRunLine = {
    kind: 'client-run',
    journalVersion: 1,
    suite: SUITE,
    spec: { version: '1.0.0', digest: `sha256:${'0'.repeat(64)}` },
    client,
    starts: planned,
    startedAt: new Date(WALL).toISOString(),
  };
  let n = 0;
  const lines = starts.flatMap((start, at): readonly ClientJournalLine[] => {
    const plan = planned[at];
    if (plan === undefined) return [];
    const before = n;
    n += start.requests.length;
    const prefix = start.prefix === undefined ? {} : { prefix: start.prefix };
    return [{ kind: 'start', ...plan, ...prefix, at: instant(0) }, ...startLines(start, at + 1, before)];
  });
  return [run, ...lines, ...(end === 'cut off' ? [] : [end])];
}

const FINISHED: EndLine = {
  kind: 'end',
  how: 'finished',
  because: '',
  finishedAt: new Date(WALL + 75_000).toISOString(),
};

const instant = (at: number) => ({ wall: WALL + at, mono: 1_000_000 + at });

function startLines(
  { requests, exit, printed = '' }: StatedStart,
  start: number,
  before: number,
): ClientJournalLine[] {
  const lines = requests.flatMap((one, at) => requestLines(one, start, before + at + 1));
  const last = Math.max(0, ...requests.map(({ at, took = 1 }) => at + took));
  if (exit !== null) {
    const how = exit ?? { kind: 'exited', code: 0 };
    lines.push({ kind: 'exit', start, at: instant(last + 1), how, output: printed });
  }
  return lines.sort((a, b) => momentOf(a) - momentOf(b));
}

const momentOf = (line: ClientJournalLine): number => ('at' in line ? line.at.mono : 0);

function requestLines(one: StatedRequest, start: number, n: number): ClientJournalLine[] {
  const { at, method = 'GET', target = '/v1/categories', took = 1, inFlight = 1, connection = 1 } = one;
  const arrival: ClientJournalLine = {
    kind: 'arrival',
    n,
    start,
    at: instant(at),
    connection: { id: connection, fresh: false },
    inFlight,
    method,
    target,
    headers: one.headers ?? headersOf(method),
  };
  if (one.status === null) return [arrival];
  const status = one.status ?? (method === 'POST' ? 201 : 200);
  const body = one.body === undefined && method === 'POST' ? '{"name":"pc-1"}' : (one.body ?? null);
  const reset: readonly ClientJournalLine[] =
    one.unread === true ? [{ kind: 'reset', n, at: instant(at + took + 1) }] : [];
  return [
    arrival,
    {
      kind: 'response',
      n,
      at: instant(at + took),
      requestBody:
        body === null ? null : { text: body, encoding: 'utf8', bytes: Buffer.byteLength(body), cut: false },
      status,
      headers: retryAfterOf(one),
      body: completeBody('[]'),
    },
    ...reset,
  ];
}

/** The head of a request as it should be. */
export const headersOf = (method: string): readonly HeaderLine[] => [
  ['Host', '127.0.0.1'],
  ['Authorization', 'Bearer [key]'],
  ...(method === 'POST' ? [['Content-Type', 'application/json'] as const] : []),
];

function retryAfterOf({ retryAfter }: StatedRequest): readonly HeaderLine[] {
  if (retryAfter === undefined) return [];
  const text = typeof retryAfter === 'number' ? new Date(WALL + retryAfter).toUTCString() : retryAfter;
  return [['Retry-After', text]];
}
