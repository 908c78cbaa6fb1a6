import { accepted } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { KeyedCaller } from '../wire/keyring.ts';
import { listRequest } from './category-requests.ts';
import type { Probe } from './probe.ts';

const listAs = (caller: KeyedCaller) => listRequest({ credential: { kind: 'bearer', caller } });

const otherCallerSteps = { whileExhausted: 'other caller while the key under test is rate-limited' } as const;

/** One request of another caller between a 429 of the key under test and the end of its wait. */
export const otherCaller: Probe<typeof otherCallerSteps> = {
  id: 'other-caller',
  description: 'one request of another caller while the key under test is rate-limited',
  steps: otherCallerSteps,
  cost: (inputs) => (inputs.otherKey ? { withOtherKeys: 1 } : null),
  async run(pacer) {
    if (!pacer.isRateLimited) {
      pacer.session.note('The key under test got no 429, so a request of another caller would show nothing.');
      return;
    }
    await pacer.sendOutsideQuota(otherCallerSteps.whileExhausted, listAs('other'));
  },
};

const furtherPlansSteps = { list: 'list with a key of a further plan' } as const;

/** One request with a key of each further plan: its Limit is that plan's. */
export const furtherPlans: Probe<typeof furtherPlansSteps> = {
  id: 'further-plans',
  description: 'one request with a key of each further plan',
  steps: furtherPlansSteps,
  cost: (inputs) => (inputs.furtherPlans.length === 0 ? null : { withOtherKeys: inputs.furtherPlans.length }),
  async run(pacer, inputs) {
    for (const plan of inputs.furtherPlans) {
      await pacer.sendOutsideQuota(furtherPlansSteps.list, listAs(`plan:${plan}`));
    }
  },
};

/** This many accepted requests in a row show that an exhausted daily quota is not enforced. */
export const EXHAUSTED_KEY_REQUESTS = 5;

const exhaustedDaySteps = { list: 'list with a key whose daily quota is exhausted' } as const;

/** One request with a key whose daily quota is exhausted; more where it is accepted, because a rolling day or a bucket allows a few more every hour. */
export const exhaustedDay: Probe<typeof exhaustedDaySteps> = {
  id: 'exhausted-day',
  description: 'one request with a key whose daily quota is exhausted',
  steps: exhaustedDaySteps,
  cost: (inputs) => (inputs.exhaustedKey ? { withOtherKeys: 1 } : null),
  async run(pacer) {
    for (let i = 0; i < EXHAUSTED_KEY_REQUESTS; i += 1) {
      if (!accepted(await pacer.sendOutsideQuota(exhaustedDaySteps.list, listAs('exhausted')))) return;
    }
  },
};
