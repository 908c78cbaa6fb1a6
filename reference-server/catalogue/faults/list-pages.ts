import { inPages } from '../wrappers/pages.ts';
import type { Fault } from './fault.ts';

const PAGE = 3;

/** Faults of lists that come in pages: what the pages together lack. */
export const listPageFaults: readonly Fault[] = [
  {
    id: 'pages-skip-categories',
    description: `The list has pages of ${PAGE} categories, and between two pages a category is skipped.`,
    breaks: ['LIST-3'],
    seenIn: 'offsets that are counted from 1 on one side and from 0 on the other',
    ...inPages({ size: PAGE, firstItem: (page) => (page - 1) * (PAGE + 1) }),
  },
  {
    id: 'second-page-lacks-categories',
    description: `The list has pages of ${PAGE} categories, and the second one lacks its first two.`,
    breaks: ['LIST-3'],
    seenIn: 'a cursor that names the last category of a page and is compared with a later one',
    ...inPages({ size: PAGE, firstItem: (page) => (page - 1) * PAGE + (page === 2 ? 2 : 0) }),
  },
];
