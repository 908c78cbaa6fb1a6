import type { Product } from '../../../kernel/basics/product.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { Selection, TestedTarget } from '../../../kernel/findings/tested.ts';
import type { Limits } from '../../../spec/plans.ts';

/** The first line of a journal: what was tested, by which program, against which specification. */
export interface RunLine {
  readonly kind: 'run';
  readonly journalVersion: 3;
  readonly suite: { readonly name: string; readonly version: string };
  readonly spec: { readonly version: string; readonly digest: string };
  readonly target: TestedTarget;
  /** What the user stated about the product under test; absent where nothing was. */
  readonly product?: Product;
  readonly limits: Limits;
  /** The numbers of every further plan for which a key was given. */
  readonly furtherPlans: Readonly<Record<string, Limits>>;
  /** Which optional evidence the user supplied, and what the user stated. */
  readonly inputs: {
    readonly otherKey: boolean;
    readonly exhaustedKey: boolean;
    readonly disposableKey: boolean;
    /** The run uses the daily quota of the key under test, which the user stated to be unused. */
    readonly spendDay?: boolean;
    readonly openapi: boolean;
    /** Not evidence but an assumption: the user states that no other client uses the key under test during the run. */
    readonly exclusiveKey: boolean;
    /** Whether two further windows were tested. */
    readonly thorough: boolean;
  };
  /** What the run was limited to; absent where it was complete. */
  readonly selection?: Selection;
  /** The probes of this run, in their order, with what each is expected to send. */
  readonly probes: readonly { readonly id: string; readonly requests: number }[];
  /** ISO 8601. */
  readonly startedAt: string;
}

/** A probe begins. */
export interface ProbeLine {
  readonly kind: 'probe';
  readonly id: string;
  readonly at: number;
}

/** The run pauses: for how long (seconds) and why, for a person. */
export interface WaitLine {
  readonly kind: 'wait';
  readonly seconds: number;
  readonly because: string;
  readonly at: number;
}

/** A decision of the run that a judge needs, such as a probe that was given up. */
export interface NoteLine {
  readonly kind: 'note';
  readonly probe: string;
  readonly text: string;
  readonly at: number;
}

/** An OpenAPI document that the target publishes, or one that it refers to, as it was read (VER-2). */
export interface PublishedDocument {
  /** The address or the file it came from, without credentials. */
  readonly source: string;
  /** The address against which its relative references are resolved; a file stands beneath `file:///document/`. */
  readonly address?: string;
  readonly text: string;
  /** Why it was not read, as the end of a sentence; `text` is empty then. */
  readonly unread?: string;
}

/** One such document: the first line is the description itself, every further one a document that it refers to. */
export interface DocumentLine extends PublishedDocument {
  readonly kind: 'document';
  readonly at: number;
}

/** The last line. A journal without one was cut off by a crash and is judged as far as it goes. */
export interface EndLine {
  readonly kind: 'end';
  readonly how: 'finished' | 'interrupted' | 'failed';
  readonly because: string;
  /** ISO 8601. */
  readonly finishedAt: string;
}

/** One line of `journal.ndjson`. `at` is milliseconds since the Unix epoch. */
export type JournalLine = RunLine | ProbeLine | WaitLine | NoteLine | DocumentLine | Exchange | EndLine;

/** What a journal file holds, and where it is damaged. */
export interface JournalContents {
  readonly lines: readonly JournalLine[];
  /** One sentence for each line that could not be read, with its number. */
  readonly damage: readonly string[];
  /** `sha256:…` of the bytes of the file; absent where the lines were never in one. */
  readonly digest?: string;
}
