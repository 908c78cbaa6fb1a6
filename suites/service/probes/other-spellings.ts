import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { InvalidCredential } from '../wire/keyring.ts';
import { formsOfTheKey, kindsIn, otherSchemes, UNISSUED_TOKENS } from '../wire/keyring.ts';
import type { ProbeRequest } from '../wire/session.ts';
import type { LabelledRequest } from './category-requests.ts';
import { categoryNamer, createRequest, unauthenticatedList } from './category-requests.ts';
import { forwardedHeaders, LOOPBACK } from './open-behavior.ts';
import type { Probe, RunInputs } from './probe.ts';
import { stepsNamed } from './probe.ts';
import {
  listWith,
  lockoutSteps,
  MISPLACED_KEYS,
  NEAR_MISSES,
  NOT_ALL_SENT,
  sendUnlessLockedOut,
} from './unauthenticated.ts';

/** Spellings that some router, proxy or filter takes for `/categories`, and another does not (RFC 3986 §6.2). */
const SPELLINGS = {
  'a slash at the end of the path': '/categories/',
  'two slashes before the path': '//categories',
  'a capital letter in the path': '/Categories',
  'a path in capital letters': '/CATEGORIES',
  'a percent-encoded letter': '/%63ategories',
  'a path parameter': '/categories;a=b',
  'a query': '/categories?a=b',
  'a dot segment': '/./categories',
  'a file extension': '/categories.json',
  'a letter percent-encoded twice': '/%2563ategories',
  'a percent-encoded dot segment': '/%2e/categories',
  'a segment and back': '/x/../categories',
  'a segment and back with a path parameter': '/x/..;/categories',
  'a percent-encoded slash at the end of the path': '/categories%2F',
  'a dot segment at the end of the path': '/categories/.',
} as const;

type Spelling = keyof typeof SPELLINGS;

/** Under these a creation is sent, too. */
const SPELLINGS_OF_CREATIONS = [
  'a slash at the end of the path',
  'two slashes before the path',
  'a capital letter in the path',
  'a percent-encoded letter',
  'a path parameter',
] as const satisfies readonly Spelling[];

const withValue = (value: string, ...names: readonly string[]): readonly HeaderLine[] =>
  names.map((name) => [name, value]);

/** In which frameworks read the method that a request means, so that forms and old proxies can send others than GET and POST. */
const overridden = (method: string): readonly HeaderLine[] =>
  withValue(method, 'X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override');

export const METHODS = {
  head: 'HEAD without a key',
  options: 'OPTIONS without a key',
  postForGet: 'POST of text with the method overridden by GET',
  getForPost: 'GET with the method overridden by POST',
  optionsForGet: 'OPTIONS with the method overridden by GET',
  optionsForPost: 'OPTIONS with the method overridden by POST',
} as const;

/** A monitor, an internal client, an authenticated user. One request has several, because a target may limit requests without a key. */
export const CLAIMS = {
  'without a key, as a monitor on the host itself': [
    ...forwardedHeaders(LOOPBACK),
    ['User-Agent', 'kube-probe/1.31 ELB-HealthChecker/2.0 GoogleHC/1.0 Prometheus/2.53.0 UptimeRobot/2.0'],
    ...withValue('1', 'X-Internal', 'X-Internal-Request', 'X-Health-Check', 'X-Monitor'),
  ],
  'without a key, as an internal client in a private network': [
    ...forwardedHeaders('10.0.0.1'),
    ['User-Agent', 'internal/1.0 curl/8.10.1 PostmanRuntime/7.43.0 Googlebot/2.1'],
    ...withValue('true', 'X-Internal', 'X-Internal-Request', 'X-Health-Check', 'X-Monitor'),
  ],
  'without a key, as a signed-in user of a browser': [
    ...withValue('1', 'X-Consumer-Username', 'X-Consumer-ID', 'X-Authenticated-User', 'X-Forwarded-User'),
    ...withValue('1', 'X-Remote-User', 'Remote-User', 'X-User-ID'),
    ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0'],
    ['X-Requested-With', 'XMLHttpRequest'],
    ['Sec-Fetch-Site', 'same-origin'],
  ],
} as const satisfies Readonly<Record<string, readonly HeaderLine[]>>;

