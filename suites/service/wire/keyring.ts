import type { Caller, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { Secret } from '../../../kernel/recording/redaction/encodings.ts';
import { encodedForms } from '../../../kernel/recording/redaction/encodings.ts';

/** The keys of a run. Only this module and the wire see their values. */
export interface Keys {
  readonly key: string;
  readonly other?: string;
  readonly exhausted?: string;
  readonly disposable?: string;
  readonly plans?: Readonly<Record<string, string>>;
}

export type KeyedCaller = Exclude<Caller, 'unauthenticated' | 'unspecified'>;

/** Every key of a run with its caller, the key under test first; a program may state by undefined that it has none. */
export function keysByCaller({ plans = {}, ...keys }: Keys): readonly (readonly [KeyedCaller, string])[] {
  const roles = (['key', 'other', 'exhausted', 'disposable'] as const).map(
    (role) => [role, keys[role]] as const,
  );
  const further = Object.entries(plans).map(([plan, key]) => [`plan:${plan}`, key] as const);
  return [...roles, ...further].flatMap(([caller, key]) =>
    key === undefined ? [] : [[caller, key] as const],
  );
}

/** The plan of a caller who has a key for a further one; undefined of any other caller. */
export const planIn = (caller: Caller): string | undefined => /^plan:(.*)$/.exec(caller)?.[1];

/** `bearer` is valid, an `OpenPresentation` left open and only observed, and an `InvalidCredential` must be answered 401. */
export type Credential =
  | { readonly kind: 'bearer'; readonly caller: KeyedCaller }
  | { readonly kind: OpenPresentation }
  | { readonly kind: InvalidCredential };

/** Presentations of the valid key that the specification leaves open (AUTH-7). */
export type OpenPresentation = keyof typeof openPresentations;

/** Presentations that are no valid bearer credential. */
export type InvalidCredential = keyof typeof invalid | (typeof UNISSUED_TOKENS)[number];

/** Wildcards of SQL and of patterns, members that every object of JavaScript has, and the texts of a missing value. */
export const UNISSUED_TOKENS = [
  'Bearer *',
  'Bearer %',
  'Bearer .*',
  'Bearer __proto__',
  'Bearer constructor',
  'Bearer toString',
  'Bearer null',
  'Bearer undefined',
] as const;

/** A key as it is sent: header lines and, for one invalid credential each, query parameters or members of a JSON body. */
export interface Presented {
  readonly headers: readonly HeaderLine[];
  readonly query?: string;
  readonly members?: Readonly<Record<string, string>>;
}

const authorization = (value: string): Presented => ({ headers: [['Authorization', value]] });
const bearer = (token: string): Presented => authorization(`Bearer ${token}`);
const basic = (pair: string): Presented => authorization(`Basic ${Buffer.from(pair).toString('base64')}`);

export const unknownKey = 'petstore-conformance-unknown-key-0000000000';

/** `access_token` is RFC 6750's, a subscription key Azure's. No two differ in case alone: some frameworks accept neither then. */
const QUERY_NAMES = [
  ...['api_key', 'apikey', 'api-key', 'x-api-key'],
  ...['access_token', 'key', 'token', 'subscription-key'],
];
const COOKIE_NAMES = ['api_key', 'access_token', 'token', 'session', 'jwt'];
const HEADER_NAMES = [
  ...['X-Auth-Token', 'X-Access-Token', 'X-API-Token', 'X-Token', 'Private-Token'],
  ...['Api-Key', 'ApiKey', 'X-Auth-Key', 'Ocp-Apim-Subscription-Key'],
];
/** Headers in which proxies pass on an `Authorization`, and the one that is for proxies (RFC 9110 §11.7.2). */
const AUTHORIZATION_NAMES = [
  'X-Authorization',
  'X-Forwarded-Authorization',
  'X-Original-Authorization',
  'Proxy-Authorization',
];

/** Servers bound the target and the headers of a request, some to 8,000 bytes, and answer 414 or 431 beyond that. */
const MOST_CHARACTERS = 6000;

/** The first of these names, as many as fit into a request that has this value under each. */
const fitting = (names: readonly string[], value: string): readonly string[] =>
  names.slice(0, Math.max(1, Math.floor(MOST_CHARACTERS / value.length)));

function pairs(names: readonly string[], key: string): readonly string[] {
  const value = encodeURIComponent(key);
  return fitting(names, value).map((name) => `${name}=${value}`);
}

/** A key as it is sent, or a text that is made of it and is the token in its place. Each such text is kept out of the journal, as the key is. */
type Presentations = Readonly<Record<string, (key: string) => Presented | string>>;

/** Credentials that differ from the key by little. */
export const nearMisses = {
  'key without its last character': (key) => key.slice(0, -1),
  /** A dot, because a lookup may cut a token there, or read no further than the letters and digits of a pattern. */
  'key with one character more': (key) => `${key}.`,
  'key with other last characters': otherEnd,
  'empty bearer': () => authorization('Bearer'),
} as const satisfies Presentations;

/** The key itself in another place than `Authorization: Bearer`. */
export const misplacedKeys = {
  'Basic with the key as user': (key) => basic(`${key}:`),
  'Basic with the key as password': (key) => basic(`:${key}`),
  'bare key': authorization,
  'another scheme': (key) => authorization(`Token ${key}`),
  'query string': (key) => ({ headers: [], query: pairs(QUERY_NAMES, key).join('&') }),
  cookie: (key) => ({ headers: [['Cookie', pairs(COOKIE_NAMES, key).join('; ')]] }),
  'X-API-Key header': (key) => ({ headers: [['X-API-Key', key]] }),
  'another header': (key) => ({ headers: fitting(HEADER_NAMES, key).map((name) => [name, key]) }),
} as const satisfies Presentations;

/** Skips as many characters as `Bearer` has, searches for the word, or removes it and trims the rest (RFC 9110 §11.4). */
export const otherSchemes = {
  'a scheme as long as Bearer': (key) => authorization(`ApiKey ${key}`),
  'a scheme that ends in Bearer': (key) => authorization(`XBearer ${key}`),
  'no space after Bearer': (key) => authorization(`Bearer${key}`),
} as const satisfies Presentations;

/** Texts that are made of the key and are not the key. */
export const formsOfTheKey = {
  'key with other characters in its middle': otherMiddle,
  /** What a service accepts that looks for a key within the header. */
  'key with a character before it': (key) => `x${key}`,
  'percent-encoded key': (key) => bearer(percentEncoded(key)),
  'key in base64': (key) => bearer(Buffer.from(key).toString('base64')),
  'key without its beginning': withoutBeginning,
  'first half of the key': firstHalf,
  'first half of the key and a wildcard': (key) => bearer(`${firstHalf(key)}%`),
} as const satisfies Presentations;

const invalid = {
  ...nearMisses,
  ...misplacedKeys,
  ...otherSchemes,
  ...formsOfTheKey,
  none: () => ({ headers: [] }),
  'unknown key': () => bearer(unknownKey),
  'key in another case': swapCase,
  'bearer in another header': (key) => ({
    headers: fitting(AUTHORIZATION_NAMES, key).map((name) => [name, `Bearer ${key}`]),
  }),
  'key in the body': (key) => ({
    headers: [],
    members: Object.fromEntries(QUERY_NAMES.map((name) => [name, key])),
  }),
} as const satisfies Presentations;

/** The kinds of credentials in a table, in its order. */
export const kindsIn = <Table extends Presentations>(table: Table) =>
  Object.keys(table) as readonly (keyof Table & string)[];

const openPresentations = {
  'lower-case scheme': (key) => authorization(`bearer ${key}`),
  'valid, then unknown': (key) => ({ headers: [...bearer(key).headers, ...bearer(unknownKey).headers] }),
  'extra spaces': (key) => authorization(`Bearer   ${key}`),
} as const satisfies Presentations;

/** The header lines, query or members that present `credential`. @throws {Error} when the run has no such key. */
export function present(credential: Credential, keys: Keys): Presented {
  if (credential.kind === 'bearer') return bearer(keyOf(credential.caller, keys));
  const { kind } = credential;
  if (isOfNoKey(kind)) return authorization(kind);
  const presented = { ...invalid, ...openPresentations }[kind](keys.key);
  return typeof presented === 'string' ? bearer(presented) : presented;
}

const isOfNoKey = (kind: string): kind is (typeof UNISSUED_TOKENS)[number] => kind.startsWith('Bearer ');

/** Whether this credential is the key under test in its valid presentation: a key without letters is the same in another case. */
export function isTheKeyItself(credential: Credential, keys: Keys): boolean {
  const { headers, query } = present(credential, keys);
  return query === undefined && JSON.stringify(headers) === JSON.stringify(bearer(keys.key).headers);
}

/** The caller whose quota a request with this credential uses, as far as the specification says. */
export function callerOf(credential: Credential): Caller {
  if (credential.kind === 'bearer') return credential.caller;
  return Object.hasOwn(openPresentations, credential.kind) ? 'unspecified' : 'unauthenticated';
}

function keyOf(caller: KeyedCaller, keys: Keys): string {
  const key = new Map(keysByCaller(keys)).get(caller);
  if (key === undefined) throw new Error(`This run has no key for the caller "${caller}".`);
  return key;
}

const percentEncoded = (key: string): string =>
  [...Buffer.from(key)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** A part of a key that is shorter than this is no secret, and replacing it would damage evidence. */
const SHORTEST_PART = 8;

/** Half of a key, and of a short key the whole. */
function firstHalf(key: string): string {
  return key.slice(0, Math.max(SHORTEST_PART, Math.ceil(key.length / 2)));
}

/** The one or two words that keys of many services begin with, such as `sk_test_`. */
const BEGINNING = /^[a-z]+[_-](?:[a-z]+[_-])?/i;

/** A key without the words that it begins with, or without its first four characters; whole where too little is left. */
function withoutBeginning(key: string): string {
  const [words = key.slice(0, 4)] = BEGINNING.exec(key) ?? [];
  const rest = key.slice(words.length);
  return rest.length < Math.max(SHORTEST_PART, key.length / 2) ? key : rest;
}

/** This many characters are changed, so that the result is no other key by chance. */
const CHANGED_CHARACTERS = 8;

/**
 * Of the same length and shape. A key with too few letters and digits could become another caller's, so a unique text is
 * appended: without hyphens, because a target may leave them out, and a short key is not found within another word.
 */
function otherEnd(key: string): string {
  return withOthers(key) ?? `${key}${unknownKey.replaceAll('-', '')}`;
}

/** A key with other letters and digits before its last eight characters or, where they are too few, with a unique text in its middle. */
function otherMiddle(key: string): string {
  const end = Math.max(0, key.length - CHANGED_CHARACTERS);
  const others = withOthers(key.slice(0, end));
  const half = Math.floor(key.length / 2);
  return others === undefined
    ? `${key.slice(0, half)}${unknownKey}${key.slice(half)}`
    : `${others}${key.slice(end)}`;
}

/** A text with other ones for its last eight letters and digits; undefined where it has fewer. */
function withOthers(text: string): string | undefined {
  const characters = [...text];
  let changed = 0;
  for (let i = characters.length - 1; i >= 0 && changed < CHANGED_CHARACTERS; i -= 1) {
    const character = characters[i] ?? '';
    if (!/[a-z0-9]/i.test(character)) continue;
    characters[i] = neighbour(character);
    changed += 1;
  }
  return changed < CHANGED_CHARACTERS ? undefined : characters.join('');
}

/** The other one of each pair: `a` and `b`, `c` and `d`, `0` and `1` and so on. */
const neighbour = (c: string): string => {
  const odd = /[0-9]/.test(c) ? 0 : 1;
  return String.fromCharCode(((c.charCodeAt(0) - odd) ^ 1) + odd);
};

function swapCase(text: string): string {
  return [...text].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
}

/** The value of a gateway header that is shorter than this, such as `X-Debug: 1`, is no secret, and replacing it would damage evidence. */
const SECRET_HEADER_LENGTH = 8;

/** Every form of every secret that is sent, each also encoded. Longer ones come first, so that no part of a key is left. */
export function secretsOf(keys: Keys, extraHeaders: readonly HeaderLine[] = []): readonly Secret[] {
  const named: Secret[] = [];
  const add = (value: string, name: string): void => {
    if (value !== '') named.push({ value, name });
  };
  for (const [caller, key] of keysByCaller(keys))
    add(key, caller === 'key' ? caller : `${planIn(caller) ?? caller} key`);
  for (const [name, form] of Object.entries<Presentations[string]>(invalid)) {
    const value = form(keys.key);
    if (typeof value === 'string' && value !== keys.key) add(value, name);
  }
  for (const [name, value] of extraHeaders) {
    if (value.length >= SECRET_HEADER_LENGTH) add(value, `value of ${name}`);
  }
  // What contains the key is found by it, in whatever encoding.
  const apart = named.filter(({ value }) => value === keys.key || !value.includes(keys.key));
  return [...named, ...apart.flatMap(encodedForms)].sort((a, b) => b.value.length - a.value.length);
}

/** Which keys a run has besides the key under test. */
export interface FurtherKeys {
  readonly otherKey: boolean;
  readonly exhaustedKey: boolean;
  readonly disposableKey: boolean;
  readonly furtherPlans: readonly string[];
}

export const furtherKeysIn = ({ other, exhausted, disposable, plans = {} }: Keys): FurtherKeys => ({
  otherKey: other !== undefined,
  exhaustedKey: exhausted !== undefined,
  disposableKey: disposable !== undefined,
  furtherPlans: Object.keys(plans),
});
