import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import type { RequirementId } from '../../../../spec/register.ts';
import { isSuccess } from '../../evidence/answers.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import {
  BEARER_ELSEWHERE,
  CREATION_WITH_THE_KEY_IN_IT,
  CREATIONS_CLOSE_TO_THE_KEY,
  CREATIONS_WITH_A_MISPLACED_KEY,
  FORMS_OF_THE_KEY,
  OTHER_SCHEMES,
  WITHOUT_KEY_OTHERWISE,
} from '../../probes/other-spellings.ts';
import {
  invalidCredentials,
  MISPLACED_KEYS,
  NEAR_MISSES,
  unauthenticatedBeforeKey,
} from '../../probes/unauthenticated.ts';
import type { KnownCause, Rule, Symptom } from './rule.ts';
import { commonStatus, symptom, untested } from './rule.ts';

const KEYLESS: readonly RequirementId[] = ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5', 'AUTH-6'];

const { creationWithoutKey, creationWithUnknownKey, unknownKey } = invalidCredentials.steps;
/** What a service serves that checks no key at all. */
const PLAINLY_WITHOUT: ReadonlySet<string> = new Set([
  ...Object.values(unauthenticatedBeforeKey.steps),
  unknownKey,
  creationWithoutKey,
  creationWithUnknownKey,
]);

const NO_SCHEME: readonly string[] = ['bare key', 'another scheme', ...OTHER_SCHEMES];

/** Which part of the check is missing, by what was served although the plain requests without a key were not. */
const BY_STEP = [
  [
    new Set<string>([...NO_SCHEME, ...NO_SCHEME.map((step) => `creation: ${step}`)]),
    symptom('scheme-not-required', 'The key is accepted without the scheme Bearer.'),
  ],
  [
    new Set<string>([
      ...MISPLACED_KEYS,
      BEARER_ELSEWHERE,
      CREATION_WITH_THE_KEY_IN_IT,
      ...CREATIONS_WITH_A_MISPLACED_KEY,
    ]),
    symptom('key-elsewhere', 'The key is accepted outside of Authorization: Bearer.'),
  ],
  [
    new Set<string>([...NEAR_MISSES, ...FORMS_OF_THE_KEY, ...CREATIONS_CLOSE_TO_THE_KEY]),
    symptom('loose-key', 'Keys are accepted that only resemble the valid one.'),
  ],
  [
    new Set<string>(WITHOUT_KEY_OTHERWISE),
    symptom(
      'unchecked-paths',
      'Without a key, operations are served under certain paths, methods or claims.',
    ),
  ],
] as const;

const OPEN_ACCESS = symptom('open-access', 'Requests without a valid key are accepted.');
const UNCHECKED = symptom('unchecked-operations', 'Some operations are served without a key.');

/** Requests without a valid key: which part of the check is missing, or what answers in its place. */
export const withoutValidKey: Rule<keyof typeof authentication> = ({ id, exchanges }, evidence) => {
  const status = commonStatus(exchanges);
  const isCrash = status !== undefined && status >= 500;
  if (id === 'HTTP-4' && isCrash && exchanges.every(({ caller }) => caller === 'unauthenticated'))
    return crash(status);
  if (!KEYLESS.includes(id)) return undefined;
  if (evidence.fact(isOpen)) return OPEN_ACCESS;
  if (exchanges.every(isSuccess)) return servedBy(id, exchanges[0]);
  if (status === undefined) return undefined;
  if (isCrash) return crash(status);
  if (id === 'AUTH-6' && status === 400)
    return symptom('validated-before-key', 'A body is validated before the key is checked.');
  return symptom('unauthorized-status', `Requests without a valid key return ${status} instead of 401.`);
};

const crash = (status: number) =>
  symptom('unauthorized-crash', `Requests without a valid key return ${status} instead of 401.`);

function servedBy(id: string, { step }: Exchange): Symptom<keyof typeof authentication> {
  if (id === 'AUTH-5') return UNCHECKED;
  return BY_STEP.find(([steps]) => steps.has(step))?.[1] ?? OPEN_ACCESS;
}

const isOpen = (evidence: Evidence): boolean =>
  evidence
    .by('unauthenticated')
    .some(
      (exchange) =>
        PLAINLY_WITHOUT.has(exchange.step) &&
        /\/categories$/.test(exchange.request.target) &&
        isSuccess(exchange),
    );

export const authentication = {
  'open-access': {
    violates: KEYLESS,
    where: 'where no key is needed',
    inGeneral:
      'Check the key before the handler of every operation runs, and answer 401 where it is missing or unknown.',
    Express:
      'Register the check before all routes, as in `app.use(authenticate)`: it calls `next()` for a valid key only, and answers 401 otherwise.',
  },
  'scheme-not-required': {
    violates: ['AUTH-4'],
    where: 'where the key is accepted without its scheme',
    inGeneral:
      'Require the scheme: take the key from what `/^Bearer +(\\S+)$/i` matches. Code that removes "Bearer ", or that skips a first word, accepts the key without it.',
    Express:
      "Require the scheme: take the key from `/^Bearer +(\\S+)$/i.exec(req.get('Authorization') ?? '')?.[1]`. `replace('Bearer ', '')` accepts the key without it.",
  },
  'key-elsewhere': {
    violates: ['AUTH-4'],
    where: 'where the key is accepted elsewhere',
    inGeneral:
      'Read the key from `Authorization: Bearer` alone: not from Basic, the query string, a cookie or another header.',
  },
  'loose-key': {
    violates: ['AUTH-3'],
    where: 'where keys that resemble the valid one are accepted',
    inGeneral:
      'Compare the whole key with those that were issued: no prefix, no search within the header, no decoding.',
  },
  'unchecked-operations': {
    violates: ['AUTH-5'],
    where: 'where single operations need no key',
    inGeneral: 'Check the key for every path, before the router, and not in single handlers.',
    Express: 'Register the check with `app.use(authenticate)` before all routes, and not with single ones.',
  },
  'unchecked-paths': {
    violates: ['AUTH-1'],
    where: 'where another spelling of the path, another method or a claim needs no key',
    inGeneral:
      'Check the key for every path, method and media type, before the router: the router accepts spellings of a path that a comparison does not. Believe no header of a client.',
  },
  'validated-before-key': {
    violates: ['AUTH-6'],
    where: 'where the body is validated first',
    inGeneral: 'Check the key before the body is validated.',
  },
  'unauthorized-crash': {
    violates: KEYLESS,
    where: 'where a missing key gets a server error',
    inGeneral: 'The check of the key throws where the header is absent: answer 401 before you use its value.',
    Express:
      "`req.headers.authorization` is `undefined` where the header is absent: read it as `req.headers.authorization ?? ''`.",
  },
  'unauthorized-status': {
    violates: KEYLESS,
    where: 'where a missing key gets another status',
    inGeneral: 'Answer 401 with an Error body wherever the key is missing or unknown.',
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
} as const satisfies Readonly<Record<string, KnownCause>>;
