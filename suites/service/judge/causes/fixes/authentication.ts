import type { Fixes } from './fix.ts';
import { proven, untested } from './fix.ts';

/** Fixes of the check of the key. */
export const authentication = {
  'open-access': {
    where: 'where no key is needed',
    inGeneral: proven(
      'Check the key before the handler of every operation runs, and answer 401 where it is missing or unknown.',
    ),
    Express: proven(
      'Register the check before all routes, as in `app.use(authenticate)`: it calls `next()` for a valid key only, and answers 401 otherwise.',
    ),
  },
  'scheme-not-required': {
    where: 'where the key is accepted without its scheme',
    inGeneral: proven(
      'Require the scheme: take the key from what `/^Bearer +(\\S+)$/i` matches. Code that removes "Bearer ", or that skips a first word, accepts the key without it.',
    ),
    Express: proven(
      "Require the scheme: take the key from `/^Bearer +(\\S+)$/i.exec(req.get('Authorization') ?? '')?.[1]`. `replace('Bearer ', '')` accepts the key without it.",
    ),
  },
  'key-elsewhere': {
    where: 'where the key is accepted elsewhere',
    inGeneral: proven(
      'Read the key from `Authorization: Bearer` alone: not from Basic, the query string, a cookie or another header.',
    ),
  },
  'loose-key': {
    where: 'where keys that resemble the valid one are accepted',
    inGeneral: proven(
      'Compare the whole key with those that were issued: no prefix, no search within the header, no decoding.',
    ),
  },
  'unchecked-operations': {
    where: 'where single operations need no key',
    inGeneral: proven('Check the key for every path, before the router, and not in single handlers.'),
    Express: proven(
      'Register the check with `app.use(authenticate)` before all routes, and not with single ones.',
    ),
  },
  'unchecked-paths': {
    where: 'where another spelling of the path needs no key',
    inGeneral: proven(
      'Check the key for every path and method, before the router: the router accepts spellings of a path that a comparison does not.',
    ),
  },
  'validated-before-key': {
    where: 'where the body is validated first',
    inGeneral: proven('Check the key before the body is validated.'),
  },
  'unauthorized-crash': {
    where: 'where a missing key gets a server error',
    inGeneral: proven(
      'The check of the key throws where the header is absent: answer 401 before you use its value.',
    ),
    Express: proven(
      "`req.headers.authorization` is `undefined` where the header is absent: read it as `req.headers.authorization ?? ''`.",
    ),
  },
  'unauthorized-status': {
    where: 'where a missing key gets another status',
    inGeneral: proven('Answer 401 with an Error body wherever the key is missing or unknown.'),
    FastAPI: untested(
      '`HTTPBearer` answers 403 in versions before 0.122: create it with `auto_error=False` and raise `HTTPException(401)` yourself.',
    ),
    Spring: untested(
      'Spring Security answers 403 without an entry point: set one with `exceptionHandling(e -> e.authenticationEntryPoint(…))` that answers 401.',
    ),
    NestJS: untested('A guard that returns `false` answers 403: throw `UnauthorizedException` instead.'),
    'Django REST framework': untested(
      'Without `authenticate_header` in the first authentication class, the response is 403: define it to return `Bearer`.',
    ),
  },
} as const satisfies Readonly<Record<string, Fixes>>;
