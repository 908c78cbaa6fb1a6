import type { Seams } from '../../seams.ts';
import type { Category } from '../../service/categories.ts';
import { categoryJson, parseNewCategory } from '../../service/categories.ts';
import {
  asError,
  bodyText,
  fieldsOf,
  isCreation,
  mapIds,
  remembering,
  showsCategories,
  textOf,
  withItems,
  withJson,
  withText,
  writingIds,
} from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** Faults of the chapter "Create a category": ids, and categories that have one name. */
export const ids: StatedFaults = {
  'ids-given-twice': {
    description: 'Two successive creations get the same id.',
    warnings: ['CREATE-11'],
    seenIn: 'ids derived from a clock whose unit is too coarse',
    ...writingIds((id) => String((BigInt(id) + 1n) / 2n)),
  },
  'ids-given-twice-under-concurrency': {
    description: 'Two simultaneous creations get the same id.',
    warnings: ['CREATE-11'],
    seenIn: 'MAX(id) + 1 without a lock; ids from a clock in milliseconds',
    ...remembering(showsCategories, ({ now }) => {
      const shown = new Map<string, string>();
      let last = { id: '', until: Number.NEGATIVE_INFINITY };
      return (response) => {
        if (response.status !== 201)
          return withText(
            response,
            mapIds(textOf(response), (id) => shown.get(id) ?? id),
          );
        const text = mapIds(textOf(response), (id) => {
          if (now() >= last.until) last = { id, until: now() + CREATION_MS };
          shown.set(id, last.id);
          return last.id;
        });
        return { ...withText(response, text), delayMs: CREATION_MS };
      };
    }),
  },
  'ids-collide-under-concurrency': {
    description: 'Two simultaneous creations are given the same id, and the second one gets 409.',
    warnings: ['CREATE-1'],
    seenIn: 'MAX(id) + 1 without a lock, beside a handler that makes 409 of every violation of a constraint',
    wrapService(handle, { now }) {
      let busyUntil = Number.NEGATIVE_INFINITY;
      return (request) => {
        const outcome = handle(
          isCreation(request) && now() < busyUntil ? { ...request, body: Buffer.from('{}') } : request,
        );
        if (outcome.kind !== 'response') return outcome;
        if (outcome.status === 201) busyUntil = now() + CREATION_MS;
        const collided = outcome.status === 400 && isCreation(request) && parseNewCategory(request).ok;
        if (collided) return asError(outcome, 409);
        return outcome.status === 201 ? { ...outcome, delayMs: CREATION_MS } : outcome;
      };
    },
  },
  'existing-name-overwritten': {
    description: 'A creation with an existing name gets 201 with the old id and overwrites that category.',
    breaks: ['CAT-4'],
    warnings: ['CREATE-11'],
    seenIn: 'ON CONFLICT (name) DO UPDATE; maps with the name as the key',
    wrapStore(store) {
      const byName = new Map<string, Category>();
      return {
        create(category) {
          const before = byName.get(category.name);
          const stored = before === undefined ? store.create(category) : { ...category, id: before.id };
          if (stored !== null) byName.set(category.name, stored);
          return stored;
        },
        listJson: () => `[${[...byName.values()].map(categoryJson).join(',')}]`,
      };
    },
  },
  'existing-name-replaced': {
    description: 'A creation with an existing name removes the old category and stores one with a new id.',
    breaks: ['LIST-3'],
    seenIn: 'SQLite’s INSERT OR REPLACE, MySQL’s REPLACE INTO',
    wrapStore(store) {
      const byName = new Map<string, Category>();
      return {
        create(category) {
          const stored = store.create(category);
          if (stored !== null) byName.set(category.name, stored);
          return stored;
        },
        listJson: () => `[${[...byName.values()].map(categoryJson).join(',')}]`,
      };
    },
  },
  'creations-stored-twice': {
    description: 'Each creation is stored twice, and the 201 shows the second category.',
    warnings: ['CREATE-14'],
    seenIn:
      'gateways and clients of a database that send a request again after a timeout (nginx’s proxy_next_upstream non_idempotent)',
    wrapStore: (store) => ({
      ...store,
      create(category) {
        store.create(category);
        return store.create(category);
      },
    }),
  },
  'client-id-adopted': {
    description: 'The service adopts the id that a client sends.',
    breaks: ['CREATE-12'],
    warnings: ['CREATE-11'],
    seenIn: 'mass assignment of the request body to the model',
    ...adoptingIds((id) => id),
  },
  'client-id-adopted-where-it-fits': {
    description: 'The service adopts the id that a client sends where it fits into 32 bits.',
    breaks: ['CREATE-12'],
    warnings: ['CREATE-11'],
    seenIn: 'mass assignment to an INTEGER column, in a lax mode',
    ...adoptingIds((id) => (BigInt(id) < 2n ** 31n ? id : undefined)),
  },
  'client-id-overwrites': {
    description: 'A creation with the id of a category overwrites that category; any other id is ignored.',
    breaks: ['CREATE-12', 'LIST-3', 'CAT-4'],
    warnings: ['CREATE-11'],
    seenIn: 'save or merge of an entity that was read from the body (Spring Data JPA, Hibernate, SQLAlchemy)',
    ...remembering(showsCategories, () => {
      const overwritten = new Set<unknown>();
      const merged = new Map<unknown, unknown>();
      const shown = (category: Record<string, unknown>) => {
        const { id } = category;
        return { ...category, id: merged.get(id) ?? id };
      };
      return (response, request) => {
        if (response.status === 200)
          return withItems(response, (items) => items.filter(({ id }) => !overwritten.has(id)).map(shown));
        const { id: sent } = fieldsOf(request);
        return withJson(response, (category) => {
          if (Number.isInteger(sent) && Number(sent) > 0 && Number(sent) < Number(category['id'])) {
            overwritten.add(sent);
            merged.set(category['id'], sent);
          }
          return shown(category);
        });
      };
    }),
  },
  'ids-all-the-same': {
    description: 'Every category has the id 1.',
    warnings: ['CREATE-11'],
    seenIn: 'ids derived from the size of a store into which nothing is written any more',
    ...writingIds(() => '1'),
  },
  'ids-start-again': {
    description: 'After five creations, ids start again at 1.',
    warnings: ['CREATE-11'],
    seenIn: 'counters with too few bits',
    ...writingIds((id) => String(((BigInt(id) - 1n) % 5n) + 1n)),
  },
};

/** Shows each category under the id that the client sent. */
function adoptingIds(adopt: (id: string) => string | undefined): Seams {
  return remembering(showsCategories, () => {
    const adopted = new Map<string, string>();
    return (response, request) => {
      const sent = response.status === 201 ? /"id"\s*:\s*(-?\d+)/.exec(bodyText(request))?.[1] : undefined;
      const shown = (id: string): string => {
        const taken = sent === undefined ? undefined : adopt(sent);
        if (taken !== undefined) adopted.set(id, taken);
        return adopted.get(id) ?? id;
      };
      return withText(response, mapIds(textOf(response), shown));
    };
  });
}

/** How long a creation takes where simultaneous ones share an id, in milliseconds; shorter than what one after another needs. */
const CREATION_MS = 10;
