import type { Seams } from '../../seams.ts';
import type { Applies } from '../wrappers/responses.ts';
import {
  changingHeader,
  changingItems,
  changingJson,
  isCreated,
  onResponse,
  showsCategories,
  withItems,
  withJson,
  writingIds,
} from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

const isDeprecated: Applies = ({ headers }) => headers.some(([name]) => name === 'Deprecation');

/**
 * Faults of the chapter "Version and deprecation". VER-1 is about the address
 * and VER-2 about a published document, so no response can violate them.
 */
export const versionAndDeprecation: StatedFaults = {
  'deprecation-true': {
    description: 'Deprecation is "true" instead of a date.',
    warnings: ['DEP-1'],
    seenIn: 'SasanLabs/VulnerableApp#770, zalando#844: an expired draft of RFC 9745',
    ...changingHeader(isDeprecated, 'Deprecation', () => 'true'),
  },
  'sunset-before-deprecation': {
    description: 'Sunset is before Deprecation.',
    warnings: ['DEP-1'],
    seenIn: 'dates maintained by two teams (RFC 9745 §4 forbids it)',
    ...changingHeader(isDeprecated, 'Sunset', () => 'Wed, 01 Jan 2025 00:00:00 GMT'),
  },
  'deprecation-as-http-date': {
    description: 'Deprecation is an HTTP-date.',
    warnings: ['DEP-1'],
    seenIn: 'the first drafts of RFC 9745, still in many gateways',
    ...changingHeader(isDeprecated, 'Deprecation', () => 'Sun, 11 Nov 2018 23:59:59 GMT'),
  },
  'sunset-as-timestamp': {
    description: 'Sunset is written like Deprecation, as "@" and a Unix timestamp.',
    warnings: ['DEP-1'],
    seenIn:
      'one function that writes both dates, although their formats differ (RFC 8594 requires an HTTP-date)',
    ...changingHeader(isDeprecated, 'Sunset', () => '@1861919999'),
  },
};

/** Faults of the chapter "Category and Error schemas": categories. */
export const schemas: StatedFaults = {
  'id-as-string': {
    description: 'Every id is a string.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'the usual workaround for int64 in JavaScript; the JSON mapping of Protocol Buffers',
    ...writingIds((id) => `"${id}"`),
  },
  'id-with-fraction': {
    description: 'Every id has a fraction.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'ids derived from a clock in fractions of a second',
    ...writingIds((id) => `${id}.5`),
  },
  'id-with-fraction-beyond-doubles': {
    description: 'Every id has a fraction that is lost when it is read as a double.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'decimal columns with many digits, such as PostgreSQL’s numeric',
    ...writingIds((id) => `${id}.0000000000000000001`),
  },
  'id-that-underflows': {
    description: 'Every id is a fraction so small that a double reads it as 0.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'arbitrary-precision decimals printed unchanged, such as Java’s BigDecimal',
    ...writingIds((id) => `${id}e-9999999999`),
  },
  'id-that-overflows': {
    description: 'Every id is a whole number with an exponent too large for a double.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'arbitrary-precision decimals printed unchanged, such as Java’s BigDecimal',
    ...writingIds((id) => `${id}e9999999999`),
  },
  'id-beyond-int64': {
    description: 'Every id is beyond the int64 range.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'unsigned 64-bit ids; hashes used as ids',
    ...writingIds((id) => String(2n ** 63n + BigInt(id))),
  },
  'old-item-without-id': {
    description: 'One old item of the list has a null id.',
    breaks: ['CAT-1', 'LIST-2'],
    seenIn: 'rows from before a migration',
    ...listing({ id: null, name: 'legacy' }),
  },
  'old-item-without-name': {
    description: 'One old item of the list has no name.',
    breaks: ['CAT-2', 'LIST-2'],
    seenIn: 'rows from before a migration',
    ...listing({ id: 0, title: 'legacy' }),
  },
  'old-item-with-null-name': {
    description: 'One old item of the list has a null name.',
    breaks: ['CAT-2', 'LIST-2'],
    seenIn: 'rows from before a migration',
    ...listing({ id: 0, name: null }),
  },
  'old-item-with-other-description': {
    description: 'One old item of the list has a description that is an object.',
    breaks: ['CAT-3', 'LIST-2'],
    seenIn: 'rows from before a migration',
    ...listing({ id: 0, name: 'legacy', description: { en: 'old' } }),
  },
  'null-description': {
    description: 'A description that was not sent is null.',
    warnings: ['CAT-3'],
    seenIn: 'schemathesis#899, open-education-api#394; most serializers by default',
    ...onResponse(showsCategories, (response) => {
      const full = (category: Record<string, unknown>) => ({ description: null, ...category });
      return response.status === 201
        ? withJson(response, full)
        : withItems(response, (items) => items.map(full));
    }),
  },
  'id-written-as-float': {
    description: 'Every id is written with a fraction of zero: 7.0.',
    warnings: ['CAT-1'],
    seenIn: 'Lua, PHP and Gson, where any number may be a double',
    ...writingIds((id) => `${id}.0`),
  },
  'created-without-id': {
    description: 'A 201 response has no id; the list has it.',
    breaks: ['CREATE-3', 'CAT-1'],
    seenIn: 'handlers that return the object that was sent, before the database has assigned an id',
    ...changingJson(isCreated, ({ id: _, ...rest }) => rest),
  },
  'old-item-with-numeric-name': {
    description: 'The name of one old item of the list is a number.',
    breaks: ['CAT-2', 'LIST-2'],
    seenIn: 'SQLite, which stores a number in a text column',
    ...listing({ id: 0, name: 1984 }),
  },
  'id-of-other-item-changes': {
    description: 'The ids in the list are positions, not the ids of the 201 responses.',
    breaks: ['LIST-3', 'CAT-4'],
    seenIn: 'row numbers of a query used as keys',
    ...changingItems((items) => items.map((item, index) => ({ ...item, id: 1000 + index }))),
  },
};

/** Adds an item at the start of the list. */
function listing(item: Readonly<Record<string, unknown>>): Seams {
  return changingItems((items) => [item, ...items]);
}
