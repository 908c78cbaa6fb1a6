import { groupedBy } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import type { register } from '../../../spec/register.ts';
import type {
  ClientJournalLine,
  ClientRunLine,
  EndLine,
  ExitLine,
  PlannedStart,
  StallLine,
} from '../model/journal.ts';
import type { Scenario } from '../model/scenario.ts';
import { scenarios } from '../scenarios/index.ts';
import type { ClientRequest, StartOfRequest } from './client-request.ts';
import { requestsOf, requestsOfClient } from './client-request.ts';

export interface ClientStart extends PlannedStart {
  /** The scenario as data; undefined where this version does not know its id. */
  readonly played: Scenario | undefined;
  readonly requests: readonly ClientRequest[];
  /** What may be of another program that happened to use the port: judged by no requirement. */
  readonly ofUnknownSender: readonly ClientRequest[];
  readonly exit: ExitLine | undefined;
  /** The most requests that were in flight at one moment. */
  readonly mostInFlight: number;
}

/** What a client is judged on: the starts of its journal. Pure data. */
export class ClientEvidence {
  readonly run: ClientRunLine;
  readonly end: EndLine | undefined;
  /** Every start that was planned or made, in the order of their numbers. */
  readonly starts: readonly ClientStart[];
  /** When this program itself did not run. */
  readonly stalls: readonly StallLine[];

  constructor(run: ClientRunLine, lines: readonly ClientJournalLine[]) {
    this.run = run;
    this.end = lines.findLast((line): line is EndLine => line.kind === 'end');
    this.stalls = lines.filter((line) => line.kind === 'stall');
    const starts = startsByNumber(run, lines);
    const requests = groupedBy(requestsOf(lines, starts), ({ arrival }) => arrival.start);
    const exits = new Map(lines.flatMap((line) => (line.kind === 'exit' ? [[line.start, line]] : [])));
    this.starts = [...starts.values()]
      .sort((a, b) => a.start - b.start)
      .map((one) => startOf(one, requests.get(one.start) ?? [], exits.get(one.start)));
  }

  /** Whether this program started the client, and so states what it had to do. */
  get isCommand(): boolean {
    return this.run.client.kind === 'command';
  }

  /** Every request of the run, in the order of arrival. */
  get requests(): readonly ClientRequest[] {
    return this.starts.flatMap(({ requests }) => requests).sort((a, b) => a.arrival.n - b.arrival.n);
  }

  of(...wanted: readonly Scenario[]): readonly ClientStart[] {
    return this.starts.filter(({ scenario }) => wanted.some(({ id }) => id === scenario));
  }

  /** Whether a command that was given one task never had two requests in flight. */
  get keepsToOneTask(): boolean {
    return this.ofOneTask.every(({ mostInFlight }) => mostInFlight <= 1);
  }

  /** Then the next request follows from the response before. Without a command, while it never has two requests in flight. */
  get ofOneTask(): readonly ClientStart[] {
    return this.starts.filter(({ played, mostInFlight }) =>
      this.isCommand ? played?.work.concurrency === 1 : mostInFlight <= 1,
    );
  }
}

/** Whether a start came to its own end, so that what it lacks was not sent. */
export const completed = ({ exit }: ClientStart): boolean =>
  exit !== undefined &&
  exit.how.kind !== 'not-started' &&
  !(exit.how.kind === 'stopped' && exit.how.because === 'interrupted');

/** The starts by number: those of the plan, and those that were added while the run went on. */
function startsByNumber(
  run: ClientRunLine,
  lines: readonly ClientJournalLine[],
): ReadonlyMap<number, StartOfRequest> {
  const made = lines.filter((line) => line.kind === 'start');
  return new Map<number, StartOfRequest>([...run.starts, ...made].map((one) => [one.start, one]));
}

function startOf(
  { start, scenario, repetition, prefix }: StartOfRequest,
  arrived: readonly ClientRequest[],
  exit: ExitLine | undefined,
): ClientStart {
  const requests = requestsOfClient(arrived, prefix);
  return {
    start,
    scenario,
    repetition,
    played: scenarios.find(({ id }) => id === scenario),
    requests,
    ofUnknownSender: arrived.filter((one) => !requests.includes(one)),
    exit,
    mostInFlight: requests.reduce((most, { arrival }) => Math.max(most, arrival.inFlight), 0),
  };
}

type ClientEntry = Extract<(typeof register)[number], { judged: 'by certify-client' }>;

export type JudgedClientId = Exclude<ClientEntry, { level: 'OBSERVE' }>['id'];
type ObservedClientId = Extract<ClientEntry, { level: 'OBSERVE' }>['id'];

/** One requirement on clients. The judge is pure, and never throws on anything that a client can send. */
export interface ClientRequirement {
  readonly id: JudgedClientId;
  /** Why a client that was attached by hand is not judged by it, as a sentence; absent where it is. */
  readonly notWhenAttached?: string;
  readonly whyItMatters: string;
  /** How to fix a violation in any library: one or two sentences. */
  readonly fix: string;
  /** Where a violation is fixed: `library` where the options of an HTTP library decide it, so that those of the one at hand are named. */
  readonly fixedIn: 'library' | 'program';
  judge(evidence: ClientEvidence): Judgement;
}

/** Good practice of clients that no sentence of the specification requires: recorded, with advice, never judged. */
export interface ClientObservable {
  readonly id: ObservedClientId;
  observe(evidence: ClientEvidence): ClientObservation;
}

/** What was observed, and what to do about it where good practice suggests something else. */
export interface ClientObservation {
  readonly value: string;
  readonly exchanges?: readonly Exchange[];
  readonly advice?: string;
}