export const NEVER_ISSUED = UNISSUED_TOKENS;
export const FORMS_OF_THE_KEY = kindsIn(formsOfTheKey);
export const OTHER_SCHEMES = kindsIn(otherSchemes);
export const BEARER_ELSEWHERE = 'bearer in another header' as const satisfies InvalidCredential;

/** The cookies that responses to the key set, without the key: a session that a browser keeps. */
export const COOKIES_OF_TARGET = 'cookies that the target set, without a key';

/** Left open; where case does not matter, it uses the key's quota. Sent last, over a connection of its own, because of Jetty. */
export const ANOTHER_CASE = 'key in another case' satisfies InvalidCredential;

/** Forms that are the key itself where it has no letters, is short or ends in the wildcard; then they are not sent. */
export const MAY_BE_THE_KEY = [
  ANOTHER_CASE,
  'key without its beginning',
  'first half of the key',
  'first half of the key and a wildcard',
] as const satisfies readonly InvalidCredential[];

/** The key as a member of a creation (RFC 6750 §2.2 has it in a form). A service may reject unknown members first. */
const KEY_IN_BODY = 'key in the body' as const satisfies InvalidCredential;

const creationWith = <const Kind extends string>(kind: Kind) => `creation: ${kind}` as const;

/** Creations with a credential that is not the key, at the specified path. */
export const CREATIONS_CLOSE_TO_THE_KEY = NEAR_MISSES.map(creationWith);
export const CREATION_WITH_THE_KEY_IN_IT = creationWith(KEY_IN_BODY);
export const CREATIONS_WITH_A_MISPLACED_KEY = [...MISPLACED_KEYS, BEARER_ELSEWHERE].map(creationWith);

/** Requests whose path is written in another way, so that a page or another resource may be there. */
export const OTHER_PATHS: readonly string[] = [
  ...(Object.keys(SPELLINGS) as readonly Spelling[]).filter((one) => one !== 'a query'),
  ...SPELLINGS_OF_CREATIONS.map(creationWith),
];

/** Lists with a spelling of the path, a method, and creations with such a spelling: all without a key. */
export const WITHOUT_KEY_OTHERWISE = [
  ...(Object.keys(SPELLINGS) as readonly Spelling[]),
  ...SPELLINGS_OF_CREATIONS.map(creationWith),
  ...Object.values(METHODS),
  ...(Object.keys(CLAIMS) as readonly (keyof typeof CLAIMS)[]),
] as const;

const steps = {
  ...lockoutSteps,
  ...stepsNamed(WITHOUT_KEY_OTHERWISE),
  ...stepsNamed([
    ...NEVER_ISSUED,
    ...FORMS_OF_THE_KEY,
    BEARER_ELSEWHERE,
    ...OTHER_SCHEMES,
    COOKIES_OF_TARGET,
    ANOTHER_CASE,
  ]),
  ...stepsNamed([
    ...CREATIONS_CLOSE_TO_THE_KEY,
    ...CREATIONS_WITH_A_MISPLACED_KEY,
    CREATION_WITH_THE_KEY_IN_IT,
  ]),
} as const;

const withoutKey = (step: string, more: Partial<ProbeRequest>): LabelledRequest => [
  step,
  unauthenticatedList('none', more),
];

