import { countOf } from '../../../kernel/basics/text.ts';
import { exchangeName } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned, inconclusive, pass, warn } from '../../../kernel/findings/judgement.ts';
import { sightings } from '../evidence/categories.ts';
import type { Evidence, Requirement } from '../evidence/evidence.ts';
import { bodyFields, fieldsOf } from '../evidence/json.ts';
import {
  creations,
  firstBatch,
  firstCreation,
  listAfterCreations,
  secondBatch,
} from '../probes/creations.ts';
import { preflight } from '../probes/preflight.ts';
import { errors } from './schemas/errors.ts';
import { staysTheSame } from './schemas/same-category.ts';

const SHOWS_CATEGORIES = [
  preflight,
  firstCreation,
  creations,
  firstBatch,
  listAfterCreations,
  secondBatch,
] as const;

/** Names whose creation sent a null description, which the specification leaves open. */
function namesSentWithNull(evidence: Evidence): ReadonlySet<unknown> {
  const names = evidence.exchanges.flatMap(({ request }) => {
    const fields = bodyFields(request.body);
    return fields?.get('description') === null ? [fields.get('name')] : [];
  });
  return new Set(names);
}

/** Judges one field of every category that was received. */
function field(
  id: 'CAT-1' | 'CAT-2' | 'CAT-3',
  wanted: string,
  words: Pick<Requirement, 'whyItMatters' | 'fix'>,
): Requirement {
  const key = { 'CAT-1': 'id', 'CAT-2': 'name', 'CAT-3': 'description' }[id];
  return { id, probes: SHOWS_CATEGORIES, ...words, judge: (evidence) => judgeField(evidence, key, wanted) };
}

function judgeField(evidence: Evidence, key: string, wanted: string): Judgement {
  const all = evidence.fact(sightings).filter(({ seen }) => fieldsOf(seen.json.value) !== undefined);
  const excused = evidence.fact(namesSentWithNull);
  for (const [kind, judged] of [
    ['violation', fail],
    ['doubt', warn],
  ] as const) {
    for (const { exchange, seen } of all) {
      const problem = seen.problems.find((one) => one.field === key && one.kind === kind);
      if (problem === undefined || (kind === 'doubt' && excused.has(seen.name))) continue;
      const { received, reasoning } = problem;
      const fact = { expected: wanted, received: `${received} in ${exchangeName(exchange)}` };
      return judged(furtherReasoned(fact, reasoning), [exchange]);
    }
  }
  if (all.length === 0) return inconclusive(evidence.whyNothing(...SHOWS_CATEGORIES));
  const where = key === 'description' ? ' or none (null only where null was sent)' : '';
  return pass(
    `Each of ${countOf(all.length, 'category', 'categories')} in 201 responses and lists has ${wanted}${where}; a list that was received again counts once.`,
  );
}

/** Chapter "Category and Error schemas". */
export const schemas: readonly Requirement[] = [
  field('CAT-1', 'an `id` that is an integer in the int64 range', {
    whyItMatters: 'A client stores the id in 64 bits and requests the category by it.',
    fix: 'Write the id as a JSON integer in the int64 range: not as a string, and not with a fraction.',
  }),
  field('CAT-2', 'a `name` that is a string', {
    whyItMatters: 'The name is what people see of a category.',
    fix: 'Write `name` as a string in every category.',
  }),
  field('CAT-3', 'a `description` that is a string', {
    whyItMatters: 'A typed client fails on a field of another type.',
    fix: 'Write `description` as a string, and leave the field out where there is none.',
  }),
  {
    id: 'CAT-4',
    probes: [...SHOWS_CATEGORIES],
    whyItMatters: 'Clients cannot know which of two versions of a category is right.',
    fix: 'Answer the creation with the category as it was stored, and list the same stored values.',
    judge: staysTheSame,
  },
  ...errors,
];
