import type { Row, Taker } from './row.ts';

/** Whoever tests a service, by its command or from a program. */
const CERTIFY = ['certify', 'playwright', 'library'] as const satisfies readonly Taker[];
/** The same, where the option says where a secret is: a program that calls the library has it already. */
const CERTIFY_BY_NAME = ['certify', 'playwright'] as const satisfies readonly Taker[];

/** Which service, how it is reached, and with which keys. */
export const targetRows = {
  target: {
    kind: 'text',
    takes: 'url',
    group: 'target',
    sentence: 'base address of the service, including /v1, or the name of a target of the configuration file',
    sentences: {
      watch: 'base address of the service, including /v1',
      'load manifest': 'base address of the service, including /v1',
    },
    takers: ['certify', 'load', 'load manifest', 'watch', 'playwright'],
    first: ['certify', 'load'],
    requiredBy: ['load manifest', 'watch'],
    file: ['targets.*.url'],
  },
  plan: {
    kind: 'text',
    takes: 'name',
    group: 'target',
    sentence: 'plan of the key',
    sentences: { 'load manifest': 'plan of the keys, where the key file names none' },
    takers: [...CERTIFY, 'load', 'load manifest'],
    first: ['certify', 'load'],
    preset: 'free',
    file: ['targets.*.plan'],
  },
  plans: {
    kind: 'file',
    group: 'target',
    sentence: 'plan file with the limits and window lengths of the target',
    sentences: { serve: 'plan file with other limits or window lengths' },
    takers: [...CERTIFY, 'load', 'load manifest', 'serve'],
    first: ['certify'],
    file: ['targets.*.plans'],
  },
  apiKeyEnv: {
    kind: 'variable',
    group: 'target',
    sentence: 'environment variable that holds the key',
    takers: [...CERTIFY_BY_NAME, 'load'],
    usual: 'PETSTORE_API_KEY',
    file: ['targets.*.keys.key'],
    rivals: ['apiKeyFile'],
    scope: 'target',
  },
  apiKeyFile: {
    kind: 'file',
    group: 'target',
    sentence: 'file that holds the key',
    takers: [...CERTIFY_BY_NAME, 'load'],
    rivals: ['apiKeyEnv'],
    scope: 'target',
  },
  exclusiveKey: {
    kind: 'switch',
    group: 'target',
    sentence:
      'state that no other client uses the key during the run, so that no verdict is inconclusive because of other clients',
    takers: [...CERTIFY, 'load', 'load manifest'],
    first: ['certify', 'load'],
    file: ['targets.*.exclusiveKey'],
  },
  ca: {
    kind: 'file',
    group: 'target',
    sentence: 'PEM file of a certificate authority to trust',
    takers: [...CERTIFY, 'load', 'load manifest', 'watch'],
    variable: 'PETSTORE_CA_FILE',
    file: ['targets.*.ca'],
    scope: 'target',
  },
  cert: {
    kind: 'file',
    group: 'target',
    sentence: 'PEM file of a client certificate, for a target that asks for one',
    takers: [...CERTIFY, 'load'],
    variable: 'PETSTORE_CERT_FILE',
    file: ['targets.*.cert'],
    scope: 'target',
  },
  certKey: {
    kind: 'file',
    group: 'target',
    sentence: 'PEM file of the private key of the client certificate',
    takers: [...CERTIFY, 'load'],
    variable: 'PETSTORE_CERT_KEY_FILE',
    file: ['targets.*.certKey'],
    scope: 'target',
  },
  headers: {
    kind: 'pairs',
    takes: 'line',
    between: ': ',
    group: 'target',
    sentence: "'Name: value' to send with every request, for a gateway; repeatable",
    takers: [...CERTIFY, 'load', 'load manifest'],
    flag: 'header',
    file: ['targets.*.headers'],
    scope: 'target',
  },
  namePattern: {
    kind: 'text',
    takes: 'text',
    group: 'target',
    sentence:
      "pattern for the names of created categories, such as 'Category {id}', for a service that restricts names; {id} becomes 6 lower-case letters, {ID} 6 capital letters, {number} 8 digits",
    takers: CERTIFY,
    file: ['targets.*.namePattern'],
  },
  openapi: {
    kind: 'address or path',
    takes: 'url|file',
    group: 'target',
    sentence: "the target's OpenAPI document, which is read without a key (VER-2)",
    takers: CERTIFY,
    file: ['targets.*.openapi'],
  },
  product: {
    kind: 'product',
    group: 'target',
    sentence: 'what is stated about the product under test, for the report; nothing is verified',
    takers: [...CERTIFY, 'load', 'certify-client'],
    file: ['targets.*.product', 'certify-client.product'],
  },
  otherKeyEnv: {
    kind: 'variable',
    group: 'keys',
    sentence: 'environment variable with the key of another caller (LIMIT-7)',
    takers: [...CERTIFY_BY_NAME, 'load'],
    usual: 'PETSTORE_OTHER_KEY',
    file: ['targets.*.keys.other'],
  },
  planKeys: {
    kind: 'pairs',
    takes: 'plan=var',
    between: '=',
    group: 'keys',
    sentence:
      'environment variable with a key of a further plan, whose limit is checked with one request (RATE-5); repeatable',
    takers: CERTIFY_BY_NAME,
    flag: 'plan-key',
    file: ['targets.*.keys.plans'],
  },
  exhaustedKeyEnv: {
    kind: 'variable',
    group: 'keys',
    sentence: 'environment variable with a key whose daily quota is exhausted (LIMIT-9)',
    takers: CERTIFY_BY_NAME,
    variable: 'PETSTORE_EXHAUSTED_KEY',
    file: ['targets.*.keys.exhausted'],
  },
  disposableKeyEnv: {
    kind: 'variable',
    group: 'keys',
    sentence: 'environment variable with a key that may get banned (BAN-1, BAN-2)',
    takers: [...CERTIFY_BY_NAME, 'load'],
    variable: 'PETSTORE_DISPOSABLE_KEY',
    file: ['targets.*.keys.disposable'],
  },
  headerEnv: {
    kind: 'pairs',
    takes: 'name=var',
    between: '=',
    group: 'target',
    sentence: 'header with a secret value from an environment variable; repeatable',
    takers: [...CERTIFY_BY_NAME, 'load'],
    file: ['targets.*.headerEnv'],
    scope: 'target',
  },
} as const satisfies Readonly<Record<string, Row>>;

