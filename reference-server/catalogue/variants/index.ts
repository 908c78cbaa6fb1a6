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
  variants.map(({ id, topic, description, expected, algorithm = null, seenIn }) => {
    const topicTitle = topics[topic];
    const because = expected.because ?? null;
    return { id, topic, topicTitle, description, ...expected, because, algorithm, seenIn };
  });
