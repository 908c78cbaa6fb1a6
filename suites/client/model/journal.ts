import type { Product } from '../../../kernel/basics/product.ts';
import type { Body, HeaderLine, Instant } from '../../../kernel/exchanges/exchange.ts';
import type { ClientDescription } from '../../../kernel/findings/client.ts';
import type { Selection } from '../../../kernel/findings/tested.ts';

export type { ClientDescription, ClientHost } from '../../../kernel/findings/client.ts';

/** The first line of a client's journal: which client was tested, by which program, against which specification. */
export interface ClientRunLine {
  readonly kind: 'client-run';
  readonly journalVersion: 1;
  readonly suite: { readonly name: string; readonly version: string };
  readonly spec: { readonly version: string; readonly digest: string };
  readonly client: ClientDescription;
  /** What the user stated about the product under test; absent where nothing was. */
  readonly product?: Product;
  /** What a partial run was limited to (`--only`); absent where the run was complete. */
  readonly selection?: Selection;
  /** The starts that were planned, in their order. */
  readonly starts: readonly PlannedStart[];
  /** ISO 8601. */
  readonly startedAt: string;
}

/** One start of the client: a scenario, and which of its repetitions. */
export interface PlannedStart {
  /** Numbered from 1 over the run. */
  readonly start: number;
  readonly scenario: string;
  /** Numbered from 1 within the scenario. */
  readonly repetition: number;
}

/** The client was started for a scenario, with a service of its own. */
export interface StartLine extends PlannedStart {
  readonly kind: 'start';
  /**
   * What the path of the base address begins with that the client was given, such as `/s-0123456789abcdef`: no other
   * program knows it. Absent where the address was not made for one start.
   */
  readonly prefix?: string;
  readonly at: Instant;
}

/** A request has arrived: its header has been read. Its body follows with the response line. */
export interface ArrivalLine {
  readonly kind: 'arrival';
  /** Position among the requests of the whole run, from 1. */
  readonly n: number;
  readonly start: number;
  /** Stamped when the header had been read: the client sent it no later. */
  readonly at: Instant;
  readonly connection: { readonly id: number; readonly fresh: boolean };
  /**
   * Requests of the same start that were without a response at this moment, this one included; without those that may be
   * of another program (`sender.ts`).
   */
  readonly inFlight: number;
  readonly method: string;
  /** Path and query; the key replaced by its name. */
  readonly target: string;
  /** The key replaced by its name wherever it stands. */
  readonly headers: readonly HeaderLine[];
}

/** A response is about to be written: stamped, and this line written, before its first byte. */
export interface ResponseLine {
  readonly kind: 'response';
  /** The number of the arrival that it responds to. */
  readonly n: number;
  /** The client cannot have known of the response before this moment. */
  readonly at: Instant;
  /** The body of the request; null where it had none. */
  readonly requestBody: Body | null;
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly body: Body;
}

/**
 * The client reset the connection of a response that had been written, so it may not have read it: a host that closes a
 * connection with data that was not read "SHOULD send a RST to show that data was lost" (RFC 9293 §3.6.1), and FIN otherwise.
 */
export interface ResetLine {
  readonly kind: 'reset';
  /** The number of the arrival that the response belongs to. */
  readonly n: number;
  readonly at: Instant;
}

/** This program itself did not run for a while: what is stamped at the end of it may have happened at any time before. */
export interface StallLine {
  readonly kind: 'stall';
  /** When it ran again. */
  readonly at: Instant;
  readonly milliseconds: number;
}

/** The client of a start has ended, or was ended. */
export interface ExitLine {
  readonly kind: 'exit';
  readonly start: number;
  readonly at: Instant;
  readonly how: ClientExit;
  /** The last of what it printed, bounded, the key replaced by its name. */
  readonly output: string;
  /** The names of processes that the client had started and that lived on when it had ended; they were ended, too. */
  readonly leftBehind?: readonly string[];
}

/** How the process of a client ended. `stopped`: by this program; `because` is the end of a sentence. */
export type ClientExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'stopped'; readonly because: StopReason }
  | { readonly kind: 'not-started'; readonly because: string };

/**
 * Why a client was stopped. `watched`: its scenario has shown what it can. `no-request`: it sent nothing for so long that
 * it hardly will. `interrupted`: by the user, or by a bound on the time of the whole run.
 */
export type StopReason = 'watched' | 'no-request' | 'too-many-requests' | 'too-much-output' | 'interrupted';

/** The last line. A journal without one was cut off, and is judged as far as it goes. */
export interface ClientEndLine {
  readonly kind: 'end';
  readonly how: 'finished' | 'interrupted' | 'failed';
  readonly because: string;
  /** ISO 8601. */
  readonly finishedAt: string;
}

/** One line of the `journal.ndjson` of a client. */
export type ClientJournalLine =
  | ClientRunLine
  | StartLine
  | ArrivalLine
  | ResponseLine
  | ResetLine
  | StallLine
  | ExitLine
  | ClientEndLine;

/** What the journal file of a client holds, and where it is damaged. */
export interface ClientJournalContents {
  readonly lines: readonly ClientJournalLine[];
  /** One sentence for each line that could not be read, with its number. */
  readonly damage: readonly string[];
  /** `sha256:…` of the bytes of the file; absent where the lines were never in one. */
  readonly digest?: string;
}
