import type { Limits } from '../../../spec/plans.ts';
import type { PublishedDocument } from '../model/journal.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { FurtherKeys } from '../wire/keyring.ts';

/** How many requests a probe is expected to send, by the key that they carry. */
export interface Cost {
  readonly withKey: number;
  readonly withOtherKeys: number;
  readonly unauthenticated: number;
  /** Categories that stay on the target, because the specification has no way to delete one. */
  readonly categoriesCreated: number;
}

/** What a probe can use, and what it needs to state its cost. */
export interface RunInputs extends FurtherKeys {
  /** Part of the names of this run's categories, so that no other run has them; `[a-z0-9]`, at most 10 characters. */
  readonly tag: string;
  /** The user's pattern for names of categories, such as `Category {id}`; checked by `readNamePattern`. */
  readonly namePattern?: string | undefined;
  readonly limits: Limits;
  readonly plan: string;
  /** Use the daily quota of the key under test, which the user states to be unused; no by default. */
  readonly spendDay?: boolean;
  readonly exclusiveKey: boolean;
  /** Whether two further windows are tested, each with a question of its own. */
  readonly thorough: boolean;
  /** The target's OpenAPI document and those that it refers to, if the user gave one; empty before they are read. */
  readonly openapi: readonly PublishedDocument[] | undefined;
}

/** A fixed sequence of requests, each labelled with one of its steps. Requirements share its exchanges. */
export interface Probe {
  readonly id: string;
  /** What it sends, for the progress line and the documents. */
  readonly description: string;
  /** Their names, as the journal and the reports show them, by the names that code uses. */
  readonly steps: Readonly<Record<string, string>>;
  /** What it sends to a conforming target, after the requests before it; null where these inputs do not allow it. */
  cost?(inputs: RunInputs, before: Cost): Partial<Cost> | null;
  run(pacer: Pacer, inputs: RunInputs): Promise<void>;
}

export type StepOf<P extends Probe> = P extends Probe ? P['steps'][keyof P['steps']] : never;

/** Steps that code calls by the same name as the journal. */
export function stepsNamed<Name extends string>(names: readonly Name[]): { readonly [N in Name]: N } {
  return Object.fromEntries(names.map((name) => [name, name])) as { readonly [N in Name]: N };
}

/** A whole number from 0 to `below` - 1 that depends on the run's tag: what it decides follows no other user of a key by chance. */
export function drawn(tag: string, salt: number, below: number): number {
  let sum = salt;
  for (const character of tag) sum = (31 * sum + character.charCodeAt(0)) % 65_521;
  return sum % below;
}
