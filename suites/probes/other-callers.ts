import { accepted } from '../../exchanges/outcome-kinds.ts';
import type { KeyedCaller } from '../wire/keyring.ts';
import { list } from './bodies.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

const as = (caller: KeyedCaller) => list({ credential: { kind: 'bearer', caller } });

/** The step that asks for the other caller while the examined key is exhausted. */
export const WHILE_EXHAUSTED = 'while the examined key is refused';

/** One request of another caller while the examined key is refused. */
export const otherCaller: Probe = {
  id: 'other-caller',
  asks: 'one request of another caller while the examined key is refused',
  cost: (inputs) => (inputs.otherKey ? { ...nothing, others: 1 } : null),
  async run(pacer) {
    if (!pacer.isRateLimited) {
      pacer.session.note('The examined key was not refused, so another caller would show nothing.');
      return;
    }
    await pacer.aside(WHILE_EXHAUSTED, as('other'));
  },
};

/** One request with a key of each further plan: its Limit is that plan's. */
export const furtherPlans: Probe = {
  id: 'further-plans',
  asks: 'one request with a key of each further plan',
  cost: (inputs) =>
    inputs.furtherPlans.length === 0 ? null : { ...nothing, others: inputs.furtherPlans.length },
  async run(pacer, inputs) {
    for (const plan of inputs.furtherPlans) await pacer.aside(`plan ${plan}`, as(`plan:${plan}`));
  },
};

/** Requests in a row that a key whose day is spent is accepted with before the target is accused. */
export const SPENT_REQUESTS = 5;

/** One request with a key whose day is spent; more where it is accepted, because a rolling day, or a bucket, gives a few back every hour. */
export const exhaustedDay: Probe = {
  id: 'exhausted-day',
  asks: 'one request with a key whose day is already spent',
  cost: (inputs) => (inputs.exhaustedKey ? { ...nothing, others: 1 } : null),
  async run(pacer) {
    for (let i = 0; i < SPENT_REQUESTS; i += 1) {
      if (!accepted(await pacer.aside('with a spent day', as('exhausted')))) return;
    }
  },
};
