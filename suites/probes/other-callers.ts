import { accepted } from '../limits/series.ts';
import { statusOf } from '../model/headers.ts';
import type { KeyedCaller } from '../wire/keyring.ts';
import { list } from './bodies.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

const as = (caller: KeyedCaller) => list({ credential: { kind: 'bearer', caller } });

/** Requests of the examined key between two of the other one, when isolation is in doubt. */
const DOUBT_REQUESTS = 3;

/** The step that asks for the other caller while the examined key is exhausted. */
export const WHILE_EXHAUSTED = 'while the examined key is refused';

/** One request of another caller while the examined key is refused. */
export const otherCaller: Probe = {
  id: 'other-caller',
  asks: 'one request of another caller while the examined key is refused',
  cost: (means) => (means.otherKey ? { ...nothing, others: 1 } : null),
  async run(pacer) {
    if (!pacer.refused) {
      pacer.session.note('The examined key was not refused, so another caller would show nothing.');
      return;
    }
    await pacer.aside(WHILE_EXHAUSTED, as('other'));
  },
};

/** The steps of the second look at the other caller. */
export const DOUBT = {
  before: 'before requests of the examined key',
  after: 'after requests of the examined key',
} as const;

/**
 * Only where the other caller was refused: it may have used its own limit up
 * before this run. Whether the examined key spends it shows in its Remaining.
 */
export const otherCallerAgain: Probe = {
  id: 'other-caller-again',
  asks: 'whether requests of the examined key show in the other caller’s Remaining, if it was refused',
  cost: (means) => (means.otherKey ? nothing : null),
  async run(pacer) {
    const first = pacer.session.exchanges.find((exchange) => exchange.step === WHILE_EXHAUSTED);
    if (first === undefined || statusOf(first) !== 429 || pacer.givenUp !== undefined) return;
    await pacer.idle(
      1,
      'the other caller was refused, too, and its window must pass before that can be explained',
    );
    await pacer.aside(DOUBT.before, as('other'));
    for (let i = 0; i < DOUBT_REQUESTS; i += 1) await pacer.keyed('beside the other caller', list());
    await pacer.aside(DOUBT.after, as('other'));
  },
};

/** One request with a key of each further plan: its Limit is that plan's. */
export const furtherPlans: Probe = {
  id: 'further-plans',
  asks: 'one request with a key of each further plan',
  cost: (means) =>
    means.furtherPlans.length === 0 ? null : { ...nothing, others: means.furtherPlans.length },
  async run(pacer, means) {
    for (const plan of means.furtherPlans) await pacer.aside(`plan ${plan}`, as(`plan:${plan}`));
  },
};

/** Requests in a row that a key whose day is spent is accepted with before the target is accused. */
export const SPENT_REQUESTS = 5;

/** One request with a key whose day is spent; more where it is accepted, because a rolling day, or a bucket, gives a few back every hour. */
export const spentDay: Probe = {
  id: 'spent-day',
  asks: 'one request with a key whose day is already spent',
  cost: (means) => (means.spentKey ? { ...nothing, others: 1 } : null),
  async run(pacer) {
    for (let i = 0; i < SPENT_REQUESTS; i += 1) {
      if (!accepted(await pacer.aside('with a spent day', as('spent')))) return;
    }
  },
};
