import type { Exchange } from '../../exchanges/exchange.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { InvalidCredential } from '../wire/keyring.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { create } from './bodies.ts';
import { namer } from './names.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

/** The two operations that the specification names without showing their shapes. */
export const NAMED_OPERATIONS = ['/store/orders', '/pets/1'] as const;

const get = (path: string, kind: InvalidCredential): ProbeRequest => ({
  method: 'GET',
  path,
  credential: { kind },
});

/** Asked while no cache in front of the target has seen a keyed answer. */
const cold = [get('/categories', 'none'), ...NAMED_OPERATIONS.map((path) => get(path, 'none'))];

/** Asked right after a keyed request, in two portions: a 401 that spends the key's quota shows twice. */
const warm = [get('/categories', 'none'), get('/categories', 'unknown key')];
const warmNamed = NAMED_OPERATIONS.map((path) => get(path, 'none'));

/** The key but for a little. */
export const NEAR_MISSES = [
  'key without its last character',
  'key with one character more',
  'key with other last characters',
  'empty bearer',
] as const satisfies readonly InvalidCredential[];

/** The key itself, anywhere but behind `Authorization: Bearer`. */
export const MISPLACED = [
  'Basic with the key as user',
  'Basic with the key as password',
  'bare key',
  'another scheme',
  'query string',
  'cookie',
  'X-API-Key header',
  'another header',
] as const satisfies readonly InvalidCredential[];

/** Left open by the specification, and asked beside the others. */
export const ANOTHER_CASE = 'key in another case' satisfies InvalidCredential;

const presentations: readonly InvalidCredential[] = [...NEAR_MISSES, ...MISPLACED, ANOTHER_CASE];

/** Before the first keyed request. */
export const unauthenticatedBeforeKey: Probe = {
  id: 'unauthenticated-before-key',
  asks: 'every operation without a key, before any request with one',
  cost: () => ({ ...nothing, unauthenticated: cold.length }),
  async run(pacer) {
    for (const request of cold) await pacer.asideAnswered('without a key, before any keyed request', request);
  },
};

const afterKeyed = (id: string, asks: string, questions: readonly ProbeRequest[]): Probe => ({
  id,
  asks,
  cost: () => ({ ...nothing, unauthenticated: questions.length }),
  async run(pacer) {
    for (const request of questions) {
      const step =
        request.credential.kind === 'none' ? 'without a key, after a keyed request' : 'unknown key';
      await pacer.asideAnswered(step, request);
    }
  },
});

export const unauthenticatedAfterKey = afterKeyed(
  'unauthenticated-after-key',
  'the list without a key right after a keyed request',
  warm,
);
export const namedOperationsUnauthenticated = afterKeyed(
  'named-operations-unauthenticated',
  'the operations that are only named without a key, after keyed requests',
  warmNamed,
);

/** A question of the chapter's rest and the step that it is asked as. */
interface Asked {
  readonly step: string;
  readonly request: ProbeRequest;
}

function rest(name: (what: string) => string): readonly Asked[] {
  const creation = (what: string, kind: InvalidCredential): ProbeRequest =>
    create({ name: name(what) }, { credential: { kind } });
  return [
    ...presentations.map((kind) => ({ step: kind, request: get('/categories', kind) })),
    ...NAMED_OPERATIONS.map((path) => ({
      step: `unknown key for ${path}`,
      request: get(path, 'unknown key'),
    })),
    { step: 'creation without a key', request: creation('no-key', 'none') },
    { step: 'creation with an unknown key', request: creation('bad-key', 'unknown key') },
    { step: 'invalid creation without a key', request: create({}, { credential: { kind: 'none' } }) },
  ];
}

/** The rest of the authentication chapter, asked while the examined key has to wait anyway. */
export const unauthenticated: Probe = {
  id: 'invalid-credentials',
  asks: 'near misses of the key, the key in the wrong place, an unknown key, and creations without a key',
  cost: () => ({ ...nothing, unauthenticated: rest(String).length }),
  async run(pacer, inputs) {
    for (const { step, request } of rest(namer(pacer, inputs))) {
      // The key has to wait, in every guise.
      if (!pacer.session.isTheKey(request.credential)) await pacer.asideAnswered(step, request);
    }
  },
};

/** Windows that are left to pass for the sake of strangers, at the most. */
const MOST_WINDOWS = 3;

/**
 * Only where a 429 came instead: who is let in as the examined caller is
 * refused with it, and so is who has used up a small limit of strangers. When
 * a window has passed each of them gets the answer that tells, and where their
 * limit is smaller than what is asked, as many of them as it has room for.
 */
export const invalidCredentialsAgain: Probe = {
  id: 'invalid-credentials-again',
  asks: 'the same without a valid key once more, where the answer was 429',
  cost: () => nothing,
  async run(pacer, inputs) {
    let left = limitedSteps(pacer);
    for (let i = 0; i < MOST_WINDOWS && left.size > 0 && pacer.givenUp === undefined; i += 1) {
      await pacer.idle(1, 'a 429 to a request without a valid key may be about the examined key’s limit');
      if (pacer.givenUp !== undefined) return;
      for (const { step, request } of rest(namer(pacer, inputs)))
        if (left.has(step)) await pacer.asideAnswered(step, request);
      const still = limitedSteps(pacer);
      if (still.size === left.size) return;
      left = still;
    }
  },
};

/** What was asked without a valid key and answered 429, the last time that it was asked. */
function limitedSteps(pacer: Pacer): ReadonlySet<string> {
  const last = new Map<string, Exchange>();
  for (const exchange of pacer.session.exchanges) {
    const { probe, step } = exchange;
    if (probe === unauthenticated.id || probe === invalidCredentialsAgain.id) last.set(step, exchange);
  }
  return new Set([...last].filter(([, exchange]) => isRateLimited(exchange)).map(([step]) => step));
}
