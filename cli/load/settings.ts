import type { Profile, ProfileInputs } from '../../load/model/profile.ts';
import type { Preview } from '../../load/preview/preview.ts';
import { previewOf } from '../../load/preview/preview.ts';
import { findProfile } from '../../load/profiles/index.ts';
import { longestSoak, usualSoak } from '../../load/profiles/soak.ts';
import type { Limits, Plans } from '../../spec/plans.ts';
import { limitsOf } from '../../spec/plans.ts';
import { UserError } from '../../words/user-error.ts';
import type { Subject, SubjectOptions } from '../subject.ts';
import { plansFor, readSubject } from '../subject.ts';
import type { FleetSources } from './keys.ts';
import { checkNeeds, readFleet } from './keys.ts';
import { trustedFile } from './trusted-file.ts';

/** The options of `load`, as commander hands them over. */
export interface LoadOptions extends SubjectOptions, FleetSources {
  readonly plan: string;
  readonly plans?: string;
  readonly minutes?: string;
  readonly latencyMs?: string;
  readonly iMayLoad?: readonly string[];
  readonly spendDay?: boolean;
  readonly out?: string;
  readonly k6Out?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** A load run, settled before anything is sent. */
export interface LoadSettings {
  readonly profile: Profile;
  readonly subject: Subject;
  readonly plan: string;
  readonly plans: Plans;
  readonly inputs: ProfileInputs;
  /** The keys of the fleet; the key itself first. Those of the bundled server are known only once it runs. */
  readonly fleet: readonly string[];
  readonly preview: Preview;
  /** What `--i-may-load` names. */
  readonly named: readonly string[];
  readonly spendDay: boolean;
  /** What 99 of 100 answers must not take longer than, in milliseconds; undefined judges nobody by it. */
  readonly latencyThresholdMs: number | undefined;
  readonly folder: string | undefined;
  /** The file of an authority to trust besides those of the system, absolute. */
  readonly caFile: string | undefined;
  /** Further outputs of k6, as its `--out` takes them. */
  readonly outputs: readonly string[];
  /** Whether the windows were shortened by this program, so that a demonstration ends in seconds. */
  readonly demonstration: boolean;
}

/** Demonstration keys of a plan that the bundled server has. */
const BUNDLED_FLEET = 2;

/**
 * Settles a load run from the command line. Reads files and the environment; sends nothing.
 * @throws {UserError | PlanFileError | UnknownProfileError | UnknownEntryError} when something given is wrong.
 */
export async function settleLoad(
  name: string,
  options: LoadOptions,
  env: NodeJS.ProcessEnv,
): Promise<LoadSettings> {
  const profile = findProfile(name);
  const subject = await readSubject(options, env);
  const { plans, demonstration } = plansFor(subject, options.plans);
  const limits = limitsOf(plans, options.plan);
  refuseStrays(profile, options);
  const fleet = fleetFor(profile, subject, options, env);
  const inputs = {
    limits,
    fleet: subject.kind === 'bundled' ? BUNDLED_FLEET : Math.max(1, fleet.length),
    minutes: options.minutes === undefined ? usualSoak(limits) : readMinutes(options.minutes, limits),
  };
  return {
    profile,
    subject,
    plan: options.plan,
    plans,
    inputs,
    fleet,
    preview: previewOf(profile, inputs),
    named: options.iMayLoad ?? [],
    spendDay: options.spendDay === true,
    latencyThresholdMs: options.latencyMs === undefined ? undefined : readLatency(options.latencyMs),
    folder: options.out,
    caFile: trustedFile(options.ca, process.platform),
    outputs: options.k6Out ?? [],
    demonstration,
  };
}

function fleetFor(
  profile: Profile,
  subject: Subject,
  options: LoadOptions,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  if (subject.kind === 'bundled') return [];
  const { keys } = subject.access;
  checkNeeds(profile, keys);
  return FLEETS.includes(profile.id) ? readFleet(keys.key, options, env) : [];
}

/** The profiles that a fleet of keys makes. */
const FLEETS: readonly string[] = ['soak', 'spike', 'breakpoint'];

/** What would be passed over in silence: the user meant something by it. */
function refuseStrays({ id }: Profile, options: LoadOptions): void {
  const { minutes, fleetKeysEnv, fleetKeysFile, iMayLoad, target } = options;
  if (minutes !== undefined && id !== 'soak') {
    throw new UserError(`--minutes is for soak; ${id} lasts as long as its requests take.`);
  }
  if (target === undefined && iMayLoad !== undefined) {
    throw new UserError('--i-may-load needs --target: without one, the bundled server is loaded.');
  }
  if (fleetKeysEnv === undefined && fleetKeysFile === undefined) return;
  const option = fleetKeysEnv === undefined ? '--fleet-keys-file' : '--fleet-keys-env';
  if (target === undefined) {
    throw new UserError(`${option} needs --target: without one, the bundled server brings its own keys.`);
  }
  if (!FLEETS.includes(id)) {
    throw new UserError(`${option} is for ${FLEETS.join(', ')}; ${id} has one key of the plan.`);
  }
}

function readLatency(text: string): number {
  const milliseconds = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (milliseconds > 0) return milliseconds;
  throw new UserError('--latency-ms takes a whole number of milliseconds, at least 1.');
}

function readMinutes(text: string, limits: Limits): number {
  const minutes = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (minutes === 0) throw new UserError('--minutes takes a whole number of minutes, at least 1.');
  const longest = longestSoak(limits);
  if (minutes <= longest) return minutes;
  throw new UserError(
    `A soak of ${minutes} minutes would use more than nine tenths of a key's day (${limits.perDay.toLocaleString('en')} requests): --minutes ${longest} is the longest under this plan.`,
  );
}
