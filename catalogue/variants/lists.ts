import type { Seams } from '../../reference-server/seams.ts';
import { categoryJson } from '../../reference-server/service/categories.ts';
import { isCreated, isList, onResponse, textOf, withItems } from '../wrappers/responses.ts';
import type { Variant } from './variant.ts';
import { conforms, conformsWithWarnings } from './variant.ts';

const MANY = 50_000;

/** Lists that are long, changing, delayed or paginated. */
export const lists: readonly Variant[] = [
  {
    id: 'list-of-fifty-thousand',
    topic: 'K56',
    description: `The list has ${MANY} categories from the start.`,
    expected: conforms,
    seenIn: 'any service that is not new',
    wrapStore(store) {
      for (let n = 1; n <= MANY; n += 1) store.create({ name: `old-${n}` });
      return store;
    },
  },
  {
    id: 'list-in-changing-order',
    topic: 'K57',
    description: 'The order of the list changes with every request.',
    expected: conforms,
    seenIn: 'SELECT without ORDER BY; Go maps',
    wrapService(handle, context) {
      let turn = 0;
      const { wrapService } = onResponse(isList, (response) => {
        turn += 1;
        return withItems(response, (items) => {
          const from = (turn * 7) % (items.length + 1);
          return [...items.slice(from), ...items.slice(0, from)];
        });
      });
      return wrapService?.(handle, context) ?? handle;
    },
  },
  {
    id: 'others-create-and-remove',
    topic: 'K58',
    description: 'Other clients create and delete categories between any two requests.',
    expected: conforms,
    seenIn: 'any service with more than one client',
    wrapStore(store) {
      let turn = 0;
      const listed = (): string => {
        turn += 1;
        const theirs = Array.from({ length: turn % 4 }, (_, n) =>
          categoryJson({ id: BigInt(1_000_000 + turn + n), name: `theirs-${turn + n}` }),
        );
        const ours = store.listJson().slice(1, -1);
        return `[${[...theirs, ...(ours === '' ? [] : [ours])].join(',')}]`;
      };
      return { ...store, listJson: listed };
    },
  },
  {
    id: 'list-consistent-eventually',
    topic: 'K60',
    description: 'A created category appears in the list after half a window.',
    expected: conformsWithWarnings('LIST-3'),
    seenIn: 'read replicas, search indexes',
    ...delayingNewCategories(),
  },
];

/** Omits the categories that were created less than half a window ago. */
function delayingNewCategories(): Seams {
  return {
    wrapService(handle, { now, plans }) {
      const createdAt = new Map<unknown, number>();
      const shown = ({ id }: Record<string, unknown>): boolean =>
        now() >= (createdAt.get(id) ?? 0) + 500 * plans.minuteSeconds;
      return (request) => {
        const outcome = handle(request);
        if (outcome.kind === 'dropped') return outcome;
        if (isCreated(outcome, request)) createdAt.set(JSON.parse(textOf(outcome)).id, now());
        if (!isList(outcome, request)) return outcome;
        return withItems(outcome, (items) => items.filter(shown));
      };
    },
  };
}
