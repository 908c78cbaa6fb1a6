import { categoryJson } from '../../reference-server/categories.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { isCreated, isList, onReply, plus, textOf, withItems } from '../faults/answers.ts';
import type { Variant } from './variant.ts';
import { conforms, leftOpen, warnedOf } from './variant.ts';

const MANY = 50_000;
const PAGE = 3;

/** Lists that are long, moving, late or in pages. */
export const lists: readonly Variant[] = [
  {
    id: 'list-of-fifty-thousand',
    row: 'K56',
    says: `The list has held ${MANY} categories from the start.`,
    deserves: conforms,
    seen: 'any service that is not new',
    wrapStore(store) {
      for (let n = 1; n <= MANY; n += 1) store.create({ name: `old-${n}` });
      return store;
    },
  },
  {
    id: 'list-in-changing-order',
    row: 'K57',
    says: 'The list begins at another place each time.',
    deserves: conforms,
    seen: 'SELECT without ORDER BY; Go maps',
    wrapService(answer, around) {
      let turn = 0;
      const { wrapService } = onReply(isList, (reply) => {
        turn += 1;
        return withItems(reply, (items) => {
          const from = (turn * 7) % (items.length + 1);
          return [...items.slice(from), ...items.slice(0, from)];
        });
      });
      return wrapService?.(answer, around) ?? answer;
    },
  },
  {
    id: 'others-create-and-remove',
    row: 'K58',
    says: 'Categories of other clients come and go between any two requests.',
    deserves: conforms,
    seen: 'any service with more than one client',
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
    id: 'list-in-pages',
    row: 'K59',
    says: `The list holds the first ${PAGE} categories and names the next page in Link.`,
    deserves: leftOpen('A page says nothing of what the other pages hold.', ['LIST-3', 'CREATE-10']),
    seen: 'GitHub, GitLab, every list that has grown',
    ...onReply(isList, (reply) =>
      plus(
        withItems(reply, (items) => items.slice(0, PAGE)),
        ['Link', '</v1/categories?page=2>; rel="next"'],
      ),
    ),
  },
  {
    id: 'list-consistent-eventually',
    row: 'K60',
    says: 'A created category appears in the list half a window later.',
    deserves: warnedOf('LIST-3'),
    seen: 'read replicas, search indexes',
    ...late(),
  },
];

/** Leaves out of the list what was created less than half a window ago. */
function late(): Seams {
  return {
    wrapService(answer, { now, plans }) {
      const born = new Map<unknown, number>();
      const shown = ({ id }: Record<string, unknown>): boolean =>
        now() >= (born.get(id) ?? 0) + 500 * plans.minuteSeconds;
      return (request) => {
        const outcome = answer(request);
        if (outcome.kind === 'dropped') return outcome;
        if (isCreated(outcome, request)) born.set(JSON.parse(textOf(outcome)).id, now());
        if (!isList(outcome, request)) return outcome;
        return withItems(outcome, (items) => items.filter(shown));
      };
    },
  };
}
