import type { Statement } from './statement.ts';

/** The chapter "List categories" of the register, in the register's order. */
export const listCategories = [
  {
    id: 'LIST-1',
    chapter: 'List categories',
    level: 'MUST',
    sentence: '`GET /categories` with a valid key answers 200.',
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
    sentence: 'The body is a JSON array, and every item is a Category.',
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
      'The list holds all categories: one that was created earlier in the run is in it, with the same id, name and description (in a later list of the run but not in the first one after the creation: `warn`, the specification promises no instant).',
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
