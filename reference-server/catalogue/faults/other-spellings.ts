import type { Seams } from '../../seams.ts';
import { composed } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import { acceptingLike, authenticating, bearerOf, isBare } from '../wrappers/authenticating.ts';
import { edited, editing, fieldsOf, hasStatus, onResponse, unauthorized } from '../wrappers/responses.ts';
import { misplacedKey, similarKey } from './authentication.ts';
import type { StatedFault, StatedFaults } from './fault.ts';

const SESSION = 'session=5f2b1c';

/** What a response without a key has, and one with a key has not. */
const CHALLENGE = ['WWW-Authenticate'];

/** Faults of the chapter "Authentication": what is closed under `/categories` and open under another spelling, method or token. */
export const otherSpellings: StatedFaults = {
  'slash-at-end-open': spelled(
    'The list and creations need no key at /categories/.',
    /^\/v1\/categories\/$/,
    {
      seenIn: 'Spring Security’s antMatchers("/categories") before Spring 6, whose router ignored the slash',
    },
  ),
  'two-slashes-open': spelled('The list and creations need no key at //categories.', /^\/v1\/\/categories$/, {
    seenIn: 'Envoy and Istio without merge_slashes (CVE-2021-31920); Go’s ServeMux behind a filter by prefix',
  }),
  'other-case-open': spelled(
    'The list and creations need no key at /Categories and /CATEGORIES.',
    /^\/v1\/(Categories|CATEGORIES)$/,
    { seenIn: 'Express, whose router ignores case, behind a middleware that compares req.path' },
  ),
  'percent-encoded-path-open': spelled(
    'The list and creations need no key at /%63ategories.',
    /^\/v1\/%63ategories$/,
    { seenIn: 'filters that compare the raw path in front of a router that decodes it (CVE-2022-32532)' },
  ),
  'path-parameter-open': spelled(
    'The list and creations need no key at /categories;a=b.',
    /^\/v1\/categories;/,
    { seenIn: 'Apache Shiro in front of Spring (CVE-2020-1957), and filters in front of Tomcat' },
  ),
  'query-open': spelled('The list needs no key where the request has a query.', /^\/v1\/categories\?a=b$/, {
    method: 'GET',
    seenIn: 'filters that compare the whole target with the paths that they protect',
  }),
  'dot-segment-open': spelled('The list needs no key at /./categories.', /^\/v1\/(\.|%2e)\/categories$/, {
    method: 'GET',
    seenIn: 'proxies that authenticate before they remove dot segments (RFC 3986 §5.2.4)',
  }),
  'method-override-open': {
    description: 'A POST whose header X-HTTP-Method-Override says GET lists without a key.',
    breaks: ['AUTH-1'],
    seenIn: 'Express’s method-override and Rack::MethodOverride, mounted behind the check of the method',
    ...serving((request) => request.method === 'POST' && overrides(request, 'GET') && isBare(request)),
  },
  'preflight-override-open': {
    description: 'An OPTIONS request whose header X-HTTP-Method-Override says POST creates without a key.',
    breaks: ['AUTH-1'],
    seenIn: 'middleware that lets OPTIONS pass for CORS, in front of a router that overrides the method',
    ...creating((request) => request.method === 'OPTIONS' && overrides(request, 'POST')),
  },
  'head-open': {
    description: 'HEAD returns 200 without a key.',
    warnings: ['AUTH-1'],
    seenIn: 'middleware that is bound to GET and POST, in frameworks that answer HEAD by themselves',
    ...editing(
      unauthorized(({ method }) => method === 'HEAD'),
      { status: 200, text: '', without: CHALLENGE },
    ),
  },
  'wildcard-key-accepted': {
    description: 'The keys "*" and "%" are accepted.',
    breaks: ['AUTH-2'],
    seenIn: 'keys looked up with LIKE, or with the pattern of a cache (Redis’s KEYS)',
    ...acceptingLike((token) => ['*', '%'].includes(token)),
  },
  'prototype-key-accepted': {
    description: 'The keys "__proto__" and "constructor" are accepted.',
    breaks: ['AUTH-2'],
    seenIn: 'keys in an object of JavaScript: if (KEYS[token])',
    ...acceptingLike((token) => ['__proto__', 'constructor'].includes(token)),
  },
  'null-key-accepted': {
    description: 'The keys "null" and "undefined" are accepted.',
    breaks: ['AUTH-2'],
    seenIn: 'clients that send a missing key as a text, and services that made an exception for them',
    ...acceptingLike((token) => ['null', 'undefined'].includes(token)),
  },
  'percent-encoded-key-accepted': similarKey('A percent-encoded key is accepted.', {
    seenIn: 'one function that reads tokens from the query and from Authorization, and decodes both',
    like: (token, key) => /^(%[0-9a-f]{2})+$/i.test(token) && decodeURIComponent(token) === key,
  }),
  'half-key-accepted': similarKey('The first half of a key is accepted.', {
    seenIn: 'keys looked up by the prefix that is stored in clear beside their hash',
    like: (token, key) => key.slice(0, Math.ceil(key.length / 2)) === token,
  }),
  'half-key-with-wildcard-accepted': similarKey('A part of a key and "%" is accepted.', {
    seenIn: 'keys looked up with LIKE in the belief that it compares without case alone',
    like: (token, key) => /^.{8,}%$/.test(token) && key.startsWith(token.slice(0, -1)),
  }),
  'forwarded-authorization-accepted': misplacedKey('The key is accepted in X-Forwarded-Authorization.', {
    seenIn: 'services behind a proxy that replaces Authorization by its own, reached without the proxy',
    find: (request) => headerPart(request, 'X-Forwarded-Authorization', /^Bearer (.*)/),
  }),
  'scheme-of-six-letters-accepted': misplacedKey('The key is accepted after any six letters and a space.', {
    seenIn: 'header.substring(7): code that skips the length of "Bearer " without reading it',
    find: (request) => headerPart(request, 'Authorization', /^[a-z]{6} (.*)/i),
  }),
  'bearer-searched-for': misplacedKey(
    'The key is accepted where "Bearer" and a blank come anywhere before it.',
    {
      seenIn: 'a pattern without an anchor, such as /Bearer (\\S+)/ with String#[] of Ruby',
      find: (request) => headerPart(request, 'Authorization', /Bearer (\S+)/),
    },
  ),
  'session-cookie-accepted': {
    description: 'Responses set a session cookie, which is accepted in the place of the key.',
    breaks: ['AUTH-4'],
    seenIn: 'Passport, Devise and Spring Security with sessions that were left on for the API',
    ...authenticating((request) => headerValues(request, 'Cookie').some((line) => line.includes(SESSION))),
    ...editing(hasStatus(200, 201), { lines: { 'Set-Cookie': `${SESSION}; Path=/; HttpOnly` } }),
  },
  'key-without-prefix-accepted': similarKey('A key is accepted without the words that it begins with.', {
    seenIn: 'services that cut sk_test_ off before the lookup, whether it is there or not',
    like: (token, key) => key.replace(/^([a-z]+[_-])+/i, '') === token,
  }),
  'query-key-creates': misplacedKey(
    'A creation, and no other operation, accepts the key in the query string.',
    {
      seenIn: 'webhooks and forms that cannot set headers, for which one route made an exception',
      find: (request) => (request.method === 'POST' ? queryValues(request) : []),
    },
  ),
  'body-key-creates': misplacedKey('A creation accepts the key as a member of its body.', {
    seenIn: 'RPC interfaces with an api_key in every request; RFC 6750 §2.2 in JSON',
    find: (request) => (request.method === 'POST' ? [String(fieldsOf(request)['api_key'])] : []),
  }),
  'extended-key-creates': {
    description: 'A creation, and no other operation, accepts a key with extra characters at its end.',
    breaks: ['AUTH-3'],
    seenIn: 'two generations of handlers, of which one looks keys up by the width of a column',
    ...authenticating(
      (request, keys) => request.method === 'POST' && keys.some((key) => bearerOf(request).startsWith(key)),
    ),
  },
};

