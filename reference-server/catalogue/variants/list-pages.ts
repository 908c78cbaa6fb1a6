import { headerValues } from '../../service/message.ts';
import { inPages } from '../wrappers/pages.ts';
import { isList, onResponse, withItems, withLines } from '../wrappers/responses.ts';
import type { Variant } from './variant.ts';
import { conforms, incomplete } from './variant.ts';

const PAGE = 3;

/** Conforming lists that come in pages, and links that a run with a key must not follow. */
export const listPages: readonly Variant[] = [
  {
    id: 'list-in-pages',
    topic: 'K59',
    description: `The list has pages of ${PAGE} categories, and a Link header names the next one.`,
    expected: conforms,
    seenIn: 'GitHub, GitLab, every list that has grown',
    ...inPages({ size: PAGE }),
  },
  {
    id: 'list-in-many-pages',
    topic: 'K59',
    description: 'Every page of the list has one category, and a Link header names the next one.',
    expected: conforms,
    seenIn: 'lists that have grown to more than ten pages of the usual size',
    ...inPages({ size: 1 }),
  },
  {
    id: 'list-in-pages-with-whole-addresses',
    topic: 'K59',
    description: `The list has pages of ${PAGE} categories, and the Link header has the whole address of the next one.`,
    expected: conforms,
    seenIn: 'Spring HATEOAS, Django REST framework',
    ...inPages({
      size: PAGE,
      reference: (page, request) =>
        `http://${headerValues(request, 'Host')[0] ?? '127.0.0.1:8080'}/v1/categories?page=${page}`,
    }),
  },
  {
    id: 'list-in-pages-of-another-origin',
    topic: 'K59',
    description: `The list has pages of ${PAGE} categories, and the next one is at another origin.`,
    expected: incomplete(
      'A request to another origin would hand the key to it, so the other pages are not requested.',
      ['LIST-3', 'CREATE-10'],
    ),
    seenIn: 'services behind a proxy that write their internal address into links',
    ...inPages({ size: PAGE, reference: (page) => `http://10.1.2.3:9000/v1/categories?page=${page}` }),
  },
  {
    id: 'list-whose-next-page-is-itself',
    topic: 'K59',
    description: `Every page has the first ${PAGE} categories, and a Link header to the second page.`,
    expected: incomplete('The pages never end, so they do not show which categories exist.', [
      'LIST-3',
      'CREATE-10',
    ]),
    seenIn: 'services that ignore the query, with links that a gateway writes',
    ...onResponse(isList, (response) =>
      withLines(
        withItems(response, (items) => items.slice(0, PAGE)),
        ['Link', '</v1/categories?page=2>; rel="next"'],
      ),
    ),
  },
];
