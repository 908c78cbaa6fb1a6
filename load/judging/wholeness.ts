import { greatest } from '../../exchanges/extremes.ts';
import { count } from '../../suites/evidence/quote.ts';
import { lateMs } from '../model/latency.ts';
import { stopText } from '../model/sample.ts';
import type { LaneEvidence, LoadEvidence } from './evidence.ts';

/** A request that is sent later than this after its time, in milliseconds, has missed its place in the schedule. */
export const LATE_TOLERANCE_MS = 250;

/** One request of so many may be late: a machine that pauses once in a long run has not changed the load. */
const ONE_OF = 100;

/** A ban ends a lane that was there to be banned. */
const endedAsMeant = ({ key, stopped }: LaneEvidence): boolean =>
  key === 'sacrificial' && stopped?.because === 'banned';

/** Why the run did not send all that was planned, in one sentence; undefined where it did. */
export function missing({ lanes, ended }: LoadEvidence): string | undefined {
  const stopped = lanes.find((lane) => lane.stopped !== undefined && !endedAsMeant(lane));
  if (stopped?.stopped !== undefined) {
    return `Key ${stopped.key} stopped after ${sentOf(stopped)}: ${stopText(stopped.stopped)}.`;
  }
  if (ended.how !== 'finished' && !lanes.some(endedAsMeant))
    return `The run was ${ended.how}: ${ended.because}`;
  for (const lane of lanes.filter((one) => !endedAsMeant(one))) {
    if (lane.samples.length !== lane.planned) return `Of key ${lane.key} ${sentOf(lane)}.`;
    const numbers = new Set(lane.samples.map(({ n }) => n));
    if (numbers.size !== lane.samples.length)
      return `Some requests of key ${lane.key} stand twice in the samples of k6.`;
  }
  return undefined;
}

const sentOf = ({ samples, planned }: LaneEvidence): string =>
  `${samples.length} of ${count(planned, 'planned request')} came out`;

/** Why the schedule was not kept, in one sentence; undefined where it was. */
export function missedSchedule({ lanes }: LoadEvidence): string | undefined {
  const lateness = lanes.flatMap(({ samples }) => samples).flatMap((sample) => lateMs(sample) ?? []);
  const late = lateness.filter((milliseconds) => milliseconds > LATE_TOLERANCE_MS);
  if (late.length <= Math.floor(lateness.length / ONE_OF)) return undefined;
  const worst = Math.round(greatest(late));
  return `${late.length} of ${count(lateness.length, 'scheduled request')} left more than ${LATE_TOLERANCE_MS} ms late (up to ${worst} ms): this machine was too busy.`;
}
