import type { Exchange, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { headersOf, headerValue, statusOf } from '../../../kernel/exchanges/headers.ts';
import { categoryNamer, createRequest, isListOfKey, listRequest } from './category-requests.ts';
import type { Probe } from './probe.ts';
import { stepsNamed } from './probe.ts';
import { hasQuotaLeft, NAMED_OPERATIONS } from './unauthenticated.ts';

/** An entity tag, strong or weak (RFC 9110 §8.8.3); none is longer than this in practice. */
const ENTITY_TAG = /^(?:W\/)?"[!#-~]{0,200}"$/;

/** `If-None-Match` with the ETag of the last list of the key, as a client sends it that kept this list; nothing where it has none. */
function conditionOnLastList(exchanges: readonly Exchange[]): readonly HeaderLine[] {
  const list = exchanges.findLast(isListOfKey);
  const tag = list === undefined ? undefined : headerValue(headersOf(list), 'ETag');
  return tag !== undefined && ENTITY_TAG.test(tag) ? [['If-None-Match', tag]] : [];
}

/** A creation of which the specification does not say whether it is valid. `what`: the part of its name that tells it from the others; short, because a target may bound the length of names. */
type OpenCreation = readonly [
  step: string,
  what: string,
  body: (name: string) => string,
  contentType?: string,
];

/** Characters of a long name. It is longer than a usual column, and no longer, because it stays in every later list of the target. */
const LONG_NAME = 1000;

/** The step that sends one. */
export const VERY_LONG_NAME = 'very long name in a very large body';

/** Bytes of a large body. White space fills it, so it leaves no more on the target. */
const LARGE_BODY = 64 * 1024;

const openCreationBodies = [
  ['null description', 'null-desc', (name) => JSON.stringify({ name, description: null })],
  ['empty name', 'empty', () => '{"name":""}'],
  ['blank name', 'blank', () => '{"name":"   "}'],
  ['unknown field', 'unknown', (name) => JSON.stringify({ name, colour: 'black' })],
  ['duplicate JSON keys', 'twice', (name) => `{"name":"${name}a","name":"${name}b"}`],
  ['text/plain', 'text', (name) => JSON.stringify({ name }), 'text/plain'],
  ['byte order mark', 'bom', (name) => `\uFEFF${JSON.stringify({ name })}`],
  ['control characters', 'control', (name) => JSON.stringify({ name: `${name}\u0000\u001b` })],
  [
    VERY_LONG_NAME,
    'long',
    (name) => JSON.stringify({ name: name.padEnd(LONG_NAME, 'x') }).padEnd(LARGE_BODY),
  ],
] as const satisfies readonly OpenCreation[];

/** Creations whose name is stored as it is sent, where the target accepts them. */
const STORED_AS_SENT: ReadonlySet<string> = new Set([
  'null description',
  'unknown field',
  'text/plain',
] satisfies readonly (typeof openCreationBodies)[number][0][]);

/** Recorded, but never judged by whether they were accepted. A category that returned 201 stands in lists like any other. */
export const openCreations = {
  id: 'open-creations',
  description: 'creations that the specification leaves open',
  steps: {
    ...stepsNamed(openCreationBodies.map(([step]) => step)),
    existingName: 'name that exists already',
    rejectedName: 'name that was rejected before',
  },
  cost() {
    const requests = openCreationBodies.length + 1;
    return { withKey: requests, categoriesCreated: requests };
  },
  async run(pacer, inputs) {
    const name = categoryNamer(pacer, inputs);
    const bodies: readonly OpenCreation[] = openCreationBodies;
    let existing: string | undefined;
    for (const [step, what, body, contentType] of bodies) {
      const request = createRequest(body(name(what)), { contentType });
      const exchange = await pacer.sendWithKeyAndRetry(step, request);
      const isCreated = exchange !== undefined && statusOf(exchange) === 201;
      if (isCreated && STORED_AS_SENT.has(step)) existing = name(what);
    }
    const { existingName, rejectedName } = openCreations.steps;
    // A number of JSON as text: a service that returns it as a number breaks the type of the field, whatever it does
    // with the name. Another description has digits with zeros before them, which no parser of JSON takes for a number.
    await pacer.sendWithKeyAndRetry(
      existing === undefined ? rejectedName : existingName,
      createRequest({ name: existing ?? name('unknown'), description: '5.10' }),
    );
  },
} as const satisfies Probe;

/** The operations that the specification only names. With a key they show headers, deprecation, and whether one limit covers them. */
export const otherOperations = {
  id: 'other-operations',
  description: 'the operations that the specification only names, with the key',
  steps: { withKey: 'named operation with the key' },
  cost: () => ({ withKey: NAMED_OPERATIONS.length }),
  async run(pacer) {
    for (const path of NAMED_OPERATIONS) {
      await pacer.sendWithKeyAndRetry(otherOperations.steps.withKey, listRequest({ path }));
    }
  },
} as const satisfies Probe;

/** The headers in which proxies pass on a client's address and which limiters read: the common ones, those of products, and RFC 7239's. */
export const forwardedHeaders = (address: string): readonly HeaderLine[] => [
  ...ADDRESS_HEADERS.map((name): HeaderLine => [name, address]),
  ['Forwarded', `for=${address}`],
];

const ADDRESS_HEADERS = [
  ...['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP', 'X-Cluster-Client-IP'],
  ...['X-Original-Forwarded-For', 'X-Envoy-External-Address', 'X-Azure-ClientIP', 'Fastly-Client-IP'],
  'Fly-Client-IP',
];

/** The header of Cloudflare. Where the target shows that it is in front, there is none: it rejects a request that already has it. */
const addressForCloudflare = (address: string, exchanges: readonly Exchange[]): readonly HeaderLine[] =>
  exchanges.some((one) =>
    headersOf(one).some(([name, value]) => /^cf-/i.test(name) || /^cloudflare/i.test(value)),
  )
    ? []
    : [['CF-Connecting-IP', address]];

/** The address that allow lists name first. */
export const LOOPBACK = '127.0.0.1';

/** An address of documentation (RFC 5737). */
const NOBODYS_ADDRESS = '198.51.100.23';

/** What limiters that recognize a client by its properties read. The name begins as usual, for a gateway that admits clients by it. */
const OTHER_NAME: readonly HeaderLine[] = [
  ['User-Agent', 'petstore-conformance (another client)'],
  ['Accept-Language', 'nl'],
];

/** The types that a browser accepts for a page: a service that negotiates sends a page, although JSON is accepted, too. */
const ACCEPT_OF_BROWSERS = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Other claimed addresses and another program. The first is conditional, because a 304 often lacks the headers. */
export const identities = {
  id: 'identities',
  description:
    'the key under other claimed client addresses, over new connections: once with If-None-Match, once by another name and with the Accept of a browser',
  steps: {
    claimedAddress: 'another claimed client address',
    otherName: 'another claimed client address and another client name',
  },
  cost: () => ({ withKey: 2 }),
  async run(pacer) {
    const { claimedAddress, otherName } = identities.steps;
    const { exchanges } = pacer.session;
    const at = (address: string): readonly HeaderLine[] => [
      ...forwardedHeaders(address),
      ...addressForCloudflare(address, exchanges),
    ];
    const claimed = [...at(LOOPBACK), ...conditionOnLastList(exchanges)];
    const renamed = [...at(NOBODYS_ADDRESS), ...OTHER_NAME];
    await pacer.sendWithKeyAndRetry(claimedAddress, listRequest({ headers: claimed, route: 'new' }));
    const asBrowser = { headers: renamed, accept: ACCEPT_OF_BROWSERS };
    await pacer.sendWithKeyAndRetry(otherName, listRequest({ ...asBrowser, route: 'new' }));
  },
} as const satisfies Probe;

const OPEN_PRESENTATIONS = ['lower-case scheme', 'extra spaces'] as const;
/** Each over a connection of its own, because Jetty reads a later header line that differs only in case as the one before. */
export const presentations = {
  id: 'presentations',
  description: 'the key in forms that the specification leaves open',
  steps: stepsNamed(OPEN_PRESENTATIONS),
  cost: () => ({ withKey: OPEN_PRESENTATIONS.length }),
  async run(pacer) {
    for (const kind of OPEN_PRESENTATIONS) {
      await pacer.sendWithKeyAndRetry(kind, listRequest({ credential: { kind }, route: 'new' }));
    }
  },
} as const satisfies Probe;

const TWO_HEADERS = 'valid, then unknown';
/** Sent after the limit was tested, because it is unknown beforehand whether it counts, and for which caller. */
export const repeatedAuthorization = {
  id: 'repeated-authorization',
  description: 'two Authorization headers, the first with the key',
  steps: { validThenUnknown: TWO_HEADERS },
  cost: () => ({ unauthenticated: 1 }),
  async run(pacer) {
    if (pacer.isLockedOut || !hasQuotaLeft(pacer)) {
      pacer.session.note('No quota was left for this request.');
      return;
    }
    await pacer.sendWithKeyNow(
      repeatedAuthorization.steps.validThenUnknown,
      listRequest({ credential: { kind: TWO_HEADERS } }),
    );
  },
} as const satisfies Probe;
