import { countOf } from '../../kernel/basics/text.ts';
import { greatest } from '../../kernel/exchanges/collections.ts';
import { scheduleDelayMs } from '../model/latency.ts';
import type { Sample } from '../model/sample.ts';
import { stopText } from '../model/sample.ts';
import type { Lateness, LoadEvidence, ScenarioEvidence } from './evidence.ts';

/** A request is late if it is sent more than this after its scheduled time, in milliseconds. */
export const LATE_TOLERANCE_MS = 250;

/** One request of so many may be late: a machine that pauses once in a long run has not changed the load. */
const ONE_OF = 100;

/** A disposable key may be banned, and a ban ends its scenario. */
const endedByBan = ({ key, stopped }: Pick<ScenarioEvidence, 'key' | 'stopped'>): boolean =>
  key === 'disposable' && stopped?.because === 'banned';

/** Why the run did not send all that was planned, in one sentence; undefined where it did. */
export function whyIncomplete({ scenarios, ended }: LoadEvidence): string | undefined {
  const stopped = scenarios.find((scenario) => scenario.stopped !== undefined && !endedByBan(scenario));
  if (stopped?.stopped !== undefined) {
    return `Key ${stopped.key} stopped: ${sentOf(stopped)} (${stopText(stopped.stopped)}).`;
  }
  if (ended.how !== 'finished' && !scenarios.some(endedByBan))
    return `The run was ${ended.how}: ${ended.because}`;
  for (const { key, planned, tally, stopped: own } of scenarios) {
    if (endedByBan({ key, stopped: own })) continue;
    if (tally.requests !== planned) return `Key ${key}: ${sentOf({ planned, tally })}.`;
    if (tally.repeated) return `The samples of k6 contain some requests of key ${key} twice.`;
  }
  return undefined;
}

const sentOf = ({ tally, planned }: Pick<ScenarioEvidence, 'tally' | 'planned'>): string =>
  `${tally.requests} of ${countOf(planned, 'planned request')} were sent`;

/** The lateness of samples. */
export function latenessOf(samples: readonly Sample[]): Lateness {
  const delays = samples.flatMap((sample) => scheduleDelayMs(sample) ?? []);
  const late = delays.filter((milliseconds) => milliseconds > LATE_TOLERANCE_MS);
  return { scheduled: delays.length, late: late.length, worstMs: Math.max(0, greatest(late)) };
}

/** Why the schedule was not kept, in one sentence; undefined where it was. */
export function whyLate({ scenarios }: LoadEvidence): string | undefined {
  const sum = (count: 'scheduled' | 'late'): number =>
    scenarios.reduce((total, { lateness }) => total + lateness[count], 0);
  const [scheduled, late] = [sum('scheduled'), sum('late')];
  if (late <= Math.floor(scheduled / ONE_OF)) return undefined;
  const worst = Math.round(greatest(scenarios.map(({ lateness }) => lateness.worstMs)));
  return `${late} of ${countOf(scheduled, 'scheduled request')} were sent more than ${LATE_TOLERANCE_MS} ms late (up to ${worst} ms): this machine was too busy.`;
}
