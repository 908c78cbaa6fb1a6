import type { Statement } from './statement.ts';

/** The chapter "List categories" of the register, in the register's order. */
export const listCategories = [
  {
    id: 'LIST-1',
    chapter: 'List categories',
    level: 'MUST',
    sentence: '`GET /categories` with a valid key returns 200.',
    from: {
      section: 'list-categories',
      quote: '200: JSON array of Category objects (all categories)',
    },
    judged: 'by certify',
  },
  {
    id: 'LIST-2',
    chapter: 'List categories',
    level: 'MUST',
    sentence: 'The body of the list is a JSON array, and every item is a Category.',
    from: {
      section: 'list-categories',
      quote: '200: JSON array of Category objects (all categories)',
    },
    judged: 'by certify',
  },
  {
    id: 'LIST-3',
    chapter: 'List categories',
    level: 'MUST',
    sentence:
      'Every complete list contains each category whose creation returned 201 before, with the id, `name` and `description` of its creation (`warn`: a list within nine tenths of a window lacks it, and a later one contains it, because the specification does not say how soon a category is listed).',
    from: {
      section: 'list-categories',
      quote: '200: JSON array of Category objects (all categories)',
    },
    judged: 'by certify',
  },
  {
    id: 'LIST-4',
    chapter: 'List categories',
    level: 'OBSERVE',
    sentence: 'Pagination, filtering, ordering.',
    from: {
      section: 'list-categories',
      quote: 'Pagination, filtering and ordering of the list: not shown.',
    },
    judged: 'by certify',
  },
] as const satisfies readonly Statement[];
