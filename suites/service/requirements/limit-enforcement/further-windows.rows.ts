import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange, Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import { RUN } from '../../../../evaluation/testing/suites/synthetic.ts';
import { anew, isRateLimited, used } from '../../../../evaluation/testing/suites/uses.ts';
import { secondWindow, thirdWindow } from '../../probes/later-windows.ts';
import { preflight } from '../../probes/preflight.ts';
import { recovery } from '../../probes/recovery.ts';

/** A first window as it should be, with the request after its 429. */
const firstWindow = (): Synthesis =>
  used(60)
    .add(isRateLimited(60))
    .wait(60)
    .add({ probe: recovery.id, step: recovery.steps.afterRetryAfter, left: 59 });

/** A second window in which so many requests are accepted, one every `everySeconds`, and then these follow. */
function second(
  count: number,
  everySeconds: number,
  ...end: readonly (readonly [number, StagedExchange])[]
): Synthesis {
  const probe = secondWindow.id;
  const run = firstWindow().wait(62).add({ probe, step: preflight.steps.baseline, left: 59 });
  const step = secondWindow.steps.newConnection;
  // A bucket gives each of them back meanwhile.
  const left = (i: number): number => (everySeconds > 0 ? 58 : Math.max(0, 59 - i));
  for (let i = 1; i < count; i += 1) run.wait(everySeconds).add({ probe, step, left: left(i) });
  for (const [wait, staged] of end) run.wait(wait).add({ probe, step, ...staged });
  return run;
}

/** A third window whose early requests still count, or do not, when they are older than a window. */
function third(run: Synthesis, everyRequestCounts: boolean): Synthesis {
  const probe = thirdWindow.id;
  const { early, aroundEnd, pastWindow } = thirdWindow.steps;
  run.wait(62).add({ probe, step: preflight.steps.baseline, left: 59 });
  for (let left = 58; left >= 40; left -= 1) run.add({ probe, step: early, left });
  run.wait(51);
  const after = everyRequestCounts ? 40 : 60;
  for (let i = 1; i <= 25; i += 1) run.wait(0.4).add({ probe, step: aroundEnd, left: after - i });
  run.wait(14);
  for (let i = 26; i <= 40; i += 1) run.add({ probe, step: pastWindow, left: after - i });
  return run.add({ probe, step: pastWindow, ...(everyRequestCounts ? isRateLimited(60) : { left: 19 }) });
}

const exclusively = (run: Synthesis) => run.lines({ inputs: { ...RUN.inputs, exclusiveKey: true } });

/** What the further windows of a thorough run show. */
export const furtherWindowRows: readonly VerdictRow[] = [
  {
    id: 'LIMIT-1',
    description: '429 after 60 in a second window, too',
    journal: () => second(60, 0, [0, isRateLimited(60)]).lines(),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-1',
    description: '62 accepted at once in a second window',
    journal: () => second(62, 0).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-1',
    description: '65 accepted in a second window, as slowly as a bucket refills',
    journal: () => second(65, 0.95).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-2',
    description: '429 after 60 in a second window, too',
    journal: () => second(60, 0, [0, isRateLimited(60)]).lines(),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-2',
    description: '429 after 30 in a second window and in each repetition',
    journal: () =>
      [1, 2, 3]
        .reduce((run) => anew(run, 30, [0, isRateLimited(55)]), second(30, 0, [0, isRateLimited(55)]))
        .lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-2',
    description: '429 after 30 in a second window, and it was not tried again',
    journal: () => second(30, 0, [0, isRateLimited(55)]).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-4',
    description: 'early requests do not count after a window',
    journal: () => third(firstWindow(), false).lines(),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-4',
    description: 'early requests still count after a window, twice',
    journal: () => third(third(firstWindow(), true), true).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-4',
    description: 'early requests still count after a window, and it was not tried again',
    journal: () => third(firstWindow(), true).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-4',
    description: 'early requests still count after a window, then they do not',
    journal: () => third(third(firstWindow(), true), false).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-4',
    description: 'early requests still count after a window, with a key of this run alone',
    journal: () => exclusively(third(firstWindow(), true)),
    verdict: 'fail',
  },
  {
    id: 'RATE-8',
    description: 'the 429 of a second window has Remaining 20, with a key of this run alone',
    journal: () => exclusively(second(60, 0, [0, isRateLimited(60, { left: 20 })])),
    verdict: 'fail',
  },
  {
    id: 'RETRY-3',
    description: 'accepted after the wait in a second window, too',
    journal: () => second(60, 0, [0, isRateLimited(60)], [60, { left: 59 }]).lines(),
    verdict: 'pass',
  },
  {
    id: 'RETRY-3',
    description: 'two more 429 after their waits in a second window, with a key of this run alone',
    journal: () =>
      exclusively(second(60, 0, [0, isRateLimited(50)], [50, isRateLimited(9)], [9, isRateLimited(9)])),
    verdict: 'fail',
  },
  {
    id: 'RETRY-4',
    description: 'one more 429 after the wait in a second window',
    journal: () => second(60, 0, [0, isRateLimited(59)], [59, isRateLimited(1)], [1, { left: 59 }]).lines(),
    verdict: 'warn',
  },
];
