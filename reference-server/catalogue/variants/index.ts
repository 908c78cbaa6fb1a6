import { findEntry } from '../find-entry.ts';
import { categories } from './categories.ts';
import { day, unshownDays } from './day.ts';
import { keys } from './keys.ts';
import { describedWindow, limiters } from './limiters.ts';
import { lists } from './lists.ts';
import { media } from './media.ts';
import { retryAfter } from './retry-after.ts';
import { smallBuckets } from './small-buckets.ts';
import { topics } from './topics.ts';
import { transport } from './transport.ts';
import { unauthenticated } from './unauthenticated.ts';
import type { StatedVariants, Variant } from './variant.ts';
import { variantOf } from './variant.ts';

const stated: readonly StatedVariants[] = [
  retryAfter,
  limiters,
  smallBuckets,
  unshownDays,
  describedWindow,
  unauthenticated,
  day,
  keys,
  categories,
  lists,
  media,
  transport,
];

/** All conforming variants, in the order of their topics. */
export const variants: readonly Variant[] = stated
  .flatMap((some) => Object.entries(some))
  .map(([id, variant]) => variantOf(id, variant))
  .sort((a, b) => a.topic.localeCompare(b.topic));

/** The variant with this id. @throws {UserError} when there is none. */
export function findVariant(id: string): Variant {
  return findEntry('variant', variants, id);
}

/** All variants as plain data, for `serve --list variants --json` and the documents. */
export const describeVariants = () =>
  variants.map((variant) => {
    const { id, topic, description, outcome, warnings, inconclusive, seenIn } = variant;
    const { because = null, algorithm = null } = variant;
    const topicTitle = topics[topic];
    const expected = { outcome, warnings, inconclusive, because };
    return { id, topic, topicTitle, description, ...expected, algorithm, seenIn };
  });
