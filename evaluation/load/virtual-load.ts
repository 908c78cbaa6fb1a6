import type { JudgedRun } from '../../load/judging/run-judge.ts';
import type { ProfileInputs } from '../../load/model/profile.ts';
import { findProfile } from '../../load/profiles/index.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { judgeLoad, TESTED } from '../testing/load/runs.ts';
import type { LoadConditions } from './virtual-scenarios.ts';
import { virtualScenarios } from './virtual-scenarios.ts';

/** A load run in simulated time; by default with the real plans, a fast link and a fleet of three. */
export interface VirtualLoad extends LoadConditions {
  readonly profile: string;
  /** Keys of a fleet; by default 3. */
  readonly fleet?: number;
  /** The plans of the keys of the fleet, one name for each key; in place of `fleet`. */
  readonly fleetOf?: readonly string[];
  /** Duration of a soak, in windows; by default 2. */
  readonly minutes?: number;
  /** Whether the user states that no other client uses the keys; by default not. */
  readonly exclusive?: boolean;
}

const FLEET = 3;
const MINUTES = 2;

/** Runs a profile with the scenarios of k6's script against the core of the reference server, in simulated time, and judges it. */
export async function virtualLoad(load: VirtualLoad): Promise<JudgedRun> {
  const {
    plan = 'free',
    plans = loadPlans(),
    fleet = FLEET,
    minutes = MINUTES,
    exclusive = false,
    fleetOf,
  } = load;
  const profile = findProfile(load.profile);
  const inputs: ProfileInputs = {
    ...{ limits: limitsOf(plans, plan), fleet: fleetOf?.length ?? fleet, minutes },
    ...(fleetOf === undefined
      ? {}
      : { fleetPlans: fleetOf.map((one) => ({ plan: one, limits: limitsOf(plans, one), keys: 1 })) }),
    ...(exclusive ? { exclusiveKeys: true } : {}),
  };
  const { samples, events, stops, started, ended } = await virtualScenarios(profile, inputs, {
    ...load,
    plans,
    plan,
  });
  const trace = { samples, events };
  const stopped = stops.find((stop) => stop !== undefined);
  return judgeLoad({
    ...TESTED,
    target: { baseUrl: 'http://virtual.example/v1', plan },
    profile,
    inputs,
    trace,
    ended:
      stopped === undefined
        ? { how: 'finished', because: 'Every planned request was sent.' }
        : { how: 'stopped', because: stopped.detail },
    startedAt: new Date(started).toISOString(),
    finishedAt: new Date(ended).toISOString(),
  });
}
