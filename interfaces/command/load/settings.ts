import { resolve } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { definedFields, parsedJson } from '../../../kernel/basics/json.ts';
import { readProduct } from '../../../kernel/basics/product.ts';
import { object, troubleText } from '../../../kernel/basics/shape.ts';
import { countOf, groupedNumber } from '../../../kernel/basics/text.ts';
import { readUserFile } from '../../../kernel/basics/user-files.ts';
import { isLoopback } from '../../../kernel/exchanges/loopback.ts';
import type { Threshold } from '../../../kernel/findings/load.ts';
import { trustedFile } from '../../../load/k6/host.ts';
import type { ListedKey } from '../../../load/model/key-list.ts';
import { fleetPlansOf, keysByAlias } from '../../../load/model/key-list.ts';
import type { CapacityInputs, FleetPlan, Profile, ProfileInputs } from '../../../load/model/profile.ts';
import { thresholdsShape } from '../../../load/model/profile.ts';
import { keysNeeded, previewProfile } from '../../../load/preview.ts';
import { findProfile } from '../../../load/profiles/index.ts';
import { defaultCapacity, mostForKey } from '../../../load/profiles/many-keys.ts';
import { defaultSoak, longestSoak } from '../../../load/profiles/over-time.ts';
import type { GuardedRun } from '../../../load/run/guard.ts';
import type { Reached, RecordedJob } from '../../../load/run/record-load.ts';
import { KEY_VARIABLES } from '../../../load/script/environment.ts';
import type { Limits, Plans } from '../../../spec/plans.ts';
import { limitsOf } from '../../../spec/plans.ts';
import { randomTag } from '../../../suites/service/inputs/name-pattern.ts';
import { appliesTo, checkProfile } from '../../options/given.ts';
import type { CommandOptions, OptionValues } from '../../options/table.ts';
import { lacksKeys } from '../../options/target.ts';
import { readJudging } from '../../run/judging.ts';
import { runFolder } from '../folder.ts';
import type { SettledCommand } from '../run.ts';
import type { Subject } from '../subject.ts';
import { plansFor, readSubject } from '../subject.ts';
import { dryRunText } from '../terminal.ts';
import { checkNeeds, readFleet, readKeysFile } from './keys.ts';

/** The most requests of a capacity run: more would not fit into the memory of k6 and of the judge. */
const MOST_REQUESTS = 2_000_000;

/** Reads what a capacity run is to send. @throws {UserError} when an option is wrong, or the keys do not allow the rate. */
export function readCapacity(options: OptionValues, limits: Limits, fleet: number): CapacityInputs {
  const usual = defaultCapacity(limits, fleet);
  const inputs: CapacityInputs = {
    perSecond: options.rate === undefined ? usual.perSecond : readRate(options.rate),
    seconds: options.duration === undefined ? usual.seconds : readTime('duration', options.duration),
    rampSeconds: options.ramp === undefined ? 0 : readTime('ramp', options.ramp),
    createShare: options.creates === undefined ? 0 : readPercentage(options.creates),
    arrivals: options.arrivals ?? 'even',
  };
  if (inputs.rampSeconds > inputs.seconds)
    throw new UserError('--ramp is longer than --duration, of which it is a part.');
  if (inputs.perSecond * inputs.seconds > MOST_REQUESTS)
    throw new UserError(
      `A capacity run sends ${groupedNumber(MOST_REQUESTS)} requests at most: lower --rate or --duration.`,
    );
  const needed = keysNeeded(inputs, limits, fleet);
  if (needed === undefined) return inputs;
  throw new UserError(
    `${Number(inputs.perSecond.toPrecision(4))} requests a second are more than ${countOf(fleet, 'key')} of this plan may send (${mostForKey(limits)} of ${limits.perMinute} in a window each, so that no conforming limiter returns 429): use ${needed} keys or a lower --rate.`,
  );
}

function readRate(text: string): number {
  const rate = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (rate > 0) return rate;
  throw new UserError('--rate takes requests per second, greater than 0, such as 12 or 0.5.');
}

