import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import { fail, inconclusive, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import type { Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import { RUN } from '../../../../evaluation/testing/suites/synthetic.ts';
import { anew, isRateLimited, used } from '../../../../evaluation/testing/suites/uses.ts';
import { pacedWindow } from '../../probes/paced-window.ts';
import { recovery } from '../../probes/recovery.ts';

/**
 * A 429 after so many requests that asks for this wait, in seconds, the request after it, and these many at the pace of
 * the plan: with so many creations among them, and so many seconds between a response and the next one.
 */
function paced(before: number, count: number, wait = 120, creations = 0, pause = 1.02): Synthesis {
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

/** The end of the quota once more, after as many requests: an exclusive key is repeated once. */
const again = (run: Synthesis, count: number): Synthesis => anew(run, count, [0, isRateLimited(60)]);

const exclusive = { inputs: { ...RUN.inputs, exclusiveKey: true } };

/** What requests at the pace of the plan show after a 429 that asks for more than a window. */
export const pacedRows: readonly VerdictRow[] = [
  ...rowsOf('LIMIT-2', {
    'a wait of two windows after ten, and 65 accepted at the pace of the plan': warn(() => paced(10, 65)),
    'a wait of two windows after ten, and ten more until the next 429': inconclusive(() =>
      paced(10, 10).add({ probe: pacedWindow.id, ...isRateLimited(120) }),
    ),
    'a wait of a window after twenty, and 65 accepted at the pace of the plan': warn(() =>
      paced(20, 65, 60, 2).lines(exclusive),
    ),
    'the same without a creation: creations may have a limit of their own': fail(() =>
      again(paced(20, 65, 60), 20).lines(exclusive),
    ),
    'a wait of a window after 59, and 65 accepted at the pace of the plan: a limit of 59': fail(() =>
      again(paced(59, 65, 60, 2), 59).lines(exclusive),
    ),
    'a wait of a window after forty, and 65 at the pace of the plan: a window of forty may end among them':
      inconclusive(() => paced(40, 65, 60, 2).lines(exclusive)),
    'a wait of a window after forty, and 125 accepted at the pace of the plan': warn(() =>
      paced(40, 125, 60, 2).lines(exclusive),
    ),
    'a wait of a window after fifty, and 125 accepted over a slow link, 48 in a minute': inconclusive(() =>
      paced(50, 125, 60, 2, 1.25).lines(exclusive),
    ),
    'a wait of a window after twenty, and twenty more until the next 429': fail(() =>
      again(paced(20, 20, 60, 2).add({ probe: pacedWindow.id, ...isRateLimited(40) }), 20).lines(exclusive),
    ),
  }),
  ...rowsOf('LIMIT-4', {
    'a wait of two windows, and 65 accepted at the pace of the plan': warn(() => paced(60, 65)),
    'a wait of two windows, and a 429 at the pace of the plan': inconclusive(() =>
      paced(60, 60).add({ probe: pacedWindow.id, ...isRateLimited(60) }),
    ),
  }),
];
