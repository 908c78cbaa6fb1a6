import type { Seams } from '../../reference-server/seams.ts';
import type { NewCategory } from '../../reference-server/service/categories.ts';
import { onResponse, showsCategories, textOf, withText } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Create a category": texts that are changed, both in the 201 response and in the list. */
export const texts: readonly Fault[] = [
  {
    id: 'four-byte-characters-lost',
    description: 'Characters that take four bytes in UTF-8, such as emoji, become question marks.',
    breaks: ['CREATE-3', 'LIST-3'],
    seenIn: 'MySQL’s utf8, which stores three bytes per character, in its lax mode',
    ...changingTexts((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
  },
  {
    id: 'texts-escaped-for-html',
    description: 'Texts are stored with HTML escapes: & becomes &amp;.',
    breaks: ['CREATE-3', 'LIST-3'],
    seenIn: 'htmlspecialchars on every input, in PHP programs that also serve pages',
    ...changingTexts((text) =>
      text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#039;'),
    ),
  },
  {
    id: 'digits-become-numbers',
    description: 'A description that consists of digits is returned as a number.',
    breaks: ['CAT-3', 'LIST-2'],
    seenIn: 'PHP’s JSON_NUMERIC_CHECK; YAML and spreadsheets between the database and the client',
    ...onResponse(showsCategories, (response) =>
      withText(
        response,
        textOf(response).replaceAll(
          /"description":"(\d+)"/g,
          (_, digits) => `"description":${Number(digits)}`,
        ),
      ),
    ),
  },
];

/** Changes the texts of every category before it is stored. */
function changingTexts(change: (text: string) => string): Seams {
  return {
    wrapStore: (store) => ({
      ...store,
      create: ({ name, description }: NewCategory) =>
        store.create({
          name: change(name),
          ...(description === undefined ? {} : { description: change(description) }),
        }),
    }),
  };
}
