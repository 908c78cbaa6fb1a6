import type { Sample } from '../model/sample.ts';
import { isError, stopText } from '../model/sample.ts';
import type { FailedAtEnd, LoadEvidence } from './evidence.ts';

/** How a target stopped serving in the middle of a run. */
export interface Breakdown {
  /**
   * Whose doing it is: `target` returns 5xx or closes connections; `silent` gives no response any more, as an
   * overloaded target does, or a network that fails at that moment; `network` could not even be reached.
   */
  readonly by: 'target' | 'silent' | 'network';
  /** The step in which the requests were sent that were answered no more: its position in the scenario. */
  readonly step: number;
  /** In a clause: `the target stopped responding (…)`. */
  readonly text: string;
}

/** How k6 and the operating systems call a connection that the other side did not accept or closed. */
const CLOSED = /refused|reset by peer|broken pipe|EOF|closed/i;

/** How they call a network that does not lead to the target. */
const UNREACHABLE = /lookup|no such host|no route|network is (?:unreachable|down)|dial.*timeout/i;

/** How the target stopped serving, by the key that it served no more first; undefined where it did not, or never served the key that stopped. */
export function breakdownOf({ scenarios }: LoadEvidence): Breakdown | undefined {
  const breakdowns = scenarios.flatMap(({ stopped, failedAtEnd: failed }) => {
    if (stopped?.because !== 'server errors' && stopped?.because !== 'unreachable') return [];
    if (failed === undefined) return [];
    const { first, last } = failed;
    return [{ sent: first.sent, by: causeOf(last), step: first.step, text: stopText(stopped) }];
  });
  const [earliest] = breakdowns.sort((a, b) => a.sent - b.sent);
  return earliest;
}

/** The failed requests at the end of a scenario; undefined where it does not end so, or nothing was served before. @param samples in the order of sending. */
export function failedAtEnd(samples: readonly Sample[]): FailedAtEnd | undefined {
  const lastServed = samples.findLastIndex((one) => !isError(one));
  const [first, last] = [samples[lastServed + 1], samples.at(-1)];
  return lastServed === -1 || first === undefined || last === undefined ? undefined : { first, last };
}

function causeOf({ outcome }: Sample): Breakdown['by'] {
  if (outcome.kind === 'answer' || CLOSED.test(outcome.error)) return 'target';
  return UNREACHABLE.test(outcome.error) ? 'network' : 'silent';
}
