import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import { fail, inconclusive, pass, rowsOf } from '../../../../evaluation/testing/suites/edits.ts';
import type { Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import { bare, isRateLimited, unavailable, used } from '../../../../evaluation/testing/suites/uses.ts';
import { preflight } from '../../probes/preflight.ts';
import { unavailableAgain as unavailableProbe } from '../../probes/unavailable-again.ts';

/** A round of `unavailable-again` up to the end of the quota: so many requests from a rested key. */
function rested(run: Synthesis, count: number): Synthesis {
  const probe = unavailableProbe.id;
  run.add({ probe, step: preflight.steps.baselineAfterIdle, left: null });
  for (let i = 1; i < count; i += 1) run.add({ probe, left: null });
  return run;
}

/** A quota that ended with 503, and rounds that repeat it: requests before 503, and after a rest of 4.5 and 8.5 s. */
function unavailableAgain(...rounds: readonly (readonly [answered: number, back: number])[]): Synthesis {
  const run = unavailable(3, used(60, bare));
  const probe = unavailableProbe.id;
  for (const [i, [answered, back]] of rounds.entries()) {
    rested(run.wait(130), answered);
    for (let k = 0; k < 3; k += 1) run.add({ probe, status: 503, left: null });
    run.wait(i === 0 ? 4.5 : 8.5);
    const step = unavailableProbe.steps.afterRest;
    for (let k = 0; k < back; k += 1) run.add({ probe, step, left: null });
    const all = 2 * (i === 0 ? 4 : 8) + 3;
    if (back < all) run.add({ probe, step, status: 503, left: null });
  }
  return run;
}

/** Whether a 503 at the end of the quota is a limit or an outage (LIMIT-3). */
export const unavailableRows: readonly VerdictRow[] = rowsOf('LIMIT-3', {
  '503 three times at the limit, and no repetition': inconclusive(() => unavailable(3, used(60, bare))),
  '503 at the limit of the plan in each repetition': fail(() => unavailableAgain([60, 0], [61, 0])),
  '503 after twenty, and as many back as the rate gives': fail(() => unavailableAgain([20, 4], [20, 8])),
  '503 after twenty, and twenty again after a short rest, as where a service starts anew': inconclusive(() =>
    unavailableAgain([20, 11], [20, 19]),
  ),
  '503 after twenty, and none back after a short rest, as in an outage': inconclusive(() =>
    unavailableAgain([20, 0], [20, 0]),
  ),
  '503 after twenty and then after thirty': inconclusive(() => unavailableAgain([20, 4], [30, 8])),
  '503 at the limit, and 429 when the quota is exhausted again': pass(() => {
    const run = unavailable(3, used(60)).wait(130);
    return rested(run, 60)
      .add({ probe: unavailableProbe.id, ...isRateLimited(55) })
      .lines();
  }),
});
