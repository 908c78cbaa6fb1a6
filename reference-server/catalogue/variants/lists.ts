import { limitsOf } from '../../../spec/plans.ts';
import { categoryJson } from '../../service/categories.ts';
import { headerValues } from '../../service/message.ts';
import { cachingLists } from '../wrappers/caching.ts';
import {
  always,
  conditionalLists,
  firstItems,
  inPages,
  inTurn,
  isCreated,
  isList,
  onResponse,
  remembering,
  textOf,
  withItems,
  withLines,
} from '../wrappers/responses.ts';
import type { StatedVariants } from './variant.ts';

/** A list that is shared by the exchanges of a journal, and far longer than what is remembered of other texts. */
const MANY = 5000;

/** A list takes as long as this many requests at the rate of the Free plan. */
const INTERVALS = 3;

const PAGE = 3;

/** Lists that are long, changing, delayed or paginated. */
export const lists: StatedVariants = {
  'list-of-five-thousand': {
    topic: 'K56',
    description: `The list has ${MANY} categories from the start.`,
    seenIn: 'any service that is not new',
    wrapStore(store) {
      for (let n = 1; n <= MANY; n += 1) store.create({ name: `old-${n}` });
      return store;
    },
  },
  'list-in-changing-order': {
    topic: 'K57',
    description: 'The order of the list changes with every request.',
    seenIn: 'SELECT without ORDER BY; Go maps',
    ...inTurn(isList, (response, turn) =>
      withItems(response, (items) => {
        const from = (turn * 7) % (items.length + 1);
        return [...items.slice(from), ...items.slice(0, from)];
      }),
    ),
  },
  'others-create-and-remove': {
    topic: 'K58',
    description: 'Other clients create and delete categories between any two requests.',
    seenIn: 'any service with more than one client',
    wrapStore(store) {
      let turn = 0;
      const listed = (): string => {
        turn += 1;
        const theirs = Array.from({ length: turn % 4 }, (_, n) =>
          categoryJson({ id: BigInt(1_000_000 + turn + n), name: `theirs-${turn + n}` }),
        );
        const ours = store.listJson().slice(1, -1);
        return `[${[...theirs, ...(ours === '' ? [] : [ours])].join(',')}]`;
      };
      return { ...store, listJson: listed };
    },
  },
  'lists-of-each-key': {
    topic: 'K58',
    description: 'Each key lists only the categories that were created with it.',
    seenIn: 'services in which every customer has data of its own',
    ...remembering(always, () => {
      const creators = new Map<unknown, string | undefined>();
      return (response, request) => {
        const [key] = headerValues(request, 'Authorization');
        if (isCreated(response, request)) creators.set(JSON.parse(textOf(response)).id, key?.split(/ +/)[1]);
        if (!isList(response, request)) return response;
        return withItems(response, (items) =>
          items.filter(({ id }) => creators.get(id) === key?.split(/ +/)[1]),
        );
      };
    }),
  },
  'list-consistent-eventually': {
    topic: 'K60',
    description: 'A created category appears in the list after half a window.',
    warnings: ['LIST-3'],
    seenIn: 'read replicas, search indexes',
    ...remembering(always, ({ now, plans }) => {
      const createdAt = new Map<unknown, number>();
      const shown = ({ id }: Record<string, unknown>): boolean =>
        now() >= (createdAt.get(id) ?? 0) + (1000 * plans.minuteSeconds) / 2;
      return (response, request) => {
        if (isCreated(response, request)) createdAt.set(JSON.parse(textOf(response)).id, now());
        return isList(response, request) ? withItems(response, (items) => items.filter(shown)) : response;
      };
    }),
  },
  'conditional-lists': {
    topic: 'K84',
    description:
      'Lists have an ETag, and a request that has it already gets 304, with the rate-limit headers.',
    seenIn: 'Express, which makes ETags by default; Rack::ETag with Rack::ConditionalGet',
    ...conditionalLists((response) => response),
  },
  'cache-behind-the-limiter': {
    topic: 'K86',
    description:
      'Lists come from a cache for three seconds, with Age and X-Cache; each of them is counted, and has headers of its own.',
    warnings: ['LIST-3'],
    seenIn: 'Kong’s proxy-cache behind its rate-limiting plugin; nginx with a limiter before proxy_cache',
    ...cachingLists({
      lifetime: 1 / 20,
      lines: (age) => ({ Age: String(age), 'X-Cache': 'HIT' }),
      date: 'behind the limiter',
    }),
  },

  // Lists that have grown so long that a window holds few of them.
  'long-list-over-a-slow-link': {
    topic: 'K74',
    description:
      'The list is so long that the link carries one in the time of three requests, while every other response is short.',
    seenIn: 'a list of 50,000 categories, four megabytes, over ten megabits per second',
    // Lists share the link: each begins when the one before it has arrived.
    ...remembering(isList, ({ now, plans }) => {
      const { minuteSeconds, perMinute } = limitsOf(plans, 'free');
      const listMs = (INTERVALS * 1000 * minuteSeconds) / perMinute;
      let freeAt = 0;
      return (response) => {
        freeAt = Math.max(now(), freeAt) + listMs;
        return { ...response, delayMs: freeAt - now() };
      };
    }),
  },

  // Conforming lists that come in pages, and links that a run with a key must not follow.
  'list-in-many-pages': {
    topic: 'K59',
    description: 'Every page of the list has one category, and a Link header names the next one.',
    seenIn: 'lists that have grown to more than ten pages of the usual size',
    ...inPages({ size: 1 }),
  },
  'list-in-pages-with-whole-addresses': {
    topic: 'K59',
    description: `The list has pages of ${PAGE} categories, and the Link header has the whole address of the next one.`,
    seenIn: 'Spring HATEOAS, Django REST framework',
    ...inPages({
      size: PAGE,
      reference: (page, request) =>
        `http://${headerValues(request, 'Host')[0] ?? '127.0.0.1:8080'}/v1/categories?page=${page}`,
    }),
  },
  'list-in-pages-of-another-origin': {
    topic: 'K59',
    description: `The list has pages of ${PAGE} categories, and the next one is at another origin.`,
    inconclusive: ['LIST-3', 'CREATE-10'],
    because: 'A request to another origin would hand the key to it, so the other pages are not requested.',
    seenIn: 'services behind a proxy that write their internal address into links',
    ...inPages({ size: PAGE, reference: (page) => `http://10.1.2.3:9000/v1/categories?page=${page}` }),
  },
  'list-whose-next-page-is-itself': {
    topic: 'K59',
    description: `Every page has the first ${PAGE} categories, and a Link header to the second page.`,
    inconclusive: ['LIST-3', 'CREATE-10'],
    because: 'The pages never end, so they do not show which categories exist.',
    seenIn: 'services that ignore the query, with links that a gateway writes',
    ...onResponse(isList, (response) =>
      withLines(
        withItems(response, (items) => items.slice(0, PAGE)),
        ['Link', '</v1/categories?page=2>; rel="next"'],
      ),
    ),
  },
  'list-whose-next-page-is-a-number': {
    topic: 'K59',
    description: `The list shows its first ${PAGE} categories, and the headers count all of them and name the next page by its number.`,
    inconclusive: ['LIST-3', 'CREATE-10'],
    because: 'Only a Link names a page so that it can be requested.',
    seenIn: 'the X-Total and X-Next-Page of GitLab, behind a gateway that passes no Link on',
    ...onResponse(isList, (response) => {
      const { shown, all } = firstItems(response, PAGE);
      return withLines(shown, ['X-Total', `${all}`], ['X-Next-Page', all > PAGE ? '2' : '']);
    }),
  },
};
