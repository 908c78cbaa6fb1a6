import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { hasToWaitWithoutKey } from '../pacing/wait-without-key.ts';
import type { InvalidCredential } from '../wire/keyring.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { categoryNamer } from './category-names.ts';
import type { LabelledRequest } from './category-requests.ts';
import { createRequest, unauthenticatedList } from './category-requests.ts';
import type { Probe, RunInputs } from './probe.ts';
import { stepsNamed } from './probe.ts';

/** The two operations that the specification names without showing their shapes. */
export const NAMED_OPERATIONS = ['/store/orders', '/pets/1'] as const;

/** Sent while no cache in front of the target has seen a response to the key. */
const beforeKey = [
  unauthenticatedList(),
  ...NAMED_OPERATIONS.map((path) => unauthenticatedList('none', { path })),
];

/** Sent right after a request with the key, in two portions: a 401 that uses the key's quota shows twice. */
const listsAfterKey = [unauthenticatedList(), unauthenticatedList('unknown key')];
const namedOperationsAfterKey = NAMED_OPERATIONS.map((path) => unauthenticatedList('none', { path }));

/** Credentials that differ from the key by little. */
export const NEAR_MISSES = [
  'key without its last character',
  'key with one character more',
  'key with other last characters',
  'empty bearer',
] as const satisfies readonly InvalidCredential[];

/** The key itself in another place than `Authorization: Bearer`. */
export const MISPLACED_KEYS = [
  'Basic with the key as user',
  'Basic with the key as password',
  'bare key',
  'another scheme',
  'query string',
  'cookie',
  'X-API-Key header',
  'another header',
] as const satisfies readonly InvalidCredential[];

const PRESENTATIONS: readonly InvalidCredential[] = [...NEAR_MISSES, ...MISPLACED_KEYS];

const beforeKeySteps = { withoutKey: 'without a key, before any request with the key' } as const;

/** Sent before the first request with the key. */
export const unauthenticatedBeforeKey: Probe<typeof beforeKeySteps> = {
  id: 'unauthenticated-before-key',
  description: 'every operation without a key, before any request with the key',
  steps: beforeKeySteps,
  cost: () => ({ unauthenticated: beforeKey.length }),
  async run(pacer) {
    for (const request of beforeKey) await pacer.sendOutsideQuotaAndRetry(beforeKeySteps.withoutKey, request);
  },
};

const afterKeySteps = {
  withoutKey: 'without a key, after a request with the key',
  unknownKey: 'unknown key',
} as const;

const afterKey = (
  id: string,
  description: string,
  requests: readonly ProbeRequest[],
): Probe<typeof afterKeySteps> => ({
  id,
  description,
  steps: afterKeySteps,
  cost: () => ({ unauthenticated: requests.length }),
  async run(pacer) {
    for (const request of requests) {
      const { withoutKey, unknownKey } = afterKeySteps;
      const step = request.credential.kind === 'none' ? withoutKey : unknownKey;
      await pacer.sendOutsideQuotaAndRetry(step, request);
    }
  },
});

/** The list, which a cache or a session may answer to anybody. */
export const unauthenticatedAfterKey = afterKey(
  'unauthenticated-after-key',
  'the list without a key and with an unknown one, right after a request with the key',
  listsAfterKey,
);
/** The operations that the specification only names. */
export const namedOperationsUnauthenticated = afterKey(
  'named-operations-unauthenticated',
  'the operations that are only named without a key, after requests with the key',
  namedOperationsAfterKey,
);

const steps = {
  ...stepsNamed([...NEAR_MISSES, ...MISPLACED_KEYS]),
  ...stepsNamed(NAMED_OPERATIONS.map((path) => `unknown key for ${path}` as const)),
  creationWithoutKey: 'creation without a key',
  creationWithUnknownKey: 'creation with an unknown key',
  invalidCreationWithoutKey: 'invalid creation without a key',
} as const;

function requestsOf(name: (what: string) => string): readonly LabelledRequest[] {
  const creation = (what: string, kind: InvalidCredential): ProbeRequest =>
    createRequest({ name: name(what) }, { credential: { kind } });
  return [
    ...PRESENTATIONS.map((kind) => ({ step: kind, request: unauthenticatedList(kind) })),
    ...NAMED_OPERATIONS.map((path) => ({
      step: `unknown key for ${path}`,
      request: unauthenticatedList('unknown key', { path }),
    })),
    { step: steps.creationWithoutKey, request: creation('no-key', 'none') },
    { step: steps.creationWithUnknownKey, request: creation('bad-key', 'unknown key') },
    {
      step: steps.invalidCreationWithoutKey,
      request: createRequest({}, { credential: { kind: 'none' } }),
    },
  ];
}

/** The other requests of the authentication chapter, sent while the key under test has to wait anyway. */
export const invalidCredentials: Probe<typeof steps> = {
  id: 'invalid-credentials',
  description:
    'near misses of the key, the key in the wrong place, an unknown key, and creations without a key',
  steps,
  cost: () => ({ unauthenticated: requestsOf(String).length }),
  async run(pacer, inputs) {
    if (!hasToWaitWithoutKey(pacer)) await sendUntilLimited(pacer, unanswered(pacer, inputs));
  },
};

/** The most windows that pass for the sake of unauthenticated requests: a limit of four of them shows every response. */
const MOST_WINDOWS = 5;

/**
 * Sent only where such a request got a 429: a target that takes it for the key
 * under test rate-limits it like that key, and a small limit for
 * unauthenticated requests may be exhausted. When a window has passed, each
 * request gets the response that counts. Where that limit is smaller than the
 * number of requests, as many as it allows get theirs in each window. None
 * follows a 429 within its window: a target may bar callers that keep sending.
 */
export const invalidCredentialsAgain: Probe<typeof steps> = {
  id: 'invalid-credentials-again',
  description: 'the requests without a valid key that were rate-limited, once more',
  steps,
  cost: () => ({}),
  async run(pacer, inputs) {
    let left = unanswered(pacer, inputs);
    for (let i = 0; i < MOST_WINDOWS && left.length > 0 && !pacer.isKeyStopped; i += 1) {
      await pacer.leaveKeyIdle(
        1,
        'a 429 to a request without a valid key may be about the limit of the key under test',
      );
      if (pacer.isKeyStopped) return;
      await sendUntilLimited(pacer, left);
      const before = left.length;
      left = unanswered(pacer, inputs);
      if (left.length === before) return;
    }
  },
};

/** Sends the requests in turn until one is rate-limited. */
async function sendUntilLimited(pacer: Pacer, requests: readonly LabelledRequest[]): Promise<void> {
  for (const { step, request } of requests) {
    if (isRateLimited(await pacer.sendOutsideQuotaAndRetry(step, request))) return;
  }
}

/** The requests that were not sent yet, or whose last response was 429. */
function unanswered(pacer: Pacer, inputs: RunInputs): readonly LabelledRequest[] {
  const { session } = pacer;
  const answered = new Set<string>();
  for (const exchange of session.exchanges) {
    const { probe, step } = exchange;
    const isOurs = probe === invalidCredentials.id || probe === invalidCredentialsAgain.id;
    if (isOurs && !isRateLimited(exchange)) answered.add(step);
  }
  return requestsOf(categoryNamer(pacer, inputs)).filter(
    // A key without letters is the same in another case, and has to wait.
    ({ step, request }) => !answered.has(step) && !session.isKeyUnderTest(request.credential),
  );
}
