import { greatest } from '../../exchanges/collections.ts';
import { countOf } from '../../words/text.ts';
import { scheduleDelayMs } from '../model/latency.ts';
import { stopText } from '../model/sample.ts';
import type { LoadEvidence, ScenarioEvidence } from './evidence.ts';

/** A request is late if it is sent more than this after its scheduled time, in milliseconds. */
export const LATE_TOLERANCE_MS = 250;

/** One request of so many may be late: a machine that pauses once in a long run has not changed the load. */
const ONE_OF = 100;

/** A disposable key may be banned, and a ban ends its scenario. */
const endedByBan = ({ key, stopped }: ScenarioEvidence): boolean =>
  key === 'disposable' && stopped?.because === 'banned';

/** Why the run did not send all that was planned, in one sentence; undefined where it did. */
export function whyIncomplete({ scenarios, ended }: LoadEvidence): string | undefined {
  const stopped = scenarios.find((scenario) => scenario.stopped !== undefined && !endedByBan(scenario));
  if (stopped?.stopped !== undefined) {
    return `Key ${stopped.key} stopped: ${sentOf(stopped)} (${stopText(stopped.stopped)}).`;
  }
  if (ended.how !== 'finished' && !scenarios.some(endedByBan))
    return `The run was ${ended.how}: ${ended.because}`;
  for (const scenario of scenarios.filter((one) => !endedByBan(one))) {
    if (scenario.samples.length !== scenario.planned) return `Key ${scenario.key}: ${sentOf(scenario)}.`;
    const numbers = new Set(scenario.samples.map(({ n }) => n));
    if (numbers.size !== scenario.samples.length)
      return `The samples of k6 contain some requests of key ${scenario.key} twice.`;
  }
  return undefined;
}

const sentOf = ({ samples, planned }: ScenarioEvidence): string =>
  `${samples.length} of ${countOf(planned, 'planned request')} were sent`;

/** Why the schedule was not kept, in one sentence; undefined where it was. */
export function whyLate({ scenarios }: LoadEvidence): string | undefined {
  const lateness = scenarios
    .flatMap(({ samples }) => samples)
    .flatMap((sample) => scheduleDelayMs(sample) ?? []);
  const late = lateness.filter((milliseconds) => milliseconds > LATE_TOLERANCE_MS);
  if (late.length <= Math.floor(lateness.length / ONE_OF)) return undefined;
  const worst = Math.round(greatest(late));
  return `${late.length} of ${countOf(lateness.length, 'scheduled request')} were sent more than ${LATE_TOLERANCE_MS} ms late (up to ${worst} ms): this machine was too busy.`;
}