/** What is tested of it, and how it is judged. */
export const certifyRows = {
  thorough: {
    kind: 'switch',
    group: 'evidence',
    sentence:
      'test three windows instead of one, with three times the requests; recommended for a certificate. The second one tests the limit again over new connections and with similar keys, the third one the end of a window',
    sentences: {
      'certify-client':
        'also announce waits of 75 s and of an hour, which show a client that cuts long waits',
    },
    takers: [...CERTIFY, 'certify-client'],
    first: ['certify', 'certify-client'],
    file: ['certify.thorough', 'certify-client.thorough'],
    rivals: ['quick', 'serve'],
  },
  spendDay: {
    kind: 'switch',
    group: 'evidence',
    sentence:
      'use the whole daily quota of the key and test whether the day is enforced (LIMIT-9): for Free about 1,000 requests in 18 minutes. The key must not have been used for a day',
    takers: CERTIFY,
    file: ['certify.spendDay'],
    rivals: ['quick'],
  },
  only: {
    kind: 'list',
    takes: 'names',
    group: 'part',
    sentence:
      'test only these requirements: ids (CREATE-4), chapters (CREATE) and levels (MUST), separated by commas; repeatable. Such a partial run ends with 0 where all of them pass, and never shows that a target conforms',
    sentences: { 'certify-client': 'requirements to test, such as CLIENT-1,CLIENT-4' },
    takers: [...CERTIFY, 'certify-client'],
    first: ['certify', 'certify-client'],
    file: ['certify.only', 'certify-client.only'],
    rivals: ['quick', 'serve'],
  },
  skip: {
    kind: 'list',
    takes: 'names',
    group: 'part',
    sentence: 'leave out these requirements; names as for --only; a partial run',
    takers: CERTIFY,
    file: ['certify.skip'],
  },
  quick: {
    kind: 'switch',
    group: 'part',
    sentence:
      'test what needs no 429, in seconds, with up to 20 requests of the key and without a wait; a partial run, made for every change',
    takers: CERTIFY,
    first: ['certify'],
    file: ['certify.quick'],
    rivals: ['thorough', 'spendDay', 'only'],
  },
} as const satisfies Readonly<Record<string, Row>>;