/** A path at which no key is needed, although it leads to the same operation. */
function spelled(
  description: string,
  target: RegExp,
  how: { readonly seenIn: string; readonly method?: 'GET' },
): StatedFault {
  const { seenIn, method } = how;
  const isHere = (request: Request, wanted: string): boolean =>
    (method ?? wanted) === wanted &&
    request.method === wanted &&
    target.test(request.target) &&
    isBare(request);
  return {
    description,
    breaks: ['AUTH-1'],
    seenIn,
    ...composed(
      serving((request) => isHere(request, 'GET')),
      creating((request) => isHere(request, 'POST')),
    ),
  };
}

/** Answers these requests with the list, whatever their key. */
function serving(applies: (request: Request) => boolean): Seams {
  return onResponse(unauthorized(applies), (response, _, { categories }) =>
    edited(response, { status: 200, text: categories.listJson(), without: CHALLENGE }),
  );
}

/** Answers these requests with the category that they create, whatever their key. */
function creating(applies: (request: Request) => boolean): Seams {
  return onResponse(unauthorized(applies), (response, request, { categories }) => {
    const name = String(fieldsOf(request)['name']);
    const id = categories.create({ name })?.id ?? 0n;
    const text = `{"id":${id},"name":${JSON.stringify(name)}}`;
    return edited(response, { status: 201, text, without: CHALLENGE });
  });
}

const overrides = (request: Request, method: string): boolean =>
  headerValues(request, 'X-HTTP-Method-Override').includes(method);

/** What the first group of a pattern matches in the first header of this name. */
const headerPart = (request: Request, name: string, pattern: RegExp): readonly string[] =>
  headerValues(request, name)
    .slice(0, 1)
    .flatMap((value) => pattern.exec(value)?.[1] ?? []);

const queryValues = ({ target }: Request): readonly string[] => [
  ...new URLSearchParams(target.split('?')[1] ?? '').values(),
];
