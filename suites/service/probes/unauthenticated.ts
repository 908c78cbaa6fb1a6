import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { hasRateHeaders } from '../../../kernel/exchanges/rate-headers.ts';
import { ofKey, readingOf } from '../../../kernel/rate-limits/series.ts';
import { isHtml } from '../model/target-reading.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { hasToWaitWithoutKey } from '../pacing/pacer.ts';
import { TargetLostError } from '../pacing/transport.ts';
import type { Credential, InvalidCredential } from '../wire/keyring.ts';
import { kindsIn, misplacedKeys, nearMisses } from '../wire/keyring.ts';
import type { ProbeRequest } from '../wire/session.ts';
import type { LabelledRequest } from './category-requests.ts';
import { categoryNamer, createRequest, listRequest, unauthenticatedList } from './category-requests.ts';
import type { Probe, RunInputs } from './probe.ts';
import { stepsNamed } from './probe.ts';

/** The two operations that the specification names without showing their shapes. */
export const NAMED_OPERATIONS = ['/store/orders', '/pets/1'] as const;

export const NEAR_MISSES = kindsIn(nearMisses);
export const MISPLACED_KEYS = kindsIn(misplacedKeys);

const withoutKeySteps = {
  beforeKey: 'without a key, before any request with the key',
  afterKey: 'without a key, after a request with the key',
} as const;

const listWithoutKey = <const Id extends string>(
  id: Id,
  description: string,
  step: keyof typeof withoutKeySteps,
) =>
  ({
    id,
    description,
    steps: withoutKeySteps,
    cost: () => ({ unauthenticated: 1 }),
    async run(pacer) {
      await pacer.sendOutsideQuotaAndRetry(withoutKeySteps[step], unauthenticatedList());
    },
  }) as const satisfies Probe;

/** Sent while no cache in front of the target has seen a response to the key. */
export const unauthenticatedBeforeKey = listWithoutKey(
  'unauthenticated-before-key',
  'the list without a key, before any request with the key',
  'beforeKey',
);

/** A cache or a session may answer the list to anybody. */
export const unauthenticatedAfterKey = listWithoutKey(
  'unauthenticated-after-key',
  'the list without a key, right after a list with the key',
  'afterKey',
);

/** The steps of a probe that looks whether the target has locked out the run. */
export const lockoutSteps = {
  withoutKey: 'list without a valid key, after an unexpected response',
  withKey: 'list with the key, after an unexpected response',
} as const;

const creationSteps = {
  creationWithoutKey: 'creation without a key',
  creationWithUnknownKey: 'creation with an unknown key',
} as const;

const creationWith = (name: string, kind: InvalidCredential): ProbeRequest =>
  createRequest({ name }, { credential: { kind } });

const creationsOf = (name: (what: string) => string): readonly LabelledRequest[] => [
  [creationSteps.creationWithoutKey, creationWith(name('no-key'), 'none')],
  [creationSteps.creationWithUnknownKey, creationWith(name('bad-key'), 'unknown key')],
];

/** Lists with the key follow: they show what was created all the same, and that no 401 used the quota of the key. */
export const unauthenticatedCreations = {
  id: 'unauthenticated-creations',
  description: 'creations without a key and with an unknown one',
  steps: { ...creationSteps, ...lockoutSteps },
  cost: () => ({ unauthenticated: creationsOf(String).length }),
  async run(pacer, inputs) {
    for (const labelled of creationsOf(categoryNamer(pacer, inputs))) {
      const exchange = await sendUnlessLockedOut(pacer, labelled);
      if (exchange === undefined || isRateLimited(exchange)) return;
    }
  },
} as const satisfies Probe;

const steps = {
  ...creationSteps,
  ...lockoutSteps,
  ...stepsNamed(NAMED_OPERATIONS.map((path) => `no key for ${path}` as const)),
  invalidCreationWithoutKey: 'invalid creation without a key',
  unknownKey: 'unknown key',
  ...stepsNamed(NAMED_OPERATIONS.map((path) => `unknown key for ${path}` as const)),
  ...stepsNamed([...MISPLACED_KEYS, ...NEAR_MISSES]),
} as const;

