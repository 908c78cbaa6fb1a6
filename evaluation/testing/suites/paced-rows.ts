import { pacedWindow } from '../../../suites/probes/paced-window.ts';
import { recovery } from '../../../suites/probes/recovery.ts';
import type { VerdictRow } from './rows.ts';
import type { Synthesis } from './synthetic.ts';
import { isRateLimited, used } from './uses.ts';

/** A 429 after so many requests that asks for two windows, the request after that wait, and these many at the pace of the plan. */
function paced(before: number, count: number): Synthesis {
  const run = used(before)
    .add(isRateLimited(120))
    .wait(120)
    .add({ probe: recovery.id, step: recovery.steps.afterRetryAfter, left: 9 });
  for (let n = 0; n < count; n += 1)
    run.wait(1.02).add({ probe: pacedWindow.id, step: pacedWindow.steps.paced, left: 9 });
  return run;
}

/** What requests at the pace of the plan show after a 429 that asks for more than a window. */
export const pacedRows: readonly VerdictRow[] = [
  {
    id: 'LIMIT-2',
    description: 'a wait of two windows after ten, and 65 accepted at the pace of the plan',
    journal: () => paced(10, 65).lines(),
    verdict: 'warn',
  },
  {
    id: 'LIMIT-2',
    description: 'a wait of two windows after ten, and ten more until the next 429',
    journal: () =>
      paced(10, 10)
        .add({ probe: pacedWindow.id, ...isRateLimited(120) })
        .lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-4',
    description: 'a wait of two windows, and 65 accepted at the pace of the plan',
    journal: () => paced(60, 65).lines(),
    verdict: 'warn',
  },
  {
    id: 'LIMIT-4',
    description: 'a wait of two windows, and a 429 at the pace of the plan',
    journal: () =>
      paced(60, 60)
        .add({ probe: pacedWindow.id, ...isRateLimited(60) })
        .lines(),
    verdict: 'inconclusive',
  },
];
