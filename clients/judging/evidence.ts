import { groupedBy } from '../../exchanges/collections.ts';
import type { Answer, Exchange, NoResponse } from '../../exchanges/exchange.ts';
import type {
  ArrivalLine,
  ClientEndLine,
  ClientJournalLine,
  ClientRunLine,
  ExitLine,
  PlannedStart,
  ResponseLine,
  StallLine,
} from '../model/journal.ts';
import type { Scenario } from '../model/scenario.ts';
import { scenarios } from '../scenarios/index.ts';

/** How the key stands in a journal. */
const KEY = '[key]';

/** A request of the client: its arrival, and the response where one was written. */
export interface ClientRequest {
  readonly arrival: ArrivalLine;
  readonly response: ResponseLine | undefined;
  /** Both as an exchange, as judgements cite it. */
  readonly exchange: Exchange;
  /** Whether the key stands anywhere in its head. */
  readonly keyed: boolean;
}

/** One start of the client, with everything that it sent. */
export interface ClientStart extends PlannedStart {
  /** The scenario as data; undefined where this version does not know its id. */
  readonly played: Scenario | undefined;
  readonly requests: readonly ClientRequest[];
  readonly exit: ExitLine | undefined;
  /** The most requests that were in flight at one moment. */
  readonly mostInFlight: number;
}

/** What a client is judged on: the starts of its journal. Pure data. */
export class ClientEvidence {
  readonly run: ClientRunLine;
  readonly end: ClientEndLine | undefined;
  /** Every start that was planned or made, in the order of their numbers. */
  readonly starts: readonly ClientStart[];
  /** When this program itself did not run. */
  readonly stalls: readonly StallLine[];

  constructor(run: ClientRunLine, lines: readonly ClientJournalLine[]) {
    this.run = run;
    this.end = lines.findLast((line): line is ClientEndLine => line.kind === 'end');
    this.stalls = lines.filter((line) => line.kind === 'stall');
    const requests = groupedBy(requestsOf(lines, scenarioNames(run, lines)), ({ arrival }) => arrival.start);
    const exits = new Map(lines.flatMap((line) => (line.kind === 'exit' ? [[line.start, line]] : [])));
    this.starts = [...scenarioNames(run, lines).values()]
      .sort((a, b) => a.start - b.start)
      .map((one) => startOf(one, requests.get(one.start) ?? [], exits.get(one.start)));
  }

  /** Every request of the run, in the order of arrival. */
  get requests(): readonly ClientRequest[] {
    return this.starts.flatMap(({ requests }) => requests).sort((a, b) => a.arrival.n - b.arrival.n);
  }

  /** The starts of these scenarios. */
  of(...wanted: readonly Scenario[]): readonly ClientStart[] {
    return this.starts.filter(({ scenario }) => wanted.some(({ id }) => id === scenario));
  }

  /** Whether a command that was given one task never had two requests in flight. */
  get keepsToOneTask(): boolean {
    return this.ofOneTask.every(({ mostInFlight }) => mostInFlight <= 1);
  }

  /**
   * The starts in which the client had one task, so that its next request follows from the response before. The work
   * of a command states it. An attached or watched client is taken to have one task while it never has two requests in flight.
   */
  get ofOneTask(): readonly ClientStart[] {
    const attached = this.run.client.kind !== 'command';
    return this.starts.filter(({ played, mostInFlight }) =>
      attached ? mostInFlight <= 1 : played?.work.concurrency === 1,
    );
  }
}

/** Whether a start came to its own end, so that what it lacks was not sent. */
export const completed = ({ exit }: ClientStart): boolean =>
  exit !== undefined &&
  exit.how.kind !== 'not-started' &&
  !(exit.how.kind === 'stopped' && exit.how.because === 'interrupted');

/** Whether a request was answered 429. */
export const isLimited = ({ response }: ClientRequest): boolean => response?.status === 429;

/** The starts by number: those of the plan, and those that were added while the run went on. */
function scenarioNames(
  run: ClientRunLine,
  lines: readonly ClientJournalLine[],
): ReadonlyMap<number, PlannedStart> {
  const made = lines.filter((line) => line.kind === 'start');
  return new Map(
    [...run.starts, ...made].map(({ start, scenario, repetition }) => [
      start,
      { start, scenario, repetition },
    ]),
  );
}

function requestsOf(
  lines: readonly ClientJournalLine[],
  starts: ReadonlyMap<number, PlannedStart>,
): readonly ClientRequest[] {
  const responses = new Map(lines.flatMap((line) => (line.kind === 'response' ? [[line.n, line]] : [])));
  return lines
    .filter((line) => line.kind === 'arrival')
    .map((arrival) => requestOf(arrival, responses.get(arrival.n), starts.get(arrival.start)));
}

function startOf(
  planned: PlannedStart,
  requests: readonly ClientRequest[],
  exit: ExitLine | undefined,
): ClientStart {
  return {
    ...planned,
    played: scenarios.find(({ id }) => id === planned.scenario),
    requests,
    exit,
    mostInFlight: requests.reduce((most, { arrival }) => Math.max(most, arrival.inFlight), 0),
  };
}

function requestOf(
  arrival: ArrivalLine,
  response: ResponseLine | undefined,
  start: PlannedStart | undefined,
): ClientRequest {
  const { n, connection, method, target, headers, at } = arrival;
  const keyed = target.includes(KEY) || headers.some(([, value]) => value.includes(KEY));
  const body = response?.requestBody ?? null;
  return {
    arrival,
    response,
    keyed,
    exchange: {
      kind: 'exchange',
      n,
      probe: start?.scenario ?? 'unknown scenario',
      step: `repetition ${start?.repetition ?? 0}`,
      caller: keyed ? 'key' : 'unauthenticated',
      connection,
      // What was not kept completely is nothing to judge.
      request: { method, target, headers, body: body === null || body.cut ? null : body },
      sent: at,
      received: response?.at ?? at,
      outcome: response === undefined ? NONE : answerOf(response),
    },
  };
}

const NONE: NoResponse = { kind: 'no-response', cause: 'timeout', detail: 'none was recorded' };

const answerOf = ({ status, headers, body }: ResponseLine): Answer => ({
  kind: 'answer',
  status,
  headers,
  body,
});
