import type { Seams } from '../../seams.ts';
import type { Category, NewCategory } from '../../service/categories.ts';
import type { Request } from '../../service/message.ts';
import { parseNewCategory } from '../../service/new-category.ts';
import { asError, fieldsOf, isCreation } from '../wrappers/responses.ts';
import type { Variant } from './variant.ts';
import { conforms } from './variant.ts';

/** A service that rejects creations that it does not accept with 400, or another `code`. */
export function bounded(
  id: string,
  topic: 'K62' | 'K63' | 'K76',
  description: string,
  how: Pick<Variant, 'seenIn'> & {
    readonly accepts: (category: NewCategory) => boolean;
    readonly code?: number;
  },
): Variant {
  const { seenIn, accepts, code = 400 } = how;
  return {
    id,
    topic,
    description,
    expected: conforms,
    seenIn,
    ...rejecting(code, (category) => !accepts(category)),
  };
}

/** Rejects some well-formed creations with `code`; `rejects` may depend on the names that exist. */
export function rejecting(
  code: number,
  rejects: (category: NewCategory, names: ReadonlySet<string>) => boolean,
): Seams {
  let rejected = false;
  return {
    wrapStore(store) {
      const names = new Set<string>();
      return {
        ...store,
        create(category: NewCategory) {
          rejected = rejects(category, names);
          if (rejected) return null;
          const stored = store.create(category);
          if (stored !== null) names.add(category.name);
          return stored;
        },
      };
    },
    // Only its own rejections: a store behind this one may reject with another status.
    wrapService: (handle) => (request) => {
      rejected = false;
      const outcome = handle(request);
      return rejected && outcome.kind === 'response'
        ? asError(outcome, code, 'invalid_category', 'This category cannot be created.')
        : outcome;
    },
  };
}

/** Rejects creations with unknown fields; they are counted like any other. */
export function rejectingUnknownFields(): Seams {
  return {
    wrapService: (handle) => (request) => {
      if (!hasUnknownField(request)) return handle(request);
      const outcome = handle({ ...request, body: Buffer.from('{}') });
      return outcome.kind === 'response' && outcome.status === 400
        ? asError(outcome, 400, 'unknown_field', 'The body has an unknown field.')
        : outcome;
    },
  };
}

const hasUnknownField = (request: Request): boolean =>
  isCreation(request) &&
  parseNewCategory(request).ok &&
  Object.keys(fieldsOf(request)).some((field) => field !== 'name' && field !== 'description');

/** A store whose names are unique: a creation with an existing name returns the category that has it. */
export function returningTheExisting(): Seams {
  return {
    wrapStore(store) {
      const byName = new Map<string, Category>();
      return {
        ...store,
        create(category) {
          const before = byName.get(category.name);
          if (before !== undefined) return before;
          const stored = store.create(category);
          if (stored !== null) byName.set(category.name, stored);
          return stored;
        },
      };
    },
  };
}
