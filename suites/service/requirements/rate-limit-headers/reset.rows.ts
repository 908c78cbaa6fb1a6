import type { VerdictRow } from '../../../../evaluation/testing/suites/rows.ts';
import type { StagedExchange } from '../../../../evaluation/testing/suites/synthetic.ts';
import { START, Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import type { HeaderLine } from '../../../../kernel/exchanges/exchange.ts';
import { preflight } from '../../probes/preflight.ts';

/** A response of the minute with this Remaining, and this Reset in seconds after the start. */
function shows(left: number, reset: number): StagedExchange {
  const headers: readonly HeaderLine[] = [
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Remaining', String(left)],
    ['X-RateLimit-Reset', String(START + reset)],
  ];
  return { headers };
}

const begun = (reset: number): Synthesis =>
  new Synthesis().add({ probe: 'preflight', step: preflight.steps.baseline, ...shows(59, reset) });

/** The same Remaining for the first seven requests, and later Resets `after` a pause of some seconds. */
function sevenUncounted(first: number, after: number): Synthesis {
  const run = begun(first).add(shows(59, first));
  run.together(6, () => shows(59, first));
  for (const left of [58, 57, 56]) run.add(shows(left, after));
  run.wait(2.5);
  for (const left of [55, 54, 53]) run.add(shows(left, after));
  return run;
}

/** RATE-7: a jump of Remaining while responses announce one Reset is no window that began anew. */
export const oneResetRows = (): readonly VerdictRow[] => [
  {
    id: 'RATE-7',
    description: 'seven requests before the first fall, under one Reset that stands still',
    journal: () => sevenUncounted(60, 60).lines(),
    verdict: 'fail',
  },
  {
    id: 'RATE-7',
    description: 'the same where Reset moved on by a window with the jump',
    journal: () => sevenUncounted(4, 64).lines(),
    verdict: 'pass',
  },
];

/** One request every 100 ms with these Resets. */
function resets(...seconds: readonly number[]): Synthesis {
  const run = begun(seconds[0] ?? 60);
  for (const [i, reset] of seconds.entries()) run.wait(0.1).add(shows(58 - i, reset));
  return run;
}

/** RATE-9: a Reset that goes back and forth. */
export const resetSwingRows = (): readonly VerdictRow[] => [
  {
    id: 'RATE-9',
    description: 'back and forth by twenty seconds',
    journal: () => resets(60, 40, 60, 40, 60, 40).lines(),
    verdict: 'warn',
  },
  {
    id: 'RATE-9',
    description: 'back once',
    journal: () => resets(60, 60, 40, 40, 40, 40).lines(),
    verdict: 'pass',
  },
  {
    id: 'RATE-9',
    description: 'back and forth by a second (K25)',
    journal: () => resets(60, 59, 60, 59, 60, 61).lines(),
    verdict: 'pass',
  },
  {
    id: 'RATE-9',
    description: 'on by a second with each request, as that of a bucket that is full then',
    journal: () => resets(1, 2, 3, 4, 5, 6).lines(),
    verdict: 'pass',
  },
];

/** Requests from a full quota on under one Reset, and from `after` seconds on from a full quota again, under another. */
function windowsOf(first: readonly [count: number, reset: number], after: number, reset: number): Synthesis {
  const run = begun(first[1]);
  for (let left = 58; left > 59 - first[0]; left -= 1) run.wait(0.02).add(shows(left, first[1]));
  run.wait(after);
  for (let left = 59; left >= 20; left -= 1) run.wait(0.02).add(shows(left, reset));
  return run;
}

/** RATE-9: a quota that is full again before the Reset that was announced. */
export const earlyResetRows = (): readonly VerdictRow[] => [
  {
    id: 'RATE-9',
    description: 'a full quota again, long before Reset, and more than the limit before it',
    journal: () => windowsOf([50, 60], 20, 80).lines(),
    verdict: 'fail',
  },
  {
    id: 'RATE-9',
    description: 'a full quota again, long before Reset, and no more than the limit before it',
    journal: () => windowsOf([20, 60], 10, 70).lines(),
    verdict: 'warn',
  },
  {
    id: 'RATE-9',
    description: 'a full quota again at Reset: a window of the clock (K09)',
    journal: () => windowsOf([50, 20], 20, 80).lines(),
    verdict: 'pass',
  },
];
