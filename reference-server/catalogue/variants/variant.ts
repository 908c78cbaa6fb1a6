import type { RequirementId } from '../../../spec/register.ts';
import type { AlgorithmName } from '../../limiters/index.ts';
import type { Seams } from '../../seams.ts';
import type { TopicId } from './topics.ts';

/** The result that a run against a conforming variant must have, exactly. No requirement may fail. */
export interface ExpectedResult {
  /** A service with warnings conforms; a run is incomplete where a MUST is inconclusive. */
  readonly outcome: 'conforms' | 'conforms with warnings' | 'incomplete';
  /** Exactly the requirements with the verdict `warn`. */
  readonly warnings: readonly RequirementId[];
  /** Exactly the requirements with the verdict `inconclusive` … */
  readonly inconclusive: readonly RequirementId[];
  /** … and why they are, in one sentence. */
  readonly because?: string;
}

/**
 * One way to conform that a careless test takes for a violation, as one small
 * object: its description, the expected result of a run, and its wrapper.
 */
export interface StatedVariant extends Seams {
  /** The topic of `topics.ts` that it is an example of. */
  readonly topic: TopicId;
  /** What the server does, in one sentence. */
  readonly description: string;
  /** Without one, the service conforms, and nothing warns. */
  readonly expected?: ExpectedResult;
  /** Where real software does this: a library, a default, a vendor. */
  readonly seenIn: string;
  /** The limiter algorithm that it needs; the server's default one where it needs none. */
  readonly algorithm?: AlgorithmName;
  /** The pattern of the names that this service accepts, as for `--name-pattern`. */
  readonly namePattern?: string;
  /** What a run against it needs or must leave out. */
  readonly testedWith?: 'a disposable key' | 'a used day' | 'no second key' | 'sockets';
}

/** Variants by their ids: permanent, in kebab-case, the values of `--variant`. */
export type StatedVariants = Readonly<Record<string, StatedVariant>>;

/** A variant with its id, in which nothing is left out. */
export interface Variant extends StatedVariant {
  readonly id: string;
  readonly expected: ExpectedResult;
}

/** The service conforms, without a warning. */
export const conforms: ExpectedResult = { outcome: 'conforms', warnings: [], inconclusive: [] };

/** The service conforms, with exactly these warnings. */
export function conformsWithWarnings(...warnings: readonly RequirementId[]): ExpectedResult {
  return { outcome: 'conforms with warnings', warnings, inconclusive: [] };
}

/** The service conforms, and exactly these requirements, none of them a MUST, are inconclusive. */
export function conformsExcept(because: string, ...inconclusive: readonly RequirementId[]): ExpectedResult {
  return { outcome: 'conforms', warnings: [], inconclusive, because };
}

/** Nothing is violated, and exactly these requirements, a MUST among them, are inconclusive. */
export function incomplete(
  because: string,
  inconclusive: readonly RequirementId[],
  ...warnings: readonly RequirementId[]
): ExpectedResult {
  return { outcome: 'incomplete', warnings, inconclusive, because };
}

/** The requirements that are inconclusive in a run without any 429. */
export const inconclusiveWithout429: readonly RequirementId[] = [
  'RATE-8',
  'LIMIT-1',
  'LIMIT-3',
  'LIMIT-4',
  'LIMIT-6',
  'LIMIT-7',
  'RETRY-3',
  'RETRY-4',
];

/** The requirements that need a creation that is accepted, or rejected for its body. */
export const needsCreations: readonly RequirementId[] = [
  'MEDIA-3',
  'LIST-3',
  'CREATE-1',
  'CREATE-2',
  'CREATE-3',
  'CREATE-4',
  'CREATE-5',
  'CREATE-6',
  'CREATE-7',
  'CREATE-8',
  'CREATE-9',
  'CREATE-11',
  'CREATE-12',
  'CREATE-14',
  'CAT-4',
  'ERR-1',
  'RATE-2',
  'LIMIT-5',
];
