import type { AlgorithmName } from '../../limiters/index.ts';
import { findEntry } from '../find-entry.ts';
import { bounds } from './bounds.ts';
import { categories } from './categories.ts';
import { day, unshownDays } from './day.ts';
import { keys, otherKey } from './keys.ts';
import { describedWindow, limiters, slidingSteps, weightedCounters } from './limiters.ts';
import { listPages, lists, slowLists } from './lists.ts';
import { lockouts } from './lockouts.ts';
import { media } from './media.ts';
import { longWaits, resetAndClock, retryAfter } from './retry-after.ts';
import { counting, fullLater, smallBuckets } from './small-buckets.ts';
import type { TopicId } from './topics.ts';
import { topics } from './topics.ts';
import { newConnections, outages, transport } from './transport.ts';
import { otherSpellings, unauthenticated } from './unauthenticated.ts';
import type { ExpectedResult, StatedVariants, Variant } from './variant.ts';
import { conforms } from './variant.ts';

const stated: readonly StatedVariants[] = [
  retryAfter,
  longWaits,
  limiters,
  newConnections,
  smallBuckets,
  slidingSteps,
  weightedCounters,
  fullLater,
  unshownDays,
  describedWindow,
  resetAndClock,
  unauthenticated,
  counting,
  day,
  keys,
  otherKey,
  outages,
  otherSpellings,
  lockouts,
  categories,
  bounds,
  lists,
  listPages,
  slowLists,
  media,
  transport,
];

/** All conforming variants, in the order of their topics. */
export const variants: readonly Variant[] = stated
  .flatMap((some) => Object.entries(some))
  .map(([id, variant]) => ({ id, expected: conforms, ...variant }))
  .sort((a, b) => a.topic.localeCompare(b.topic));

/**
 * The variant with this id.
 * @throws {UnknownEntryError} when there is none
 */
export function findVariant(id: string): Variant {
  return findEntry('variant', variants, id);
}

/** A variant as plain data, for `serve --list variants --json` and the documents. */
export interface VariantEntry {
  readonly id: string;
  /** The topic that it is an example of, and its title. */
  readonly topic: TopicId;
  readonly topicTitle: string;
  readonly description: string;
  readonly outcome: ExpectedResult['outcome'];
  /** The requirements with the verdicts `warn` and `inconclusive`, and why the latter. */
  readonly warnings: ExpectedResult['warnings'];
  readonly inconclusive: ExpectedResult['inconclusive'];
  readonly because: string | null;
  /** The limiter algorithm that it needs; null for the server's default one. */
  readonly algorithm: AlgorithmName | null;
  readonly seenIn: string;
}

/** All variants as plain data. */
export function describeVariants(): readonly VariantEntry[] {
  return variants.map(({ id, topic, description, expected, algorithm = null, seenIn }) => {
    const { outcome, warnings, inconclusive, because = null } = expected;
    const topicTitle = topics[topic].title;
    return {
      id,
      topic,
      topicTitle,
      description,
      outcome,
      warnings,
      inconclusive,
      because,
      algorithm,
      seenIn,
    };
  });
}