/** The list with a credential that names its step. */
export const listWith = (kind: InvalidCredential): LabelledRequest => [kind, unauthenticatedList(kind)];

/** In this order a target that locks out a key for others that are close to it does so last. */
function requestsOf(name: (what: string) => string): readonly LabelledRequest[] {
  const named = (kind: InvalidCredential, text: string): readonly LabelledRequest[] =>
    NAMED_OPERATIONS.map((path) => [`${text} for ${path}`, unauthenticatedList(kind, { path })]);
  return [
    ...creationsOf(name),
    ...named('none', 'no key'),
    [steps.invalidCreationWithoutKey, createRequest({}, { credential: { kind: 'none' } })],
    [steps.unknownKey, unauthenticatedList('unknown key')],
    ...named('unknown key', 'unknown key'),
    ...[...MISPLACED_KEYS, ...NEAR_MISSES].map(listWith),
  ];
}

/** The other requests of the chapter, after all that needs the key: a target may lock out an address, or the key itself. */
export const invalidCredentials = {
  id: 'invalid-credentials',
  description:
    'the named operations without a key, an unknown key, the key in the wrong place, and keys that almost match it',
  steps,
  cost: () => ({ unauthenticated: requestsOf(String).length - creationsOf(String).length }),
  async run(pacer, inputs) {
    if (!hasToWaitWithoutKey(pacer)) await sendUntilLimited(pacer, unanswered(pacer, inputs));
  },
} as const satisfies Probe;

/** The most windows that pass for the sake of unauthenticated requests: a limit of four of them shows every response. */
const MOST_WINDOWS = 5;

/** After a 429, as many per window as were answered before: a target may bar callers that keep sending. */
export const invalidCredentialsAgain = {
  id: 'invalid-credentials-again',
  description: 'the requests without a valid key that were rate-limited, once more',
  steps,
  async run(pacer, inputs) {
    let left = unanswered(pacer, inputs);
    for (let i = 0; i < MOST_WINDOWS && left.length > 0 && !pacer.isLockedOut; i += 1) {
      const because = 'a 429 to a request without a valid key may be about the limit of the key under test';
      if (!(await pacer.leaveKeyIdle(1, because))) return;
      await sendUntilLimited(pacer, left);
      const before = left.length;
      left = unanswered(pacer, inputs);
      if (left.length === before) return;
    }
  },
} as const satisfies Probe;

/** Sends the requests in turn until one is rate-limited, or the run is locked out. */
async function sendUntilLimited(pacer: Pacer, requests: readonly LabelledRequest[]): Promise<void> {
  for (const labelled of requests) {
    const exchange = await sendUnlessLockedOut(pacer, labelled);
    if (exchange === undefined) pacer.session.note(NOT_ALL_SENT);
    if (exchange === undefined || isRateLimited(exchange)) return;
  }
}

/** These probes send what the ones before them left without a response that counts. */
const OF_EACH_OTHER: ReadonlySet<string> = new Set([
  unauthenticatedCreations.id,
  invalidCredentials.id,
  invalidCredentialsAgain.id,
]);

export const NOT_ALL_SENT =
  'The target rejected whatever came without a valid key, or no longer answered, so the run sent no more of it.';

/** The requests that were not sent yet, or whose last response was 429. */
function unanswered(pacer: Pacer, inputs: RunInputs): readonly LabelledRequest[] {
  const { session } = pacer;
  const answered = new Set<string>();
  for (const exchange of session.exchanges) {
    const { probe, step } = exchange;
    if (OF_EACH_OTHER.has(probe) && !isRateLimited(exchange)) answered.add(step);
  }
  return requestsOf(categoryNamer(pacer, inputs)).filter(
    // A key without letters is the same in another case, and has to wait.
    ([step, request]) => !answered.has(step) && !session.isKeyUnderTest(request.credential),
  );
}

