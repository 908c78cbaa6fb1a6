import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import { fail, inconclusive, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
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
  ...rowsOf('LIMIT-1', {
    '429 after 60 in a second window, too': pass(() => second(60, 0, [0, isRateLimited(60)])),
    '62 accepted at once in a second window': fail(() => second(62, 0)),
    '65 accepted in a second window, as slowly as a bucket refills': inconclusive(() => second(65, 0.95)),
  }),
  ...rowsOf('LIMIT-2', {
    '429 after 60 in a second window, too': pass(() => second(60, 0, [0, isRateLimited(60)])),
    '429 after 30 in a second window and in each repetition': fail(() =>
      [1, 2, 3].reduce((run) => anew(run, 30, [0, isRateLimited(55)]), second(30, 0, [0, isRateLimited(55)])),
    ),
    '429 after 30 in a second window, and it was not tried again': inconclusive(() =>
      second(30, 0, [0, isRateLimited(55)]),
    ),
  }),
  ...rowsOf('LIMIT-4', {
    'early requests do not count after a window': pass(() => third(firstWindow(), false)),
    'early requests still count after a window, twice': fail(() => third(third(firstWindow(), true), true)),
    'early requests still count after a window, and it was not tried again': inconclusive(() =>
      third(firstWindow(), true),
    ),
    'early requests still count after a window, then they do not': inconclusive(() =>
      third(third(firstWindow(), true), false),
    ),
    'early requests still count after a window, with a key of this run alone': fail(() =>
      exclusively(third(firstWindow(), true)),
    ),
  }),
  ...rowsOf('RATE-8', {
    'the 429 of a second window has Remaining 20, with a key of this run alone': fail(() =>
      exclusively(second(60, 0, [0, isRateLimited(60, { left: 20 })])),
    ),
  }),
  ...rowsOf('RETRY-3', {
    'accepted after the wait in a second window, too': pass(() =>
      second(60, 0, [0, isRateLimited(60)], [60, { left: 59 }]),
    ),
    'two more 429 after their waits in a second window, with a key of this run alone': fail(() =>
      exclusively(second(60, 0, [0, isRateLimited(50)], [50, isRateLimited(9)], [9, isRateLimited(9)])),
    ),
  }),
  ...rowsOf('RETRY-4', {
    'one more 429 after the wait in a second window': warn(() =>
      second(60, 0, [0, isRateLimited(59)], [59, isRateLimited(1)], [1, { left: 59 }]),
    ),
  }),
];