/** Every request of the probe, apart from the last in the order of what they find: a target may stop answering an address without a key. */
function requestsOf(name: (what: string) => string): readonly LabelledRequest[] {
  let created = 0;
  const creation = (kind: InvalidCredential, path = '/categories'): ProbeRequest => {
    created += 1;
    return createRequest({ name: name(`open-${created}`) }, { credential: { kind }, path });
  };
  const asCreation = (method: ProbeRequest['method']): ProbeRequest => ({
    ...creation('none'),
    method,
    headers: overridden('POST'),
  });
  return [
    ...Object.entries(SPELLINGS).map(([step, path]) => withoutKey(step, { path })),
    ...Object.entries(CLAIMS).map(([step, headers]) => withoutKey(step, { headers })),
    ...SPELLINGS_OF_CREATIONS.map(
      (one): LabelledRequest => [creationWith(one), creation('none', SPELLINGS[one])],
    ),
    [
      METHODS.postForGet,
      // A creation as text besides: what checks the key may see to JSON alone.
      {
        ...creation('none', '/categories?_method=GET'),
        headers: overridden('GET'),
        contentType: 'text/plain',
      },
    ],
    [METHODS.getForPost, asCreation('GET')],
    withoutKey(METHODS.optionsForGet, { method: 'OPTIONS', headers: overridden('GET') }),
    [METHODS.optionsForPost, asCreation('OPTIONS')],
    withoutKey(METHODS.head, { method: 'HEAD' }),
    withoutKey(METHODS.options, { method: 'OPTIONS' }),
    ...[...MISPLACED_KEYS, BEARER_ELSEWHERE, KEY_IN_BODY, ...NEAR_MISSES].map(
      (kind): LabelledRequest => [creationWith(kind), creation(kind)],
    ),
    ...[BEARER_ELSEWHERE, ...OTHER_SCHEMES, ...FORMS_OF_THE_KEY, ...NEVER_ISSUED].map(listWith),
    [ANOTHER_CASE, unauthenticatedList(ANOTHER_CASE, { route: 'new' })],
  ];
}

/** The most windows that pass because a target answers 429 to an address without a key. */
const MOST_WINDOWS = 2;

/** The longest that all these requests may take together, in windows, besides those that pass for a 429. */
const LONGEST_WINDOWS = 1;

/** Last: a target may ban an address, answer it slowly, or limit it, for so many requests without a key. */
export const otherSpellings = {
  id: 'other-spellings',
  description:
    'the operations without a valid key in other spellings of the path, by other methods, with claims of a gateway or of a favoured client and with texts like the key; creations with the key in the wrong place',
  steps,
  cost: () => ({ unauthenticated: requestsOf(String).length }),
  async run(pacer, inputs) {
    const cookies = pacer.session.cookies.line;
    const requests = [
      ...(cookies === '' ? [] : [withoutKey(COOKIES_OF_TARGET, { headers: [['Cookie', cookies]] })]),
      ...requestsOf(categoryNamer(pacer, inputs)),
    ].filter(([, request]) => !pacer.session.isKeyUnderTest(request.credential));
    const because = await sendUntilStopped(pacer, inputs, requests);
    if (because !== undefined) pacer.session.note(because);
  },
} as const satisfies Probe;

/** Sends the requests one after another; why the target did not get all of them. */
async function sendUntilStopped(
  pacer: Pacer,
  { limits }: RunInputs,
  requests: readonly LabelledRequest[],
): Promise<string | undefined> {
  const window = limits.minuteSeconds;
  let [windows, spent] = [0, 0];
  for (const labelled of requests) {
    if (spent > LONGEST_WINDOWS * window * 1000) return notAll('answered them too slowly');
    let exchange = await sendUnlessLockedOut(pacer, labelled);
    if (exchange !== undefined && isRateLimited(exchange) && windows < MOST_WINDOWS) {
      windows += 1;
      await pacer.session.wait(window, 'the target answered 429 to requests without a valid key');
      exchange = await sendUnlessLockedOut(pacer, labelled);
    }
    if (exchange === undefined) return NOT_ALL_SENT;
    if (isRateLimited(exchange)) return notAll('answered 429 to them');
    spent += exchange.received.mono - exchange.sent.mono;
  }
  return undefined;
}

const notAll = (because: string): string =>
  `Not all requests without a valid key were sent, because the target ${because}.`;
