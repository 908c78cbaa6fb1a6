import { headerValues } from '../../service/message.ts';
import { conditionalLists } from '../wrappers/conditional.ts';
import { isList, onResponse, withoutHeaders, withText, withType } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

/** Faults that show only to requests as browsers and caches send them. */
export const furtherRequests: readonly Fault[] = [
  {
    id: 'page-for-browsers',
    description: 'A request that accepts text/html gets the list as a page.',
    breaks: [],
    warnings: ['MEDIA-1'],
    seenIn: 'the browsable API of Django REST framework, its default; ServiceStack',
    ...onResponse(
      (response, request) =>
        isList(response, request) &&
        headerValues(request, 'Accept').some((types) => types.includes('text/html')),
      (response) =>
        withType(withText(response, '<!doctype html><h1>Categories</h1>'), 'text/html; charset=utf-8'),
    ),
  },
  {
    id: 'not-modified-without-headers',
    description: 'A 304 to a conditional list has no rate-limit headers.',
    breaks: [],
    warnings: ['RATE-1'],
    seenIn: 'the etag middleware of Hono and ConditionalGetMiddleware of Django, which make the 304 anew',
    ...conditionalLists((response) =>
      withoutHeaders(response, 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'),
    ),
  },
];
