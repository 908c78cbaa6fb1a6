import { exhaustQuota } from '../../../suites/probes/exhaust-quota.ts';
import { CONTROL_ROUNDS } from '../../../suites/probes/other-caller-again.ts';
import { otherCaller } from '../../../suites/probes/other-callers.ts';
import { preflight } from '../../../suites/probes/preflight.ts';
import { refill } from '../../../suites/probes/recovery.ts';
import type { Told } from './synthetic.ts';
import { START, Synthesis } from './synthetic.ts';

/** An untouched limit of 60, of which `count` are used up one by one; `more` is the same in each. */
export function used(count: number, more: Told = {}): Synthesis {
  const run = new Synthesis().add({ probe: 'preflight', step: preflight.steps.baseline, left: 59, ...more });
  for (let i = 1; i < count; i += 1) run.add({ left: Math.max(0, 59 - i), ...more });
  return run;
}

/**
 * What was doubtful once more, from a limit that was left alone: `count` requests
 * are accepted, and then comes each of `end`, so many seconds after the one before.
 */
export function anew(run: Synthesis, count: number, ...end: readonly (readonly [number, Told])[]): Synthesis {
  const probe = 'repetition';
  run.wait(122).add({ probe, step: preflight.steps.baselineAfterIdle, left: 59 });
  for (let i = 1; i < count; i += 1) run.add({ probe, left: Math.max(0, 59 - i) });
  for (const [wait, told] of end) run.wait(wait).add({ probe, ...told });
  return run;
}

/** A refusal that asks for this wait, in seconds. */
export const isRateLimited = (wait: number, more: Told = {}): Told => ({
  status: 429,
  left: 0,
  headers: [['Retry-After', String(wait)]],
  ...more,
});
/** So many answers more that did not come. */
export function dropped(count: number, run: Synthesis): Synthesis {
  for (let i = 0; i < count; i += 1) run.add({ noResponse: 'reset' });
  return run;
}
/** The same without rate-limit headers. */
export const bare: Told = { left: null };

/** Counts of one request each, some told by the number that is left. */
export const counts = (...told: readonly Told[]): Synthesis => {
  const run = new Synthesis().add({ probe: 'preflight', step: preflight.steps.baseline, left: 59 });
  for (const one of told) run.add(one);
  return run;
};
/** Accepted creations, by what each says is left. */
export const posts = (...left: readonly number[]): readonly Told[] =>
  left.map((one) => ({ method: 'POST', status: 201, left: one, body: '{}' }));
/** Accepted lists, by what each says is left. */
export const gets = (...left: readonly number[]): readonly Told[] => left.map((one) => ({ left: one }));
/** The same under a claimed address. */
export const claiming = (claims: string, ...left: readonly number[]): readonly Told[] =>
  left.map((one) => ({ claims, left: one }));
/** The same over one connection. */
export const over = (connection: number, ...left: readonly number[]): readonly Told[] =>
  left.map((one) => ({ connection, left: one }));

/** Batches of six of which one shows. */
export const lost = (): Synthesis => {
  const run = counts();
  for (const left of [57, 55, 53]) run.together(6, () => ({ left: left + 1 })).add({ left });
  return run;
};

/** Two workers that count for themselves, where nothing that is sent says which of them answers. */
export const workers = (...more: readonly Told[]): Synthesis =>
  counts(...gets(58, 57, 56, 59, 58, 55, 54, 57, 56, 53, 55, 52, 51, 54), ...more);

/** One control round: what the other caller is told before and after, and how many requests the examined key is allowed. */
export interface Controlled {
  readonly before: number;
  readonly allowed: number;
  readonly last?: Told;
}

/** The other caller got a 429, too, and then these control rounds were asked. */
export function controlled(...rounds: readonly Controlled[]): Synthesis {
  const other = { caller: 'other', left: null } as const;
  const step = otherCaller.steps.whileExhausted;
  const run = used(60)
    .add(isRateLimited(60))
    .add({ ...other, probe: 'other-caller', step, ...isRateLimited(60, bare) });
  const probe = 'other-caller-again';
  for (const [i, { before, allowed, last = isRateLimited(60) }] of rounds.entries()) {
    const steps = CONTROL_ROUNDS[i] ?? CONTROL_ROUNDS[1];
    run.wait(61);
    for (let n = 0; n < before; n += 1) run.add({ ...other, probe, step: steps.otherCallerFirst });
    run.add({ probe, step: steps.baseline, ...bare });
    for (let n = 1; n < allowed; n += 1) run.add({ probe, step: exhaustQuota.steps.oneByOne, ...bare });
    run.add({ probe, step: exhaustQuota.steps.oneByOne, ...isRateLimited(60, bare) });
    run.add({ ...other, probe, step: steps.otherCallerLast, ...last, left: null });
  }
  return run;
}

/** A limit that is used up, back after two windows, used again but for one request, and so much of it back a minute later. */
export function afterPenalty(back: number): Synthesis {
  const run = used(60).add(isRateLimited(120)).wait(120).add({ probe: 'recovery', left: 59 });
  for (let left = 58; left > 0; left -= 1) {
    run.add({ probe: 'refill', step: refill.steps.use, left });
  }
  return run.wait(61).add({ probe: 'refill', step: refill.steps.windowLater, left: back });
}

/** Two windows of half a minute, each announced, the first used up and the second nearly. */
export function halfWindows(): Synthesis {
  const run = new Synthesis();
  const reset = (seconds: number): Told => ({
    headers: [
      ['X-RateLimit-Limit', '60'],
      ['X-RateLimit-Reset', String(START + seconds)],
    ],
  });
  const left = (count: number, seconds: number, more: Told = {}): Told => ({
    ...reset(seconds),
    ...more,
    headers: [
      ...(reset(seconds).headers ?? []),
      ...(more.headers ?? []),
      ['X-RateLimit-Remaining', String(count)],
    ],
  });
  run.add(left(59, 30, { probe: 'preflight', step: preflight.steps.baseline }));
  for (let i = 58; i >= 0; i -= 1) run.add(left(i, 30));
  run.add(left(0, 30, { status: 429, headers: [['Retry-After', '30']] })).wait(30);
  for (let i = 59; i >= 10; i -= 1) run.add(left(i, 60, { probe: 'recovery' }));
  return run.wait(30).add(left(59, 90, { probe: 'refill' }));
}

/** A run that counts down from 59 in steps of these sizes, one request each. */
export const falls = (...steps: readonly number[]): Synthesis => {
  const run = new Synthesis().add({ probe: 'preflight', step: preflight.steps.baseline, left: 59 });
  let left = 59;
  for (const step of steps) {
    left -= step;
    run.add({ left });
  }
  return run;
};
