import { isLoopback } from '../../exchanges/loopback.ts';
import type { KeyAlias } from '../../load/model/profile.ts';
import type { Admission, KeyDemand } from '../../usage-ledger/admission.ts';
import { admissionObstacle, admitRun } from '../../usage-ledger/admission.ts';
import type { DayUsage } from '../../usage-ledger/day-usage.ts';
import { dayUsageOf } from '../../usage-ledger/day-usage.ts';
import { GuardError } from '../../usage-ledger/guard-error.ts';
import type { AllowedHosts } from '../../usage-ledger/host-confirmation.ts';
import { confirmHost, readAllowedHosts } from '../../usage-ledger/host-confirmation.ts';
import { userLedger } from '../../usage-ledger/user-ledger.ts';
import { thisUserPlace } from '../../words/user-folders.ts';
import { keyLabel, scenarioKeys } from './keys.ts';
import { totalOf } from './repetitions.ts';
import type { LoadSettings } from './settings.ts';

/** What the guard finds before a run starts. */
export interface GuardReport {
  /** What each key has used of its day; undefined for loopback, which is not recorded. */
  readonly usage: readonly (readonly [alias: KeyAlias, usage: DayUsage])[] | undefined;
  /** How many lines of the ledger cannot be read. */
  readonly damagedLines: number;
  /** Why the run must not start, in sentences; empty where it may. */
  readonly obstacles: readonly string[];
}

/** A day that ends within this time may be exhausted without permission, in seconds. */
const SHORT_DAY_SECONDS = 3600;

/** How many windows longer than estimated each run may last before the ledger counts its requests as later ones. */
const SPARE_WINDOWS = 5;

/**
 * Checks whether a run may start, without recording it in the ledger.
 * @param now milliseconds since the Unix epoch.
 * @throws {GuardError} when the configuration or the ledger cannot be read.
 */
export function checkGuard(settings: LoadSettings, now: number): GuardReport {
  const target = sharedTarget(settings);
  if (target === undefined) return { usage: undefined, damagedLines: 0, obstacles: [] };
  const ledger = userLedger();
  const { limits } = settings.inputs;
  const rules = { limits, fullDayAllowed: isFullDayAllowed(settings), ledger: ledger.folder };
  const histories = keyDemands(settings).map((demand) => ({
    demand,
    ...ledger.historyOf(demand.key, target.origin),
  }));
  return {
    usage: histories.map(({ demand, runs }) => [
      demand.alias,
      dayUsageOf(runs, demand.limits ?? limits, now),
    ]),
    damagedLines: histories[0]?.damagedLines ?? 0,
    obstacles: [
      ...hostObstacles(target, settings),
      ...histories.flatMap(({ demand, runs }) => admissionObstacle(runs, demand, rules, now) ?? []),
    ],
  };
}

/**
 * Records a run in the ledger before its first request. Its `settle` takes what was sent.
 * A run against loopback is always admitted and never recorded.
 * @param now milliseconds since the Unix epoch.
 * @throws {GuardError} when the run must not start.
 */
export function admitLoad(settings: LoadSettings, now: number): Admission<KeyAlias> {
  const target = sharedTarget(settings);
  if (target === undefined) return { settle: () => undefined };
  confirmHost(target.hostname, allowedHosts(settings));
  const { profile, inputs } = settings;
  return admitRun(
    userLedger(),
    {
      keys: keyDemands(settings),
      origin: target.origin,
      command: `load ${profile.id}`,
      limits: inputs.limits,
      fullDayAllowed: isFullDayAllowed(settings),
      maximumSeconds:
        totalOf(settings).seconds.afterRecentUse +
        settings.repetitions * SPARE_WINDOWS * inputs.limits.minuteSeconds,
    },
    now,
  );
}

/** The address of a target that others may use as well; undefined for the bundled server and loopback. */
function sharedTarget({ subject }: Pick<LoadSettings, 'subject'>): URL | undefined {
  if (subject.kind === 'bundled' || isLoopback(subject.access.baseUrl)) return undefined;
  return subject.access.baseUrl;
}

const allowedHosts = ({ allowedHosts: fromOption }: LoadSettings): AllowedHosts => ({
  fromOption,
  fromFile: readAllowedHosts(thisUserPlace()),
});

function hostObstacles(target: URL, settings: LoadSettings): readonly string[] {
  try {
    confirmHost(target.hostname, allowedHosts(settings));
    return [];
  } catch (error) {
    if (error instanceof GuardError) return [error.message];
    throw error;
  }
}

const isFullDayAllowed = ({ fullDayAllowed, inputs }: LoadSettings): boolean =>
  fullDayAllowed || inputs.limits.daySeconds <= SHORT_DAY_SECONDS;

/** What each key sends in all repetitions together. */
function keyDemands({
  subject,
  profile,
  inputs,
  fleet,
  preview,
  repetitions,
}: LoadSettings): readonly KeyDemand<KeyAlias>[] {
  if (subject.kind === 'bundled') return [];
  const scenarios = profile.scenarios(inputs);
  const keys = scenarioKeys(scenarios, subject.access.keys, fleet);
  return preview.keys.flatMap(({ key: alias, requests }, at) => {
    const key = keys[alias];
    const limits = scenarios[at]?.limits;
    const own = limits === undefined ? {} : { limits };
    return key === undefined
      ? []
      : [{ alias, label: keyLabel(alias), key, requests: repetitions * requests, ...own }];
  });
}
