import type { Seams } from '../../seams.ts';
import type { Applies } from '../wrappers/responses.ts';
import {
  changingCategories,
  changingHeader,
  changingItems,
  changingJson,
  changingText,
  isCreated,
  showsCategories,
  writingIds,
} from '../wrappers/responses.ts';
import { changingDescriptions, changingNames, changingTexts } from '../wrappers/storing.ts';
import type { StatedFaults } from './fault.ts';

const isDeprecated: Applies = ({ headers }) => headers.some(([name]) => name === 'Deprecation');

/** Faults of texts that are changed: in the 201 response and in the list, or in the list alone. */
export const categories: StatedFaults = {
  'four-byte-characters-lost': {
    description: 'Characters that take four bytes in UTF-8, such as emoji, become question marks.',
    breaks: ['CREATE-3'],
    seenIn: 'MySQL’s utf8, which stores three bytes per character, in its lax mode',
    ...changingTexts((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
  },
  'texts-escaped-for-html': {
    description: 'Texts are stored with HTML escapes: & becomes &amp;.',
    breaks: ['CREATE-3'],
    seenIn: 'htmlspecialchars on every input, in PHP programs that also serve pages',
    ...changingTexts((text) =>
      text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#039;'),
    ),
  },
  'names-lower-cased': {
    description: 'Names are stored in lower case.',
    breaks: ['CREATE-3'],
    seenIn: 'toLowerCase before the insert, for a unique index that ignores case',
    ...changingNames((name) => name.toLowerCase()),
  },
  'names-without-accents': {
    description: 'Names are stored without accents.',
    breaks: ['CREATE-3'],
    seenIn: 'PostgreSQL’s unaccent, Unidecode and slugify on the stored value',
    ...changingNames((name) => name.normalize('NFD').replace(/\p{M}/gu, '')),
  },
  'quotes-doubled': {
    description: 'Apostrophes are doubled.',
    breaks: ['CREATE-3'],
    seenIn: 'SQL escaping by hand in front of a driver that binds parameters',
    ...changingTexts((text) => text.replaceAll("'", "''")),
  },
  'angle-brackets-escaped': {
    description: 'In descriptions < becomes &lt;.',
    breaks: ['CREATE-3'],
    seenIn: 'template engines that render the JSON of a response',
    ...changingDescriptions((description) => description.replaceAll('<', '&lt;')),
  },
  'empty-descriptions-vanish': {
    description: 'An empty description is stored as none.',
    breaks: ['CREATE-3'],
    seenIn: 'Laravel’s ConvertEmptyStringsToNull; Go’s omitempty',
    ...changingDescriptions((description) => (description === '' ? undefined : description)),
  },
  'list-without-empty-descriptions': {
    description: 'The list omits a description that is empty; the 201 response shows it.',
    breaks: ['CAT-4', 'LIST-3'],
    seenIn: 'two serializers, one of which omits empty fields; Oracle, which stores the empty string as NULL',
    ...changingItems((items) =>
      items.map(({ description, ...item }) =>
        description === undefined || description === '' ? item : { ...item, description },
      ),
    ),
  },
  'descriptions-truncated': {
    description: 'Descriptions are cut after 255 characters.',
    breaks: ['CREATE-3'],
    seenIn: 'MySQL’s VARCHAR(255) in its lax mode',
    ...changingDescriptions((description) => [...description].slice(0, 255).join('')),
  },
  'long-names-truncated': {
    description: 'Names are cut after 64 characters.',
    warnings: ['CREATE-3'],
    seenIn: 'MySQL’s VARCHAR(64) in its lax mode; substring() before an insert',
    ...changingNames((name) => [...name].slice(0, 64).join('')),
  },
  'leading-zeros-lost': {
    description: 'A description that consists of digits loses its leading zeros.',
    breaks: ['CREATE-3'],
    seenIn:
      'columns without a type in SQLite; spreadsheets; form readers that convert what looks like a number',
    ...changingDescriptions((description) => description.replace(/^0+(?=[0-9]+$)/, '')),
  },
  'digits-become-numbers': {
    description: 'A description that consists of digits is returned as a number.',
    breaks: ['CREATE-3', 'CAT-3', 'LIST-2'],
    seenIn: 'PHP’s JSON_NUMERIC_CHECK; YAML and spreadsheets between the database and the client',
    ...changingText(showsCategories, (text) =>
      text.replaceAll(/"description":"(\d+)"/g, (_, digits) => `"description":${Number(digits)}`),
    ),
  },
  'date-becomes-a-moment': {
    description: 'A description that is a date comes back with a time.',
    breaks: ['CREATE-3'],
    seenIn: 'revivers of JSON that make a Date of every text that looks like one; YAML',
    ...changingDescriptions((description) =>
      description.replace(/^\d{4}-\d\d-\d\d$/, (date) => `${date}T00:00:00.000Z`),
    ),
  },

  // Faults of the chapter "Version and deprecation". VER-1 is about the address and VER-2 about a published document, so no response can violate them.
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
  'sunset-as-timestamp': {
    description: 'Sunset is written like Deprecation, as "@" and a Unix timestamp.',
    warnings: ['DEP-1'],
    seenIn:
      'one function that writes both dates, although their formats differ (RFC 8594 requires an HTTP-date)',
    ...changingHeader(isDeprecated, 'Sunset', () => '@1861919999'),
  },

  // Faults of the chapter "Category and Error schemas": categories.
  'id-as-string': {
    description: 'Every id is a string.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seenIn: 'the usual workaround for int64 in JavaScript; the JSON mapping of Protocol Buffers',
    ...writingIds((id) => `"${id}"`),
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
    ...writingIds((id) => String(2n ** 63n + id)),
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
    ...changingCategories((category) => ({ description: null, ...category })),
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
};

/** Adds an item at the start of the list. */
function listing(item: Readonly<Record<string, unknown>>): Seams {
  return changingItems((items) => [item, ...items]);
}
