import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { announcedWaitSeconds } from '../../../kernel/exchanges/rate-headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { KeyedCaller } from '../wire/keyring.ts';
import { listRequest } from './category-requests.ts';
import { exhaustQuota, sendPastLimit } from './exhaust-quota.ts';
import type { Probe, RunInputs } from './probe.ts';
import { drawn, stepsNamed } from './probe.ts';

const listAs = (caller: KeyedCaller) => listRequest({ credential: { kind: 'bearer', caller } });

/** One request of another caller between a 429 of the key under test and the end of its wait. */
export const otherCaller = {
  id: 'other-caller',
  description: 'one request of another caller while the key under test is rate-limited',
  steps: { whileExhausted: 'other caller while the key under test is rate-limited' },
  cost: (inputs) => (inputs.otherKey ? { withOtherKeys: 1 } : null),
  async run(pacer) {
    if (!pacer.isRateLimited) {
      pacer.session.note('The key under test got no 429, so a request of another caller would show nothing.');
      return;
    }
    await pacer.sendOutsideQuota(otherCaller.steps.whileExhausted, listAs('other'));
  },
} as const satisfies Probe;

/** One request with a key of each further plan: its Limit is that plan's. */
export const furtherPlans = {
  id: 'further-plans',
  description: 'one request with a key of each further plan',
  steps: { list: 'list with a key of a further plan' },
  cost: (inputs) => (inputs.furtherPlans.length === 0 ? null : { withOtherKeys: inputs.furtherPlans.length }),
  async run(pacer, inputs) {
    for (const plan of inputs.furtherPlans) {
      await pacer.sendOutsideQuota(furtherPlans.steps.list, listAs(`plan:${plan}`));
    }
  },
} as const satisfies Probe;

/** This many accepted requests in a row show that an exhausted daily quota is not enforced. */
export const EXHAUSTED_KEY_REQUESTS = 5;

/** One request with a key whose daily quota is exhausted; more where it is accepted, because a rolling day or a bucket allows a few more every hour. */
export const exhaustedDay = {
  id: 'exhausted-day',
  description: 'one request with a key whose daily quota is exhausted',
  steps: { list: 'list with a key whose daily quota is exhausted' },
  cost: (inputs) => (inputs.exhaustedKey ? { withOtherKeys: 1 } : null),
  async run(pacer) {
    for (let i = 0; i < EXHAUSTED_KEY_REQUESTS; i += 1) {
      if (!accepted(await pacer.sendOutsideQuota(exhaustedDay.steps.list, listAs('exhausted')))) return;
    }
  },
} as const satisfies Probe;

const roundOf = <const Which extends string>(which: Which) =>
  ({
    otherCallerFirst: `other caller before the key under test${which}`,
    baseline: `key under test after the other caller${which}`,
    otherCallerLast: `other caller after the quota of the key under test${which}`,
  }) as const;

/** The steps of the two control rounds, each in its order. The key under test exhausts its quota with the steps of `exhaust-quota`. */
export const CONTROL_ROUNDS = [roundOf(''), roundOf(', second round')] as const;

export type ControlRound = (typeof CONTROL_ROUNDS)[number];

/** The smallest limit per minute in which two rounds can differ enough. */
const LEAST_LIMIT = 36;

/** After this many windows a sliding counter has forgotten earlier requests, too. */
const REST_WINDOWS = 2;

/** The least by which the rounds differ in requests of the other caller. */
const LEAST_DIFFERENCE = 6;

/**
 * For how many windows both keys rest before each round, and how many requests the other caller sends in it. Drawn for the
 * run, so that no other user of either key follows them by chance, not even this program.
 */
const roundsOf = (tag: string) =>
  CONTROL_ROUNDS.map((steps, i) => ({
    steps,
    windows: REST_WINDOWS + drawn(tag, 2 + i, 8) / 8,
    requests: 2 + drawn(tag, 1, 6) + i * (LEAST_DIFFERENCE + drawn(tag, 4, 6)),
  }));

/** Sent only where the other caller got a 429, too: another client of its key may have exhausted its quota. Ends once that shows. */
export const otherCallerAgain = {
  id: 'other-caller-again',
  description: 'whether two callers share one limit, where the other caller got a 429, too',
  steps: {
    ...stepsNamed(CONTROL_ROUNDS.flatMap((round) => Object.values(round))),
    ...exhaustQuota.steps,
  },
  cost: (inputs) => (inputs.otherKey ? {} : null),
  async run(pacer, inputs) {
    const first = pacer.session.exchanges.find(
      (exchange) => exchange.step === otherCaller.steps.whileExhausted,
    );
    if (first === undefined || !isRateLimited(first) || !isDecidable(pacer, first)) return;
    for (const round of roundsOf(inputs.tag)) if (!(await sendRound(pacer, inputs, round))) return;
  },
} as const satisfies Probe;

/** Whether control rounds can decide. Notes why not: the limit is too small, or the other caller has to wait too long. */
function isDecidable(pacer: Pacer, first: Exchange): boolean {
  const { minuteSeconds, perMinute } = pacer.limits;
  const wait = announcedWaitSeconds(first) ?? 0;
  if (perMinute < LEAST_LIMIT) {
    pacer.session.note(`A limit of ${perMinute} is too small to tell the limits of two callers apart.`);
  } else if (wait > minuteSeconds * 2) {
    pacer.session.note(
      `Retry-After asks the other caller to wait for ${wait} s, which is longer than the window.`,
    );
  } else {
    return true;
  }
  return false;
}

/** Sends one control round; false where a second one would add nothing. */
async function sendRound(
  pacer: Pacer,
  inputs: RunInputs,
  { steps, windows, requests }: ReturnType<typeof roundsOf>[number],
): Promise<boolean> {
  const because = 'the other caller got a 429, too; both quotas must be full to see why';
  if (!(await pacer.leaveKeyIdle(windows, because))) return false;
  const other = listAs('other');
  for (let i = 0; i < requests; i += 1) {
    if (!accepted(await pacer.sendOutsideQuota(steps.otherCallerFirst, other))) return false;
  }
  await pacer.sendWithKey(steps.baseline, listRequest());
  await sendPastLimit(pacer, inputs);
  return pacer.isRateLimited && isRateLimited(await pacer.sendOutsideQuota(steps.otherCallerLast, other));
}
