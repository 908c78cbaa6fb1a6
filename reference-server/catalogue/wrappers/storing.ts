import type { Seams } from '../../seams.ts';
import type { Category, CategoryStore, NewCategory } from '../../service/categories.ts';
import { categoryJson } from '../../service/categories.ts';
import { asError } from './responses.ts';

/** Stores something else than what a client sends. */
export const onCreation = (
  create: (category: NewCategory, store: CategoryStore) => Category | null,
): Seams => ({
  wrapStore: (store) => ({ ...store, create: (category) => create(category, store) }),
});

/** Changes every category before it is stored. */
const changing = (change: (category: NewCategory) => NewCategory): Seams =>
  onCreation((category, store) => store.create(change(category)));

export const changingNames = (change: (name: string) => string): Seams =>
  changing((category) => ({ ...category, name: change(category.name) }));

export const changingDescriptions = (change: (description: string) => string | undefined): Seams =>
  changing(({ name, description }) => {
    const changed = description === undefined ? undefined : change(description);
    return changed === undefined ? { name } : { name, description: changed };
  });

export const changingTexts = (change: (text: string) => string): Seams =>
  changing(({ name, description }) => ({
    name: change(name),
    ...(description === undefined ? {} : { description: change(description) }),
  }));

/** A store in which each name has one category; `again` makes the one that a creation with an existing name stores and shows. */
export const withUniqueNames = (
  again: (before: Category, category: NewCategory, store: CategoryStore) => Category | null,
): Seams => ({
  wrapStore(store) {
    const byName = new Map<string, Category>();
    return {
      create(category) {
        const before = byName.get(category.name);
        const stored = before === undefined ? store.create(category) : again(before, category, store);
        if (stored !== null) byName.set(category.name, stored);
        return stored;
      },
      listJson: () => `[${[...byName.values()].map(categoryJson).join(',')}]`,
    };
  },
});

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
      return rejected && outcome.kind === 'response' ? asError(outcome, code) : outcome;
    },
  };
}
