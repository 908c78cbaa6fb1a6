import type { RequirementId } from '../../spec/register.ts';

/** The headings of BOUNDS.md under which the bounds of a requirement are derived. A test proves that they exist. */
const DERIVED: Readonly<Partial<Record<RequirementId, readonly string[]>>> = {
  'LIMIT-1': [
    'The shared inequality',
    'Twice the limit',
    'The limit plus refill',
    'Exactly the limit',
    'A burst of parallel requests',
    'One announced Reset',
    'Between two 429 responses',
    'A burst from a full bucket',
  ],
  'LIMIT-2': ['A 429 that no conforming limiter sends', 'A constant cost'],
  'LIMIT-3': ['Exactly the limit', 'Between two 429 responses'],
  'LIMIT-4': ['The shared inequality', 'Impossible gain', 'An untouched window'],
  'LIMIT-5': ['Separate counters', 'Counts side by side'],
  'LIMIT-6': ['Impossible batch', 'Lost under concurrency', 'A burst of parallel requests'],
  'LIMIT-7': ['Two control rounds', 'Chance', 'Requests with a similar key'],
  'LIMIT-8': ['Separate counters', 'Counts side by side'],
  'LIMIT-9': ['A new day', 'Twice the limit'],
  'RATE-6': [
    'Impossible gain',
    'Impossible batch',
    'One kind of response',
    'Every n-th request',
    'A constant cost',
  ],
  'RATE-8': ['An untouched window'],
  'RETRY-3': ['A retry after Retry-After'],
};

/** The headings for a requirement; empty where its judge needs no bound. */
export const headingsOf = (id: RequirementId): readonly string[] => DERIVED[id] ?? [];

/** Where the bounds of a requirement are derived, one item each. */
export const derivationsOf = (id: RequirementId): readonly string[] =>
  headingsOf(id).map((heading) => `${heading} (kernel/rate-limits/BOUNDS.md#${slugOf(heading)})`);

/** The slug by which a link reaches a heading. */
const slugOf = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-');
