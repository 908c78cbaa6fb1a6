import type { Seams } from '../../reference-server/seams.ts';
import {
  isCreated,
  isList,
  mapIds,
  onResponse,
  showsCategories,
  textOf,
  withItems,
  withJson,
  withText,
} from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Category and Error schemas": categories. */
export const schemas: readonly Fault[] = [
  {
    id: 'id-as-string',
    description: 'Every id is a string.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'the usual workaround for int64 in JavaScript; Protocol Buffers’ own JSON mapping',
    ...writingIds((id) => `"${id}"`),
  },
  {
    id: 'id-with-fraction',
    description: 'Every id has a fraction.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'ids made of a clock in fractions of a second',
    ...writingIds((id) => `${id}.5`),
  },
  {
    id: 'id-with-fraction-beyond-doubles',
    description: 'Every id has a fraction that a double rounds off.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'decimal columns of many places, as PostgreSQL’s numeric',
    ...writingIds((id) => `${id}.0000000000000000001`),
  },
  {
    id: 'id-that-underflows',
    description: 'Every id is a fraction so small that a double holds it as 0.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'arbitrary-precision decimals printed as they are, Java’s BigDecimal among them',
    ...writingIds((id) => `${id}e-9999999999`),
  },
  {
    id: 'id-that-overflows',
    description: 'Every id is a whole number with an exponent that no double holds.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'arbitrary-precision decimals printed as they are, Java’s BigDecimal among them',
    ...writingIds((id) => `${id}e9999999999`),
  },
  {
    id: 'id-beyond-int64',
    description: 'Every id lies beyond the int64 range.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'unsigned 64-bit ids, hashes used as ids',
    ...writingIds((id) => String(2n ** 63n + BigInt(id))),
  },
  {
    id: 'old-item-without-id',
    description: 'One old item of the list has an id of null.',
    breaks: ['CAT-1', 'LIST-2'],
    seenIn: 'rows from before a migration',
    ...listing({ id: null, name: 'legacy' }),
  },
  {
    id: 'old-item-without-name',
    description: 'One old item of the list has no name.',
    breaks: ['CAT-2', 'LIST-2'],
    seenIn: 'rows from before a migration',
    ...listing({ id: 0, title: 'legacy' }),
  },
  {
    id: 'old-item-with-null-name',
    description: 'One old item of the list has a name of null.',
    breaks: ['CAT-2', 'LIST-2'],
    seenIn: 'rows from before a migration',
    ...listing({ id: 0, name: null }),
  },
  {
    id: 'old-item-with-other-description',
    description: 'One old item of the list has a description that is an object.',
    breaks: ['CAT-3', 'LIST-2'],
    seenIn: 'rows from before a migration',
    ...listing({ id: 0, name: 'legacy', description: { en: 'old' } }),
  },
  {
    id: 'null-description',
    description: 'A description that was not sent is null.',
    breaks: [],
    warnings: ['CAT-3'],
    seenIn: 'schemathesis#899, open-education-api#394; most serialisers by default',
    ...onResponse(showsCategories, (response) => {
      const full = (category: Record<string, unknown>) => ({ description: null, ...category });
      return response.status === 201
        ? withJson(response, full)
        : withItems(response, (items) => items.map(full));
    }),
  },
  {
    id: 'id-written-as-float',
    description: 'Every id is written with a fraction of zero: 7.0.',
    breaks: [],
    warnings: ['CAT-1'],
    seenIn: 'Lua, PHP and Gson, where every number may be a double',
    ...writingIds((id) => `${id}.0`),
  },
  {
    id: 'created-without-id',
    description: 'A 201 has no id; the list has it.',
    breaks: ['CREATE-3', 'CAT-1'],
    seenIn: 'the object that was sent given back, before the database has assigned anything',
    ...onResponse(isCreated, (response) => withJson(response, ({ id: _, ...rest }) => rest)),
  },
  {
    id: 'old-item-with-numeric-name',
    description: 'One old item of the list has a number as its name.',
    breaks: ['CAT-2', 'LIST-2'],
    seenIn: 'SQLite, which keeps a number in a column of text',
    ...listing({ id: 0, name: 1984 }),
  },
  {
    id: 'id-of-other-item-changes',
    description: 'The ids of the list are its places, and not those of the 201s.',
    breaks: ['LIST-3', 'CAT-4'],
    seenIn: 'row numbers of a query taken for keys',
    ...onResponse(isList, (response) =>
      withItems(response, (items) => items.map((item, index) => ({ ...item, id: 1000 + index }))),
    ),
  },
];

function writingIds(write: (id: string) => string): Seams {
  return onResponse(showsCategories, (response) => withText(response, mapIds(textOf(response), write)));
}

/** Shows one more item in the first place of the list. */
function listing(item: Readonly<Record<string, unknown>>): Seams {
  return onResponse(isList, (response) => withItems(response, (items) => [item, ...items]));
}
