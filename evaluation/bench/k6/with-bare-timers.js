/**
 * The script of the load profiles, and beside it in the same process timers at the same
 * rate that do nothing: how late k6 itself is. Run by k6, not by Node.
 */
import exec from 'k6/execution';
import { Trend } from 'k6/metrics';
import { setTimeout } from 'k6/timers';
import * as script from '../../../load/script/main.ts';

export * from '../../../load/script/main.ts';

const { TIMERS, TIMER_MS } = __ENV;

/** Milliseconds from the planned to the actual end of a timer. */
const late = new Trend('bare_timer_late', true);

export const options = {
  ...script.options,
  scenarios: {
    ...script.options.scenarios,
    timers: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'timers' },
  },
};

export async function timers() {
  const { instance } = exec;
  const start = instance.currentTestRunDuration;
  for (let n = 1; n <= Number(TIMERS); n += 1) {
    const due = start + n * Number(TIMER_MS);
    for (let left = due - instance.currentTestRunDuration; left > 0; ) {
      await new Promise((resolve) => void setTimeout(() => resolve(), left));
      left = due - instance.currentTestRunDuration;
    }
    late.add(instance.currentTestRunDuration - due);
  }
}