/** Lists without a valid key and with the key show whether a lockout answered. Undefined where one did: nothing more may be sent. */
export async function sendUnlessLockedOut(
  pacer: Pacer,
  [step, request]: LabelledRequest,
): Promise<Exchange | undefined> {
  if (pacer.isLockedOut) return undefined;
  const exchange = await sent(() => pacer.sendOutsideQuotaAndRetry(step, request));
  if (!mayBeLockout(pacer, exchange, request)) return exchange;
  const earlier = unauthenticatedList(answeredBefore(pacer, request.credential.kind));
  const again = () => sent(() => pacer.sendOutsideQuotaAndRetry(lockoutSteps.withoutKey, earlier));
  const first = await again();
  const control = isLost(first) && !isLost(exchange) ? await again() : first;
  if ((statusOf(control) !== 401 || !wasKeyTried(pacer, exchange)) && hasQuotaLeft(pacer))
    await sent(() => pacer.sendWithKeyNow(lockoutSteps.withKey, listRequest()));
  return pacer.isLockedOut || (isLost(exchange) && isLost(control)) ? undefined : exchange;
}

/** Tokens that may be locked out with each other, and not with requests that have none; the last one sent first. */
const TOKENS = [
  'key with other last characters',
  'key with one character more',
  'key without its last character',
  'unknown key',
] as const satisfies readonly InvalidCredential[];

/** The credential most like this one whose list returned 401. */
function answeredBefore({ session }: Pacer, kind: Credential['kind']): InvalidCredential {
  const known = new Set(session.exchanges.filter((one) => statusOf(one) === 401).map((one) => one.step));
  const like = kind === 'none' ? undefined : [kind, ...TOKENS].find((one) => known.has(one));
  return (like as InvalidCredential | undefined) ?? 'none';
}

/** Whether the key need not be tried, or was after an answer with this status: a lock of the key may reject it in the wrong place, too. */
function wasKeyTried({ session: { exchanges } }: Pacer, exchange: Exchange): boolean {
  if (isLost(exchange)) return true;
  const isSame = (one: Exchange): boolean =>
    one.caller === exchange.caller && statusOf(one) === statusOf(exchange);
  const first = exchanges.find(isSame) ?? exchange;
  return exchanges.some((one) => one.step === lockoutSteps.withKey && !isLost(one) && one.n > first.n);
}

const isLost = (exchange: Exchange): boolean => answerOf(exchange) === undefined;

/** An exchange, also where the transport takes the target for lost after it: everything else is tested, so the run goes on. */
async function sent(send: () => Promise<Exchange>): Promise<Exchange> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof TargetLostError) return error.exchange;
    throw error;
  }
}

/** Statuses by which firewalls and limiters reject whatever comes. */
const REJECTS_ANYTHING: ReadonlySet<number> = new Set([403, 418, 423, 503]);

/** Whether a lockout may answer so; at other paths than the specified one, a router answers much without any. */
function mayBeLockout({ session }: Pacer, exchange: Exchange, { path }: ProbeRequest): boolean {
  const answer = answerOf(exchange);
  if (answer === undefined || REJECTS_ANYTHING.has(answer.status)) return true;
  // With the headers of the service, a 429 is a limit of the service and a 401 what is expected.
  if (answer.status === 429) return !hasRateHeaders(exchange);
  if (answer.status === 401)
    return (
      !hasRateHeaders(exchange) &&
      session.exchanges.some((one) => statusOf(one) === 401 && hasRateHeaders(one))
    );
  if (path !== '/categories') return answer.status !== 404 && isHtml(exchange);
  return answer.status >= 400 || isHtml(exchange);
}

/** Whether one more request with the key can be sent at once and is surely below the limit. */
export function hasQuotaLeft(pacer: Pacer): boolean {
  const last = ofKey(pacer.session.exchanges).slice(-1);
  const isExhausted = last.some((one) => readingOf(one)?.remaining === 0);
  return !pacer.isRateLimited && !pacer.isKeyStopped && !isExhausted;
}
