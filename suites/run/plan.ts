import { CONTROL_ROUNDS } from '../probes/isolation.ts';
import type { Cost, Means, Probe } from '../probes/probe.ts';
import { nothing } from '../probes/probe.ts';
import { RECOUNTED } from '../probes/recount.ts';
import { MOST_ROUNDS } from '../probes/repetition.ts';

/** A probe of this run and what it is expected to send. */
export interface PlannedProbe {
  readonly probe: Probe;
  readonly cost: Cost;
}

/** What a run will ask and what that costs, known before the first request. */
export interface ExaminationPlan {
  readonly means: Means;
  readonly probes: readonly PlannedProbe[];
  readonly total: Cost;
  /** The most keyed requests that are sent where the target does not do what a conforming one does. */
  readonly keyedAtMost: number;
  /** The longest wait that a conforming target makes necessary, in seconds. */
  readonly seconds: number;
}

/** Plans a run: which probes these means allow, and their sum. Pure. */
export function planExamination(probes: readonly Probe[], means: Means): ExaminationPlan {
  const planned: PlannedProbe[] = [];
  let total = nothing;
  for (const probe of probes) {
    const cost = probe.cost(means, total);
    if (cost === null) continue;
    planned.push({ probe, cost });
    total = add(total, cost);
  }
  const { perMinute, minuteSeconds } = means.limits;
  const windows = Math.ceil(total.keyed / Math.max(1, perMinute - 1));
  return {
    means,
    probes: planned,
    total,
    keyedAtMost:
      (4 + MOST_ROUNDS + (means.otherKey ? CONTROL_ROUNDS.length : 0)) * perMinute +
      1 +
      RECOUNTED +
      total.keyed,
    seconds: windows <= 2 ? minuteSeconds : (windows + 2) * minuteSeconds,
  };
}

const add = (a: Cost, b: Cost): Cost => ({
  keyed: a.keyed + b.keyed,
  others: a.others + b.others,
  strangers: a.strangers + b.strangers,
  leaves: a.leaves + b.leaves,
});

/** All requests of a cost. */
export const requestsOf = (cost: Cost): number => cost.keyed + cost.others + cost.strangers;
