import type { Seams } from '../../seams.ts';
import type { NewCategory } from '../../service/categories.ts';
import { changingItems, changingText, showsCategories } from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** Faults of texts that are changed: in the 201 response and in the list, or in the list alone. */
export const texts: StatedFaults = {
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
  'names-escaped-for-html': {
    description: 'Names are stored with HTML escapes: < becomes &lt;.',
    breaks: ['CREATE-3'],
    seenIn: 'sanitizers such as bluemonday and FILTER_SANITIZE_SPECIAL_CHARS on fields meant for display',
    ...changingNames((name) =>
      name
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&#34;')
        .replaceAll("'", '&#39;'),
    ),
  },
  'names-without-tags': {
    description: 'What looks like an HTML tag is removed from names.',
    breaks: ['CREATE-3'],
    seenIn: 'PHP’s strip_tags on every input',
    ...changingNames((name) => name.replace(/<[^>]*>/g, '')),
  },
  'names-lower-cased': {
    description: 'Names are stored in lower case.',
    breaks: ['CREATE-3'],
    seenIn: 'toLowerCase before the insert, for a unique index that ignores case',
    ...changingNames((name) => name.toLowerCase()),
  },
  'names-read-as-latin-1': {
    description: 'Names are read as Latin-1 although they are UTF-8.',
    breaks: ['CREATE-3'],
    seenIn: 'Servlet containers without CharacterEncodingFilter, where the Content-Type has no charset',
    ...changingNames((name) => Buffer.from(name, 'utf8').toString('latin1')),
  },
  'names-normalized-to-nfd': {
    description: 'Names are stored in the normalization form NFD.',
    breaks: ['CREATE-3'],
    seenIn: 'file systems of Apple, whose file names serve as the store; unaccent pipelines',
    ...changingNames((name) => name.normalize('NFD')),
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
  'list-escapes-names': {
    description: 'The list shows names with HTML escapes; the 201 response shows them as sent.',
    breaks: ['CAT-4', 'LIST-3'],
    seenIn: 'lists rendered by a template with automatic escapes',
    ...changingItems((items) =>
      items.map((item) => ({ ...item, name: String(item['name']).replaceAll('<', '&lt;') })),
    ),
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
  'json-texts-parsed': {
    description: 'A description that is a number of JSON is returned as that number.',
    breaks: ['CAT-3', 'LIST-2'],
    seenIn: 'caches and columns of JSON whose values are parsed once more when they are read',
    ...changingText(showsCategories, (text) =>
      text.replaceAll(/"description":"((?:0|[1-9]\d*)\.\d+)"/g, '"description":$1'),
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
};

/** Changes every category before it is stored. */
function changing(change: (category: NewCategory) => NewCategory): Seams {
  return { wrapStore: (store) => ({ ...store, create: (category) => store.create(change(category)) }) };
}

function changingNames(change: (name: string) => string): Seams {
  return changing((category) => ({ ...category, name: change(category.name) }));
}

function changingDescriptions(change: (description: string) => string | undefined): Seams {
  return changing(({ name, description }) => {
    const changed = description === undefined ? undefined : change(description);
    return changed === undefined ? { name } : { name, description: changed };
  });
}

/** Changes names and descriptions. */
function changingTexts(change: (text: string) => string): Seams {
  return changing(({ name, description }) => ({
    name: change(name),
    ...(description === undefined ? {} : { description: change(description) }),
  }));
}
