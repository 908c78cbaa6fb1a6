import { ban } from '../probes/ban.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { MOST_EDGE_ROUNDS, secondWindow, thirdWindow } from '../probes/later-windows.ts';
import { MOST_PAGES } from '../probes/lists.ts';
import { CONTROL_ROUNDS } from '../probes/other-callers.ts';
import type { Cost, Probe, RunInputs } from '../probes/probe.ts';
import { RECOUNT_REQUESTS } from '../probes/recount.ts';
import { MOST_ROUNDS } from '../probes/repetition.ts';
import { mostOfDay, paceDuration, spendDay } from '../probes/spend-day.ts';
import { MOST_ATTEMPTS } from '../probes/valid-creation.ts';

export interface PlannedProbe {
  readonly probe: Probe;
  readonly cost: Cost;
}

/** What a run will send, known before the first request. */
export interface RunPlan {
  readonly inputs: RunInputs;
  readonly probes: readonly PlannedProbe[];
  readonly total: Cost;
  /** The most requests with the key under test, to a target that does not conform. */
  readonly mostWithKey: number;
  /** How long the run waits at least against a conforming target, in seconds. */
  readonly seconds: number;
}

const NO_REQUESTS: Cost = { withKey: 0, withOtherKeys: 0, unauthenticated: 0, categoriesCreated: 0 };

/** The probes of a thorough run. Each leaves the key idle for a window, and then takes one. */
const furtherWindows: ReadonlySet<string> = new Set([secondWindow.id, thirdWindow.id]);
const WINDOWS_OF_EACH = 2;

/** The probes that wait for a window of the limit. */
const WAITING: ReadonlySet<string> = new Set([exhaustQuota.id, ban.id, spendDay.id, ...furtherWindows]);

/** Each attempt at a creation is sent once more after a 429. */
const MOST_OF_EACH = 2 * MOST_ATTEMPTS;

/** The pages of the list, each once more after a 429; a check of the target. */
const MOST_PAGE_REQUESTS = 2 * MOST_PAGES + 2;

/** Plans a run: the probes that these inputs allow, and the sum of their costs. Pure. */
export function planRun(probes: readonly Probe[], inputs: RunInputs): RunPlan {
  const planned: PlannedProbe[] = [];
  let total = NO_REQUESTS;
  for (const probe of probes) {
    const stated = probe.cost === undefined ? {} : probe.cost(inputs, total);
    if (stated === null) continue;
    const cost = { ...NO_REQUESTS, ...stated };
    planned.push({ probe, cost });
    total = add(total, cost);
  }
  const { perMinute, minuteSeconds, perDay } = inputs.limits;
  const further = planned.filter(({ probe }) => furtherWindows.has(probe.id));
  const furtherWithKey = further.reduce((sum, { cost }) => sum + cost.withKey, 0);
  const paced = requestsOfDay({ probes: planned });
  const waits = planned.some(({ probe }) => WAITING.has(probe.id));
  const windows = Math.ceil((total.withKey - furtherWithKey - (paced ?? 0)) / Math.max(1, perMinute - 1));
  const whole = windows <= 2 ? 1 : windows + 2;
  const seconds = ((windows <= 1 && !waits ? 0 : whole) + further.length * WINDOWS_OF_EACH) * minuteSeconds;
  return {
    inputs,
    probes: planned,
    total,
    mostWithKey: !waits
      ? MOST_OF_EACH * total.withKey + MOST_PAGE_REQUESTS
      : (4 + MOST_ROUNDS + (inputs.otherKey ? CONTROL_ROUNDS.length : 0)) * perMinute +
        1 +
        RECOUNT_REQUESTS +
        (further.length > 0 ? (4 + MOST_EDGE_ROUNDS) * perMinute : 0) +
        total.withKey +
        (paced === undefined ? 0 : mostOfDay(inputs.limits) - perDay),
    seconds: seconds + (paced === undefined ? 0 : paceDuration(paced, inputs.limits)),
  };
}

/** With how many requests a run uses the rest of the daily quota; undefined where it does not use it. */
export const requestsOfDay = ({ probes }: Pick<RunPlan, 'probes'>): number | undefined =>
  probes.find(({ probe }) => probe.id === spendDay.id)?.cost.withKey;

const add = (a: Cost, b: Cost): Cost => ({
  withKey: a.withKey + b.withKey,
  withOtherKeys: a.withOtherKeys + b.withOtherKeys,
  unauthenticated: a.unauthenticated + b.unauthenticated,
  categoriesCreated: a.categoriesCreated + b.categoriesCreated,
});

export const requestsOf = (cost: Cost): number => cost.withKey + cost.withOtherKeys + cost.unauthenticated;
