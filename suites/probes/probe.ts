import type { Limits } from '../../spec/plans.ts';
import type { PublishedDocument } from '../model/journal.ts';
import type { Pacer } from '../pacing/pacer.ts';

/** How many requests a probe is expected to send, by whose key they carry. */
export interface Cost {
  /** With the key under examination. */
  readonly keyed: number;
  /** With any other key. */
  readonly others: number;
  /** Without a valid key. */
  readonly unauthenticated: number;
  /** Categories that stay on the target, because the specification has no way to delete one. */
  readonly leaves: number;
}

/** What a probe may rely on when it states its cost. */
export interface RunInputs {
  /** Distinguishes this run's categories from those of any other; `[a-z0-9]`, at most 10 characters. */
  readonly tag: string;
  /** How the names of categories are written where the user says so, such as `Category {id}`; checked by `readNamePattern`. */
  readonly namePattern?: string;
  readonly limits: Limits;
  readonly plan: string;
  readonly otherKey: boolean;
  readonly exhaustedKey: boolean;
  readonly disposableKey: boolean;
  /** The user states that no other client uses the examined key during the run. */
  readonly exclusiveKey: boolean;
  /** The target's OpenAPI document and those that it refers to, where the user gave one; none before they are read. */
  readonly openapi: readonly PublishedDocument[] | undefined;
  /** The names of further plans for which a key was given. */
  readonly furtherPlans: readonly string[];
}

/** A question to the target. Requirements share its exchanges. */
export interface Probe {
  readonly id: string;
  /** What it finds out, for the progress line and the documents. */
  readonly asks: string;
  /** What it sends after probes that send `before`; null when these means do not allow it to be asked. */
  cost(inputs: RunInputs, before: Cost): Cost | null;
  run(pacer: Pacer, inputs: RunInputs): Promise<void>;
}

export const nothing: Cost = { keyed: 0, others: 0, unauthenticated: 0, leaves: 0 };
