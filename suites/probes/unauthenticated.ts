import type { Exchange } from '../../exchanges/exchange.ts';
import { refused } from '../../rate-limits/series.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { Stranger } from '../wire/keyring.ts';
import type { Question } from '../wire/session.ts';
import { create } from './bodies.ts';
import { namer } from './names.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

/** The two operations that the specification names without showing their shapes. */
export const NAMED_OPERATIONS = ['/store/orders', '/pets/1'] as const;

const get = (path: string, kind: Stranger): Question => ({ method: 'GET', path, credential: { kind } });

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
] as const satisfies readonly Stranger[];

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
] as const satisfies readonly Stranger[];

/** Left open by the specification, and asked beside the others. */
export const ANOTHER_CASE = 'key in another case' satisfies Stranger;

const presentations: readonly Stranger[] = [...NEAR_MISSES, ...MISPLACED, ANOTHER_CASE];

/** Before the first keyed request. */
export const coldStrangers: Probe = {
  id: 'cold-strangers',
  asks: 'every operation without a key, before any request with one',
  cost: () => ({ ...nothing, strangers: cold.length }),
  async run(pacer) {
    for (const question of cold)
      await pacer.asideAnswered('without a key, before any keyed request', question);
  },
};

const afterKeyed = (id: string, asks: string, questions: readonly Question[]): Probe => ({
  id,
  asks,
  cost: () => ({ ...nothing, strangers: questions.length }),
  async run(pacer) {
    for (const question of questions) {
      const step =
        question.credential.kind === 'none' ? 'without a key, after a keyed request' : 'unknown key';
      await pacer.asideAnswered(step, question);
    }
  },
});

export const warmStrangers = afterKeyed(
  'warm-strangers',
  'the list without a key right after a keyed request',
  warm,
);
export const warmStrangersNamed = afterKeyed(
  'warm-strangers-named',
  'the operations that are only named without a key, after keyed requests',
  warmNamed,
);

/** A question of the chapter's rest and the step that it is asked as. */
interface Asked {
  readonly step: string;
  readonly question: Question;
}

function rest(name: (what: string) => string): readonly Asked[] {
  const creation = (what: string, kind: Stranger): Question =>
    create({ name: name(what) }, { credential: { kind } });
  return [
    ...presentations.map((kind) => ({ step: kind, question: get('/categories', kind) })),
    ...NAMED_OPERATIONS.map((path) => ({
      step: `unknown key for ${path}`,
      question: get(path, 'unknown key'),
    })),
    { step: 'creation without a key', question: creation('no-key', 'none') },
    { step: 'creation with an unknown key', question: creation('bad-key', 'unknown key') },
    { step: 'invalid creation without a key', question: create({}, { credential: { kind: 'none' } }) },
  ];
}

/** The rest of the authentication chapter, asked while the examined key has to wait anyway. */
export const strangers: Probe = {
  id: 'strangers',
  asks: 'near misses of the key, the key in the wrong place, an unknown key, and creations without a key',
  cost: () => ({ ...nothing, strangers: rest(String).length }),
  async run(pacer, means) {
    for (const { step, question } of rest(namer(pacer, means))) {
      // The key has to wait, in every guise.
      if (!pacer.session.isTheKey(question.credential)) await pacer.asideAnswered(step, question);
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
export const strangersAgain: Probe = {
  id: 'strangers-again',
  asks: 'the same without a valid key once more, where the answer was 429',
  cost: () => nothing,
  async run(pacer, means) {
    let left = refusedSteps(pacer);
    for (let i = 0; i < MOST_WINDOWS && left.size > 0 && pacer.givenUp === undefined; i += 1) {
      await pacer.idle(1, 'a 429 to a request without a valid key may be about the examined key’s limit');
      if (pacer.givenUp !== undefined) return;
      for (const { step, question } of rest(namer(pacer, means)))
        if (left.has(step)) await pacer.asideAnswered(step, question);
      const still = refusedSteps(pacer);
      if (still.size === left.size) return;
      left = still;
    }
  },
};

/** What was asked without a valid key and answered 429, the last time that it was asked. */
function refusedSteps(pacer: Pacer): ReadonlySet<string> {
  const last = new Map<string, Exchange>();
  for (const exchange of pacer.session.exchanges) {
    const { probe, step } = exchange;
    if (probe === strangers.id || probe === strangersAgain.id) last.set(step, exchange);
  }
  return new Set([...last].filter(([, exchange]) => refused(exchange)).map(([step]) => step));
}
