import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { RequirementId } from '../../spec/register.ts';
import type { RowId } from './rows.ts';

/** What an examination may say of a service that violates nothing: never more than this, and never less. */
export interface Deserved {
  /** Whoever warns conforms all the same; incomplete is whatever leaves a MUST undecided. */
  readonly verdict: 'conforms' | 'warns' | 'incomplete';
  /** Exactly the requirements of which it warns. */
  readonly warned: readonly RequirementId[];
  /** Exactly the requirements of which nothing can be said … */
  readonly open: readonly RequirementId[];
  /** … and why, in one sentence. */
  readonly because?: string;
}

/**
 * One way to keep the specification that a careless examination takes for a
 * violation, as one small object: what it is, what an examination may say of
 * it, and the wrapper that makes it.
 */
export interface Variant extends Seams {
  /** Permanent, in kebab-case; what `--variant` takes. */
  readonly id: string;
  /** The row of the table of lawful services that it shows. */
  readonly row: RowId;
  /** What the server does, in one sentence. */
  readonly says: string;
  readonly deserves: Deserved;
  /** Where real software does this: a library, a default, a vendor. */
  readonly seen: string;
  /** The limiter that it is about; the server's default one unless said otherwise. */
  readonly algorithm?: AlgorithmName;
  /** How names must be written that this service accepts, as `--name-pattern` takes it. */
  readonly namePattern?: string;
  /** What an examination must know or leave out to be fair to it; nothing unless said otherwise. */
  readonly examine?: 'with a key that may be lost' | 'without a second caller' | 'over sockets';
}

/** Nothing to say of it. */
export const conforms: Deserved = { verdict: 'conforms', warned: [], open: [] };

/** It conforms, and the examination warns of exactly these. */
export function warnedOf(...warned: readonly RequirementId[]): Deserved {
  return { verdict: 'warns', warned, open: [] };
}

/** It conforms, and nothing can be said of exactly these, none of which is a MUST. */
export function unseen(because: string, ...open: readonly RequirementId[]): Deserved {
  return { verdict: 'conforms', warned: [], open, because };
}

/** Nothing is violated, and nothing can be said of exactly these, a MUST among them. */
export function leftOpen(
  because: string,
  open: readonly RequirementId[],
  ...warned: readonly RequirementId[]
): Deserved {
  return { verdict: 'incomplete', warned, open, because };
}

/** What a run without any 429 leaves open. */
export const withoutRefusal: readonly RequirementId[] = [
  'RATE-8',
  'LIMIT-1',
  'LIMIT-3',
  'LIMIT-4',
  'LIMIT-6',
  'LIMIT-7',
  'RETRY-3',
  'RETRY-4',
];
