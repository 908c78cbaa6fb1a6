import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf } from '../../exchanges/headers.ts';
import { accepted, isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { announcedWaitSeconds } from '../../exchanges/retry-after.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { list } from './bodies.ts';
import { sendPastLimit } from './exhaust-quota.ts';
import { WHILE_EXHAUSTED } from './other-callers.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

/** The steps of the two control rounds, each in its order; the drain of the examined key has steps of its own. */
export const CONTROL_ROUNDS = [
  {
    alone: 'the other caller alone',
    begin: 'the examined key after the other caller',
    exhausted: 'the other caller while the examined key is exhausted',
  },
  {
    alone: 'the other caller alone, a second time',
    begin: 'the examined key after the other caller, a second time',
    exhausted: 'the other caller while the examined key is exhausted, a second time',
  },
] as const;

/** The steps of one control round. */
export type ControlRound = (typeof CONTROL_ROUNDS)[number];

/** What is asked in one round: how long both keys rest before it, in windows, and how often the other caller asks. */
interface Amount {
  readonly windows: number;
  readonly requests: number;
}

/** The smallest limit per minute in which two rounds can differ enough. */
const LEAST_LIMIT = 36;

/** After so many windows a sliding counter has forgotten what was used before, too. */
const RESTED = 2;

/** The least by which the rounds differ in requests of the other caller. */
export const APART = 6;

/**
 * How much the two rounds ask. The numbers are drawn for the run, so that
 * nobody who uses either key meanwhile follows them: not even a second run of
 * this program, started at the same moment with the two keys exchanged.
 */
function amounts(tag: string): readonly [Amount, Amount] {
  const first = 2 + drawn(tag, 1, 6);
  return [
    { windows: RESTED + drawn(tag, 2, 8) / 8, requests: first },
    { windows: RESTED + drawn(tag, 3, 8) / 8, requests: first + APART + drawn(tag, 4, 6) },
  ];
}

/** A whole number from 0 to `below` - 1 that follows from the run's tag. */
function drawn(tag: string, salt: number, below: number): number {
  let sum = salt;
  for (const character of tag) sum = (31 * sum + character.charCodeAt(0)) % 65_521;
  return sum % below;
}

/**
 * Only where the other caller got a 429, too: its own limit may have been used
 * up before, by another client of that key. Two control rounds tell. In each
 * both keys rest for two windows, the other caller sends a few requests, the
 * examined key exhausts its quota, and the other caller asks once more. It
 * ends as soon as the other caller is accepted although the examined key is
 * exhausted, or gets a 429 although the examined key rested.
 */
export const otherCallerAgain: Probe = {
  id: 'other-caller-again',
  asks: 'whether the two callers share a limit, if the other one got a 429, too',
  cost: (inputs) => (inputs.otherKey ? nothing : null),
  async run(pacer, inputs) {
    const first = pacer.session.exchanges.find((exchange) => exchange.step === WHILE_EXHAUSTED);
    if (first === undefined || !isRateLimited(first) || !worthTrying(pacer, first)) return;
    for (const [i, amount] of amounts(inputs.tag).entries()) {
      const steps = CONTROL_ROUNDS[i];
      if (steps === undefined || !(await round(pacer, steps, amount))) return;
    }
  },
};

/** Nothing is asked of a key that was told to wait for longer than a run waits, nor where a round shows nothing. */
function worthTrying(pacer: Pacer, first: Exchange): boolean {
  const { minuteSeconds, perMinute } = pacer.limits;
  const answer = answerOf(first);
  const wait = answer === undefined ? undefined : announcedWaitSeconds(answer);
  if (perMinute < LEAST_LIMIT) {
    pacer.session.note(`A limit of ${perMinute} is too small to tell two callers apart.`);
  } else if ((wait ?? 0) > minuteSeconds * 2) {
    pacer.session.note(`The other caller is asked to wait for ${wait} s, which is longer than the window.`);
  } else {
    return pacer.givenUp === undefined;
  }
  return false;
}

/** One control round; false where a second one would add nothing. */
async function round(pacer: Pacer, steps: ControlRound, { windows, requests }: Amount): Promise<boolean> {
  await pacer.idle(windows, 'the other caller got a 429, too, and both limits must be untouched to see why');
  if (pacer.givenUp !== undefined) return false;
  const other = list({ credential: { kind: 'bearer', caller: 'other' } });
  for (let i = 0; i < requests; i += 1) {
    if (!accepted(await pacer.aside(steps.alone, other))) return false;
  }
  await pacer.keyed(steps.begin, list());
  await sendPastLimit(pacer);
  return pacer.isRateLimited && isRateLimited(await pacer.aside(steps.exhausted, other));
}
