import type { RequirementId } from '../../../spec/register.ts';
import { entry, register } from '../../../spec/register.ts';
import type { AlgorithmName } from '../../limiters/index.ts';
import type { Seams } from '../../seams.ts';
import type { TopicId } from './topics.ts';

/**
 * One way to conform that a careless test takes for a violation, as one small
 * object: its description, the verdicts of a run, and its wrapper.
 */
export interface StatedVariant extends Seams {
  /** The topic of `topics.ts` that it is an example of. */
  readonly topic: TopicId;
  /** What the server does, in one sentence. */
  readonly description: string;
  /** Exactly the requirements with the verdict `warn`; no requirement may fail. */
  readonly warnings?: readonly RequirementId[];
  /** Exactly the requirements with the verdict `inconclusive` … */
  readonly inconclusive?: readonly RequirementId[];
  /** … and why they are, in one sentence. */
  readonly because?: string;
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

/** A variant with its id and the result that a run against it must have, exactly. */
export interface Variant extends StatedVariant {
  readonly id: string;
  /** A service with warnings conforms; a run is incomplete where a MUST is inconclusive. */
  readonly outcome: 'conforms' | 'conforms with warnings' | 'incomplete';
  readonly warnings: readonly RequirementId[];
  readonly inconclusive: readonly RequirementId[];
}

export function variantOf(id: string, stated: StatedVariant): Variant {
  const { warnings = [], inconclusive = [] } = stated;
  const decided = inconclusive.length === 0 && warnings.length > 0 ? 'conforms with warnings' : 'conforms';
  const isOpen = inconclusive.some((one) => entry(one).level === 'MUST');
  return { ...stated, id, outcome: isOpen ? 'incomplete' : decided, warnings, inconclusive };
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

/** The requirements that need a creation that is accepted, or rejected for its body: CREATE-10 needs none. */
export const needsCreations: readonly RequirementId[] = [
  ...register
    .filter(({ id, level }) => id.startsWith('CREATE-') && id !== 'CREATE-10' && level !== 'OBSERVE')
    .map(({ id }) => id),
  ...(['MEDIA-3', 'LIST-3', 'CAT-4', 'ERR-1', 'RATE-2', 'LIMIT-5'] as const),
];
