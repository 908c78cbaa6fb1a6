import { greatest } from '../../exchanges/collections.ts';
import { countOf } from '../../words/text.ts';
import { lateMs } from '../model/latency.ts';
import { stopText } from '../model/sample.ts';
import type { LoadEvidence, ScenarioEvidence } from './evidence.ts';

/** A request that is sent later than this after its time, in milliseconds, has missed its place in the schedule. */
export const LATE_TOLERANCE_MS = 250;

/** One request of so many may be late: a machine that pauses once in a long run has not changed the load. */
const ONE_OF = 100;

/** A ban ends a lane that was there to be banned. */
const endedAsMeant = ({ key, stopped }: ScenarioEvidence): boolean =>
  key === 'disposable' && stopped?.because === 'banned';

/** Why the run did not send all that was planned, in one sentence; undefined where it did. */
export function missing({ scenarios, ended }: LoadEvidence): string | undefined {
  const stopped = scenarios.find((scenario) => scenario.stopped !== undefined && !endedAsMeant(scenario));
  if (stopped?.stopped !== undefined) {
    return `Key ${stopped.key} stopped after ${sentOf(stopped)}: ${stopText(stopped.stopped)}.`;
  }
  if (ended.how !== 'finished' && !scenarios.some(endedAsMeant))
    return `The run was ${ended.how}: ${ended.because}`;
  for (const scenario of scenarios.filter((one) => !endedAsMeant(one))) {
    if (scenario.samples.length !== scenario.planned) return `Of key ${scenario.key} ${sentOf(scenario)}.`;
    const numbers = new Set(scenario.samples.map(({ n }) => n));
    if (numbers.size !== scenario.samples.length)
      return `Some requests of key ${scenario.key} stand twice in the samples of k6.`;
  }
  return undefined;
}

const sentOf = ({ samples, planned }: ScenarioEvidence): string =>
  `${samples.length} of ${countOf(planned, 'planned request')} came out`;

/** Why the schedule was not kept, in one sentence; undefined where it was. */
export function missedSchedule({ scenarios }: LoadEvidence): string | undefined {
  const lateness = scenarios.flatMap(({ samples }) => samples).flatMap((sample) => lateMs(sample) ?? []);
  const late = lateness.filter((milliseconds) => milliseconds > LATE_TOLERANCE_MS);
  if (late.length <= Math.floor(lateness.length / ONE_OF)) return undefined;
  const worst = Math.round(greatest(late));
  return `${late.length} of ${countOf(lateness.length, 'scheduled request')} left more than ${LATE_TOLERANCE_MS} ms late (up to ${worst} ms): this machine was too busy.`;
}
