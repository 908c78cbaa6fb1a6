import { exchangeName } from '../../exchanges/exchange-text.ts';
import { countOf } from '../../words/text.ts';
import type { Contents, Creation, Seen } from '../evidence/categories.ts';
import { creationsSeen, lists, sightings } from '../evidence/categories.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { fieldsOf, jsonOf } from '../evidence/json.ts';
import { jsonValueText } from '../evidence/json-value-text.ts';
import type { Judgement } from '../evidence/judgement.ts';
import { fail, inconclusive, pass, warn } from '../evidence/judgement.ts';
import type { Requirement } from '../evidence/requirement.ts';
import { isJson } from '../evidence/schemas.ts';
import { creations, firstBatch, firstCreation, listAfterCreations } from '../probes/creations.ts';
import { preflight } from '../probes/preflight.ts';
import { errors } from './schemas/errors.ts';

const SHOWS_CATEGORIES = [preflight, firstCreation, creations, firstBatch, listAfterCreations] as const;

/** Names whose creation sent a null description, which the specification leaves open. */
function namesSentWithNull(evidence: Evidence): ReadonlySet<unknown> {
  const names = evidence.exchanges.flatMap(({ request }) => {
    const body = request.method === 'POST' && request.body !== null ? jsonOf(request.body) : undefined;
    const fields = body !== undefined && isJson(body) ? fieldsOf(body.value) : undefined;
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
      return judged(reasoning === undefined ? fact : { ...fact, reasoning }, [exchange]);
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

function staysTheSame(evidence: Evidence): Judgement {
  const made = creationsSeen(evidence).filter(({ seen }) => seen?.id !== undefined);
  const ours = ourEntries(made);
  let compared = 0;
  for (const { exchange: listing, contents } of lists(evidence)) {
    for (const [{ exchange, seen }, item] of ours(contents)) {
      if (listing.sent.mono < exchange.received.mono) continue;
      compared += 1;
      const different = (['id', 'name', 'description'] as const).find((key) => item[key] !== seen?.[key]);
      if (different === undefined) continue;
      const fact = {
        expected: `${different} ${jsonValueText(seen?.[different])} in the list, as in the 201 of ${exchangeName(exchange)}`,
        received: `${different} ${jsonValueText(item[different])} in ${exchangeName(listing)}`,
      };
      return fail(different === 'name' ? { ...fact, reasoning: SAME_ID_TWICE } : fact, [exchange, listing]);
    }
  }
  if (compared === 0)
    return inconclusive('No created category was found in a list, so there is nothing to compare.');
  return pass(
    `${countOf(compared, 'comparison')} of a 201 with the entry in a later list found the same \`id\`, \`name\` and \`description\`.`,
  );
}

/** An entry with another name was found by its id. */
const SAME_ID_TWICE =
  'If that is another category, two have the same id, as with workers that have separate stores.';

type Entry = readonly [creation: Creation, item: Seen];

/** Finds the creations that a list contains, with their entries; equal contents are searched once. */
function ourEntries(made: readonly Creation[]): (contents: Contents) => readonly Entry[] {
  const named = new Map(made.map((creation) => [creation.seen?.name, creation]));
  const numbered = new Map(made.map((creation) => [creation.seen?.id, creation]));
  const known = new Map<Contents, readonly Entry[]>();
  return (contents) => {
    const before = known.get(contents);
    if (before !== undefined) return before;
    const shown = new Set(
      contents.items.flatMap((item) => [named.get(item.name) ?? [], numbered.get(item.id) ?? []].flat()),
    );
    const entries = [...shown].flatMap((creation): Entry[] => {
      const item = entryOf(creation, contents);
      return item === undefined ? [] : [[creation, item]];
    });
    known.set(contents, entries);
    return entries;
  };
}

/**
 * A creation's entry in a list: by its name, which is unique to this run, or
 * else by its id. The name occurs twice where a creation was sent again because
 * its connection broke; then the id identifies the one that was answered.
 */
function entryOf({ seen }: Creation, contents: Contents): Seen | undefined {
  const entries = contents.named(seen?.name);
  return entries.find((item) => item.id === seen?.id) ?? entries[0] ?? contents.numbered(seen?.id)[0];
}
