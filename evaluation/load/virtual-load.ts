import { judgeLoad } from '../../load/judging/judge.ts';
import type { ProfileInputs } from '../../load/model/profile.ts';
import type { LoadRecord } from '../../load/model/record.ts';
import type { Trace } from '../../load/model/sample.ts';
import { findProfile } from '../../load/profiles/index.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { Circumstances } from './virtual-scenarios.ts';
import { virtualScenarios } from './virtual-scenarios.ts';

/** A load run in virtual time; the real plans, a fast link and a fleet of three unless said otherwise. */
export interface VirtualLoad extends Circumstances {
  readonly profile: string;
}

/** What was judged, and from what. */
export interface VirtualLoadResult {
  readonly record: LoadRecord;
  readonly trace: Trace;
}

const FLEET = 3;
const MINUTES = 2;

/** Runs a profile with the lanes of k6's script against the reference server's core, in virtual time, and judges it. */
export async function virtualLoad(load: VirtualLoad): Promise<VirtualLoadResult> {
  const { plan = 'free', plans = loadPlans() } = load;
  const profile = findProfile(load.profile);
  const inputs: ProfileInputs = { limits: limitsOf(plans, plan), fleet: FLEET, minutes: MINUTES };
  const { samples, events, ends, began, ended } = await virtualScenarios(profile, inputs, {
    ...load,
    plans,
    plan,
  });
  const trace = { samples, events };
  const stopped = ends.find((end) => end.kind === 'stopped');
  const record = judgeLoad({
    suite: { name: 'petstore-conformance', version: '0' },
    target: { baseUrl: 'virtual', plan },
    profile,
    inputs,
    trace,
    ended:
      stopped?.kind === 'stopped'
        ? { how: 'stopped', because: stopped.detail }
        : { how: 'finished', because: 'All was sent.' },
    startedAt: new Date(began).toISOString(),
    finishedAt: new Date(ended).toISOString(),
    environment: { k6: 'virtual', node: 'virtual', platform: 'virtual', cpus: 1 },
  });
  return { record, trace };
}
