import type { Caller, Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';
import { exhaustQuota } from '../../../suites/service/probes/exhaust-quota.ts';
import { CONTROL_ROUNDS, otherCaller } from '../../../suites/service/probes/other-callers.ts';
import { pacedWindow } from '../../../suites/service/probes/paced-window.ts';
import { preflight } from '../../../suites/service/probes/preflight.ts';
import { recovery, refill } from '../../../suites/service/probes/recovery.ts';
import { at, header } from './edits.ts';
import type { StagedExchange } from './synthetic.ts';
import { RUN, START, Synthesis } from './synthetic.ts';

/** A full quota of 60, of which `count` requests are used one by one; `more` is the same in each. */
export function used(count: number, more: StagedExchange = {}): Synthesis {
  const run = new Synthesis().add({ probe: 'preflight', step: preflight.steps.baseline, left: 59, ...more });
  return run.add(...times(count - 1, (i) => ({ left: Math.max(0, 58 - i), ...more })));
}

/** So many exchanges, one after another. */
const times = (count: number, staged: (i: number) => StagedExchange): readonly StagedExchange[] =>
  Array.from({ length: count }, (_, i) => staged(i));

/** The lines of a run whose every Reset is one moment, so many seconds after its start. */
export const withOneReset = (run: Synthesis, seconds: number): readonly JournalLine[] =>
  at(() => true, header('X-RateLimit-Reset', String(START + seconds)))(run.lines());

/**
 * A repetition after two idle windows: `count` requests are accepted, then the
 * exchanges of `end` follow, each this many seconds after the one before.
 */
export function anew(
  run: Synthesis,
  count: number,
  ...end: readonly (readonly [number, StagedExchange])[]
): Synthesis {
  const probe = 'repetition';
  run.wait(122).add({ probe, step: preflight.steps.baselineAfterIdle, left: 59 });
  run.add(...times(count - 1, (i) => ({ probe, left: Math.max(0, 58 - i) })));
  for (const [wait, told] of end) run.wait(wait).add({ probe, ...told });
  return run;
}

/** The same in this repetition and in two more, each from a limit that was left alone. */
export const thrice = (run: Synthesis, count: number, ...end: Parameters<typeof anew>[2][]): Synthesis =>
  [1, 2, 3].reduce((before) => anew(before, count, ...end), run);

/** The lines of a run with a key that no other client uses, as the user states. */
export const exclusively = (run: Synthesis): readonly JournalLine[] =>
  run.lines({ inputs: { ...RUN.inputs, exclusiveKey: true } });

/** A 429 response with this Retry-After, in seconds, which ends at its Reset where it is no longer than a window. */
export const isRateLimited = (wait: number, more: StagedExchange = {}): StagedExchange => ({
  status: 429,
  left: 0,
  resetIn: Math.min(wait, 60),
  headers: [['Retry-After', String(wait)]],
  ...more,
});
/** Adds this many requests whose connections were reset. */
export const dropped = (count: number, run: Synthesis): Synthesis =>
  run.add(...times(count, () => ({ noResponse: 'reset' })));
/** So many further responses from an unavailable service. */
export const unavailable = (count: number, run: Synthesis): Synthesis =>
  run.add(...times(count, () => ({ status: 503, left: null })));
/** A response without rate-limit headers. */
export const bare: StagedExchange = { left: null };

/** A baseline request and these exchanges. */
export const counts = (...staged: readonly StagedExchange[]): Synthesis =>
  new Synthesis().add({ probe: 'preflight', step: preflight.steps.baseline, left: 59 }, ...staged);
/** Accepted creations with these values of Remaining. */
export const posts = (...left: readonly number[]): readonly StagedExchange[] =>
  left.map((one) => ({ method: 'POST', status: 201, left: one, body: '{}' }));
/** Accepted lists with these values of Remaining. */
export const gets = (...left: readonly number[]): readonly StagedExchange[] =>
  left.map((one) => ({ left: one }));
/** Accepted lists with this X-Forwarded-For. */
export const claiming = (claims: string, ...left: readonly number[]): readonly StagedExchange[] =>
  left.map((one) => ({ claims, left: one }));
/** Accepted lists with another claimed address and another Accept-Language. */
export const speaking = (...left: readonly number[]): readonly StagedExchange[] =>
  left.map((one) => ({ claims: '198.51.100.23', language: 'nl', left: one }));
/** Accepted lists over this connection. */
export const over = (connection: number, ...left: readonly number[]): readonly StagedExchange[] =>
  left.map((one) => ({ connection, left: one }));

/** Batches of six parallel requests of which the limiter counts one. */
export const lost = (): Synthesis => {
  const run = counts();
  for (const left of [57, 55, 53]) run.together(6, () => ({ left: left + 1 })).add({ left });
  return run;
};

/** After `count` single requests, six at the same time that lower Remaining by one, and a single one that lowers it once more. */
export function batchCountedOnce(count: number, run: Synthesis = used(count)): Synthesis {
  const left = 60 - count;
  return run.together(6, () => ({ left: left - 1 })).add({ left: left - 2 });
}

/** Two workers with separate counters; no property of a request decides which of them answers. */
export const workers = (...more: readonly StagedExchange[]): Synthesis =>
  counts(...gets(58, 57, 56, 59, 58, 55, 54, 57, 56, 53, 55, 52, 51, 54), ...more);

/**
 * The other key also received a 429, and these control rounds followed: the responses to the other key before and after,
 * and how many requests of the tested key are accepted.
 */
export function controlled(
  ...rounds: readonly { before: number; allowed: number; last?: StagedExchange }[]
): Synthesis {
  const other = { caller: 'other', left: null } as const;
  const step = otherCaller.steps.whileExhausted;
  const run = used(60)
    .add(isRateLimited(60))
    .add({ ...other, probe: 'other-caller', step, ...isRateLimited(60, bare) });
  const probe = 'other-caller-again';
  for (const [i, { before, allowed, last = isRateLimited(60) }] of rounds.entries()) {
    const steps = CONTROL_ROUNDS[i] ?? CONTROL_ROUNDS[1];
    run.wait(61);
    run.add(
      ...times(before, () => ({ ...other, probe, step: steps.otherCallerFirst })),
      { probe, step: steps.baseline, ...bare },
      ...times(allowed - 1, () => ({ probe, ...bare })),
      { probe, ...isRateLimited(60, bare) },
      { ...other, probe, step: steps.otherCallerLast, ...last, left: null },
    );
  }
  return run;
}

/** A quota that is exhausted, or limited after this many, restored after two windows, used again except for one request, and of which `back` requests are restored a minute later. */
export function afterPenalty(back: number, limitedAfter = 60, pause = 61): Synthesis {
  const run = used(limitedAfter).add(isRateLimited(120)).wait(120).add({ probe: 'recovery', left: 59 });
  run.add(...times(58, (i) => ({ probe: 'refill', step: refill.steps.use, left: 58 - i })));
  return run.wait(pause).add({ probe: 'refill', step: refill.steps.windowLater, left: back });
}

/**
 * A 429 after so many requests that asks for this wait, in seconds, the request after it, and these many at the pace of
 * the plan: with so many creations among them, and so many seconds between a response and the next one.
 */
export function paced(before: number, count: number, wait = 120, creations = 0, pause = 1.02): Synthesis {
  const run = used(before)
    .add(isRateLimited(wait))
    .wait(wait)
    .add({ probe: recovery.id, step: recovery.steps.afterRetryAfter, left: 9 });
  for (let n = 0; n < count; n += 1)
    run.wait(pause).add({
      probe: pacedWindow.id,
      step: pacedWindow.steps.paced,
      left: 9,
      ...(n < creations ? { method: 'POST', status: 201 } : {}),
    });
  return run;
}

/** Two announced windows of half a minute; the first quota is exhausted, of the second this many remain, after so many seconds. */
export function halfWindows(remaining = 10, late = 0): Synthesis {
  const run = new Synthesis();
  run.add({ left: 59, reset: 30, probe: 'preflight', step: preflight.steps.baseline });
  for (let left = 58; left >= 0; left -= 1) run.add({ left, reset: 30 });
  run.add({ left: 0, reset: 30, status: 429, headers: [['Retry-After', '30']] }).wait(30);
  run.add({ left: 59, reset: 60, probe: 'recovery' }).wait(late);
  for (let left = 58; left >= remaining; left -= 1) run.add({ left, reset: 60, probe: 'recovery' });
  return run.wait(30 - late).add({ left: 59, reset: 90, probe: 'refill' });
}

/** A run in which Remaining falls from 59 by these steps, one request each. */
export const falls = (...steps: readonly number[]): Synthesis => {
  const run = counts();
  let left = 59;
  for (const step of steps) {
    left -= step;
    run.add({ left });
  }
  return run;
};

/** Lists (L) and creations (P) in this order, each of which takes one; what a creation shows follows from what remains. */
export function byKind(order: string, shown: (left: number) => number): Synthesis {
  const run = counts();
  let left = 59;
  for (const kind of order) {
    left -= 1;
    run.add(...(kind === 'P' ? posts(shown(left)) : gets(left)));
  }
  return run;
}

/** Requests of which every fifth takes two, and the others one; after each five a pause of so many milliseconds. */
export function everyFifth(pausesMs: readonly number[]): Synthesis {
  const run = counts();
  let left = 59;
  for (const [block, pause] of pausesMs.entries()) {
    for (let i = 0; i < 5; i += 1) {
      left -= (5 * block + i) % 5 === 3 ? 2 : 1;
      run.add({ left });
    }
    run.wait(pause / 1000);
  }
  return run;
}

const CALLERS: Readonly<Record<string, Caller>> = { K: 'key', O: 'other', U: 'unauthenticated' };

/**
 * Lists by the key, another one or without a valid one, and their statuses, `-` for no response: `U401 K200`. A page has
 * `p` behind it, and `e` is the end of the quota; a small letter is the probe that gets a key banned.
 */
export function inTurn(text: string): readonly Exchange[] {
  const run = new Synthesis();
  for (const one of text.split(' ')) {
    const [, caller = '', status = '', mark = ''] = /^(.)([0-9]+|-)([ep]?)$/.exec(one) ?? [];
    const probe = mark === 'e' ? exhaustQuota.id : preflight.id;
    run.add({
      probe: caller === caller.toLowerCase() ? 'ban' : probe,
      caller: CALLERS[caller.toUpperCase()] ?? 'key',
      ...(mark === 'p' ? { headers: [['Content-Type', 'text/html']], body: '<html>' } : { left: 1 }),
      ...(status === '-' ? { noResponse: 'timeout' } : { status: Number(status) }),
    });
  }
  return run.exchanges;
}
