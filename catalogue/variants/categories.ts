import type { Seams } from '../../reference-server/seams.ts';
import type { Reply } from '../faults/answers.ts';
import {
  isCreated,
  isList,
  mapIds,
  onReply,
  plus,
  showsCategories,
  textOf,
  withItems,
  withJson,
  withText,
} from '../faults/answers.ts';
import { rejecting } from './bounds.ts';
import type { Variant } from './variant.ts';
import { conforms, warnedOf } from './variant.ts';

/** The least whole number that a double cannot hold. */
const BEYOND_DOUBLES = 9_007_199_254_740_993n;

/** Lawful categories, ids and names. */
export const categories: readonly Variant[] = [
  {
    id: 'extra-fields',
    row: 'K42',
    says: 'Categories and Errors have further fields.',
    deserves: conforms,
    seen: 'createdAt and requestId, in most services',
    ...onReply(
      (reply) => reply.status < 500,
      (reply, request) =>
        isList(reply, request)
          ? withItems(reply, (items) => items.map(stamped))
          : withJson(reply, (json) => ({ ...stamped(json), details: [], requestId: 'r-1' })),
    ),
  },
  {
    id: 'description-empty',
    row: 'K44',
    says: 'A category without a description shows an empty one.',
    deserves: conforms,
    seen: 'Go structs without omitempty, protobuf JSON with default values',
    ...describedAs(''),
  },
  {
    id: 'description-null',
    row: 'K45',
    says: 'A category without a description shows null.',
    deserves: warnedOf('CAT-3'),
    seen: 'Jackson, System.Text.Json and Pydantic defaults',
    ...describedAs(null),
  },
  {
    id: 'ids-beyond-doubles',
    row: 'K46',
    says: 'Ids are larger than 2^53, where a double rounds them.',
    deserves: conforms,
    seen: 'snowflake ids (Twitter, Discord)',
    ...numbered((id) => String(BEYOND_DOUBLES + 2n * id)),
  },
  {
    id: 'ids-anywhere',
    row: 'K47',
    says: 'Ids are negative, zero and positive, far apart and in no order.',
    deserves: conforms,
    seen: 'CockroachDB’s unordered ids; random int64 keys',
    ...numbered((id) => String((id - 1n) * 7_000_000_000_000_003n * (id % 2n === 0n ? -1n : 1n))),
  },
  {
    id: 'ids-with-a-fraction',
    row: 'K48',
    says: 'Ids are whole numbers that are written 1.0, 2.0 and so on.',
    deserves: warnedOf('CAT-1'),
    seen: 'Lua and PHP programs whose numbers are doubles',
    ...numbered((id) => `${id}.0`),
  },
  {
    id: 'ids-with-an-exponent',
    row: 'K48',
    says: 'Ids are whole numbers that are written 1e3, 2e3 and so on.',
    deserves: warnedOf('CAT-1'),
    seen: 'printf("%g") in the database’s driver',
    ...numbered((id) => `${id}e3`),
  },
  {
    id: 'names-trimmed',
    row: 'K62',
    says: 'White space around a name is cut off before it is kept.',
    deserves: conforms,
    seen: 'Django’s CharField, Rails’ strip_attributes',
    wrapStore: (store) => ({
      ...store,
      create: (category) => store.create({ ...category, name: category.name.trim() }),
    }),
  },
  {
    id: 'names-not-empty',
    row: 'K64',
    says: 'An empty or a blank name is answered 400.',
    deserves: conforms,
    seen: 'required in Rails, Laravel and Django, which mean "not blank" by it',
    ...rejecting(400, ({ name }) => name.trim() === ''),
  },
  {
    id: 'created-with-location',
    row: 'K66',
    says: 'A 201 says with Location where the category would be.',
    deserves: conforms,
    seen: 'RFC 9110 §15.3.2; JAX-RS, Spring, ASP.NET Core',
    ...onReply(isCreated, (reply) => plus(reply, ['Location', `/v1/categories/${idOf(reply)}`])),
  },
];

const idOf = (reply: Reply): string => /"id":(-?\d+)/.exec(textOf(reply))?.[1] ?? '';

const stamped = (json: Record<string, unknown>): Record<string, unknown> => ({
  ...json,
  createdAt: '2026-11-21T00:00:00Z',
});

function describedAs(none: string | null): Seams {
  const described = (category: Record<string, unknown>) => ({ description: none, ...category });
  return onReply(showsCategories, (reply) =>
    reply.status === 201 ? withJson(reply, described) : withItems(reply, (items) => items.map(described)),
  );
}

/** Writes every id otherwise. */
function numbered(write: (id: bigint) => string): Seams {
  return onReply(showsCategories, (reply) =>
    withText(
      reply,
      mapIds(textOf(reply), (id) => write(BigInt(id))),
    ),
  );
}