/** Seconds of a time such as `90`, `90s` or `5m`. */
function readTime(option: string, text: string): number {
  const [, number, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(s|m|)$/.exec(text) ?? [];
  const seconds = Number(number ?? 0) * (unit === 'm' ? 60 : 1);
  if (seconds > 0) return seconds;
  throw new UserError(`--${option} takes a time greater than 0, such as 90s or 5m.`);
}

function readPercentage(text: string): number {
  const percent = /^\d{1,3}(?:\.\d)?$/.test(text) ? Number(text) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent / 100;
  throw new UserError('--creates takes a percentage from 0 to 100.');
}

const thresholdFile = object({ thresholds: thresholdsShape });

/**
 * Reads a file with thresholds: `{ "thresholds": [{ "profile": "soak", "operation": "list", "p99": 500 }] }`. Other
 * sections of the file are left to their commands.
 * @throws {UserError} when the file cannot be read, or a threshold or its profile is wrong.
 */
function readThresholds(file: string): readonly Threshold[] {
  const value = parsedJson(readUserFile(file, 'The file of thresholds'));
  if (value === undefined) throw new UserError(`${file} is not JSON. Name a file of thresholds.`);
  if (!thresholdFile.is(value)) throw new UserError(`${file}: ${troubleText(value, thresholdFile)}.`);
  for (const { profile } of value.thresholds) if (profile !== undefined) findProfile(profile);
  return value.thresholds;
}

export type LoadOptions = CommandOptions<'load'>;

export interface LoadSettings extends GuardedRun, SettledCommand, Omit<RecordedJob, keyof Reached> {
  readonly json: boolean;
  readonly subject: Subject;
  readonly plans: Plans;
  /** The settings of the second target, whose runs take turns with those of the first. */
  readonly against: LoadSettings | undefined;
  /** Whether this program shortened the windows, so that a demonstration takes seconds. */
  readonly demonstration: boolean;
}

const BUNDLED_FLEET = 2;

/**
 * Reads the settings of a load run from the command line, files and the environment; sends nothing.
 * @throws {UserError} when an option is wrong.
 */
export async function settleLoad(
  name: string,
  options: LoadOptions,
  env: NodeJS.ProcessEnv,
): Promise<LoadSettings> {
  if (options.json === true && options.dryRun !== true)
    throw new UserError('--json requires --dry-run: a run writes its results to files.');
  const profile = findProfile(name);
  checkProfile(options, profile.id);
  const tag = randomTag();
  const listed = options.keysFile === undefined ? undefined : readKeysFile(options.keysFile);
  const subject = await readSubject(options, withKeyUnderTest(env, listed));
  const { plans, demonstration } = plansFor(subject, options.plans);
  const fleet = listed?.map(({ key }) => key) ?? fleetFor(profile, subject, options, env);
  const size = subject.kind === 'bundled' ? BUNDLED_FLEET : fleet.length;
  // The bundled server is this program's own.
  const exclusive = options.exclusiveKey === true || subject.kind === 'bundled';
  const usual = usualInputs(profile, plans, { plan: options.plan, listed, fleet: size, exclusive });
  const { limits, fleetPlans = [{ limits }] } = usual;
  const inputs: ProfileInputs = definedFields({
    ...usual,
    minutes: options.minutes === undefined ? usual.minutes : checkedMinutes(options.minutes, fleetPlans),
    capacity: profile.id === 'capacity' ? readCapacity(options, limits, usual.fleet) : undefined,
  });
  const preview = previewProfile(profile, inputs);
  if (subject.kind === 'target' && options.dryRun !== true) checkNeeds(preview, subject.access.keys);
  return {
    profile,
    subject,
    plan: options.plan,
    plans,
    inputs,
    ...guardedKeys(subject, fleet),
    keysFile:
      options.keysFile === undefined ? undefined : { path: resolve(options.keysFile), plan: options.plan },
    preview,
    repetitions: options.repeat ?? 1,
    allowedHosts: options.allowHost ?? [],
    fullDayAllowed: options.useFullDay === true,
    latencyThresholdMs: options.latencyMs,
    thresholds: options.thresholds === undefined ? undefined : readThresholds(options.thresholds),
    dashboardPort: options.dashboard,
    tag,
    folder: runFolder(options.out, `load-${tag}`, new Date()),
    ...readJudging({}),
    format: 'console',
    json: options.json === true,
    dryRun: options.dryRun === true ? dryRunLines(options, env) : undefined,
    targets: options.against === undefined ? 1 : 2,
    against: await readAgainst(name, options, env),
    caFile: trustedFile(options.ca, process.platform),
    outputs: options.k6Out ?? [],
    product: readProduct(options.product),
    demonstration,
  };
}

const dryRunLines = (options: LoadOptions, env: NodeJS.ProcessEnv): readonly string[] =>
  options.json === true
    ? []
    : [dryRunText('sent', options.keysFile === undefined && lacksKeys(options, env))];

/** The settings of the second target: the same, with its address. @throws {UserError} where there is nothing to take turns with. */
async function readAgainst(
  name: string,
  { against, ...options }: LoadOptions,
  env: NodeJS.ProcessEnv,
): Promise<LoadSettings | undefined> {
  if (against === undefined) return undefined;
  if (options.target === undefined)
    throw new UserError('--against needs --target: the runs of both targets take turns and are compared.');
  if (options.repeat === undefined)
    throw new UserError(
      '--against needs --repeat: single runs cannot tell a change of latency from noise (--repeat 6 or more can).',
    );
  return { ...(await settleLoad(name, { ...options, target: against }, env)), targets: 2 };
}

/** The target that the guard protects and its keys. The bundled server is this program's own: its keys are known once it runs. */
function guardedKeys(
  subject: Subject,
  fleet: readonly string[],
): Pick<LoadSettings, 'sharedTarget' | 'keys'> {
  if (subject.kind === 'bundled') return { sharedTarget: undefined, keys: {} };
  const { baseUrl, keys } = subject.access;
  const { key, other, disposable } = keys;
  return {
    sharedTarget: isLoopback(baseUrl) ? undefined : baseUrl,
    keys: keysByAlias({ key, other, disposable }, fleet),
  };
}

/** The first key of a file takes the place of the key under test. */
const withKeyUnderTest = (env: NodeJS.ProcessEnv, listed: readonly ListedKey[] | undefined) => {
  const [first] = listed ?? [];
  return first === undefined ? env : { ...env, [KEY_VARIABLES.key]: first.key };
};

/**
 * What a profile sends with these keys unless the user says otherwise. @param fleet how many keys there are.
 * @throws {UserError} where the profile needs keys of other plans.
 */
export function usualInputs(
  profile: Profile,
  plans: Plans,
  of: { plan: string; listed?: readonly ListedKey[] | undefined; fleet: number; exclusive: boolean },
): ProfileInputs {
  const limits = limitsOf(plans, of.plan);
  const fleetPlans = fleetPlansOf(of.listed ?? [], of.plan, (plan) => limitsOf(plans, plan));
  checkPlans(profile, fleetPlans);
  return definedFields({
    limits,
    fleet: Math.max(1, of.fleet),
    minutes: defaultSoak(limits, fleetPlans),
    fleetPlans,
    exclusiveKeys: of.exclusive || undefined,
  });
}

/** A capacity run deals its requests to keys of one plan, and `plans` compares several. */
function checkPlans({ id }: Profile, fleetPlans: readonly FleetPlan[] | undefined): void {
  const plans = new Set(fleetPlans?.map(({ plan }) => plan));
  if (id === 'plans' && plans.size < 2)
    throw new UserError(
      'plans needs keys of at least two plans, and without a target a run has keys of one: with --target, name each key with its plan (KEY,PLAN) in the file of --keys-file.',
    );
  if (id === 'capacity' && plans.size > 0)
    throw new UserError(
      'capacity takes keys of one plan: leave the plans out of the keys file and name the plan with --plan.',
    );
}

function fleetFor(
  profile: Profile,
  subject: Subject,
  options: LoadOptions,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  if (subject.kind === 'bundled' || !appliesTo('fleetKeysEnv', profile.id)) return [];
  return readFleet(subject.access.keys.key, options, env);
}

/** @throws {UserError} where the day of a plan is too short for them. */
function checkedMinutes(minutes: number, plans: readonly { readonly limits: Limits }[]): number {
  const tooShort = plans.find(({ limits }) => minutes > longestSoak(limits));
  if (tooShort === undefined) return minutes;
  const { limits } = tooShort;
  throw new UserError(
    `A soak of ${minutes} minutes would use more than nine tenths of a key's day (${groupedNumber(limits.perDay)} requests): the longest soak under this plan is --minutes ${longestSoak(limits)}.`,
  );
}
