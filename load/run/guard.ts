import { statfsSync } from 'node:fs';
import { UserError } from '../../kernel/basics/errors.ts';
import { capitalized } from '../../kernel/basics/text.ts';
import { thisUserPlace } from '../../kernel/basics/user-files.ts';
import type { KeyDemand } from '../../kernel/usage-ledger/admission.ts';
import {
  admissionObstacle,
  admitRun,
  hostObstacle,
  readAllowedHosts,
} from '../../kernel/usage-ledger/admission.ts';
import type { DayUsage } from '../../kernel/usage-ledger/day-usage.ts';
import { dayUsageOf } from '../../kernel/usage-ledger/day-usage.ts';
import { GuardError, userLedger } from '../../kernel/usage-ledger/ledger.ts';
import type { KeysByAlias } from '../model/key-list.ts';
import { keyText } from '../model/key-list.ts';
import type { KeyAlias, Profile, ProfileInputs } from '../model/profile.ts';
import type { Preview } from '../preview.ts';
import { totalOf } from '../preview.ts';
import { scenarioRequests } from '../profiles/arithmetic.ts';

export interface GuardedRun {
  /** Address of a target that others may use as well; undefined for the bundled server and loopback, which are not guarded. */
  readonly sharedTarget: URL | undefined;
  readonly profile: Profile;
  readonly inputs: ProfileInputs;
  readonly keys: KeysByAlias;
  readonly preview: Preview;
  /** How often the profile runs; at least 1. */
  readonly repetitions: number;
  /** How many targets take turns: so many times as long do the repetitions last. */
  readonly targets: 1 | 2;
  readonly allowedHosts: readonly string[];
  readonly fullDayAllowed: boolean;
}

export interface GuardReport {
  /** What each key has used of its day; undefined for loopback, which is not recorded. */
  readonly usage: readonly (readonly [alias: string, usage: DayUsage])[] | undefined;
  readonly damagedLines: number;
  /** Why the run must not start, in sentences; empty where it may. */
  readonly obstacles: readonly string[];
}

/** A day that ends within this time may be exhausted without permission, in seconds. */
const SHORT_DAY_SECONDS = 3600;

/** How many windows longer than estimated each run may last before the ledger counts its requests as later ones. */
const SPARE_WINDOWS = 5;

/** Checks whether a run may start now, in milliseconds since the Unix epoch, and records nothing. @throws {GuardError} when the configuration or the ledger cannot be read. */
export function checkGuard(run: GuardedRun, now: number): GuardReport {
  const { sharedTarget: target } = run;
  if (target === undefined) return { usage: undefined, damagedLines: 0, obstacles: [] };
  const ledger = userLedger();
  const rules = { fullDayAllowed: isFullDayAllowed(run), ledger: ledger.folder };
  const histories = keyDemands(run).map((demand) => ({
    demand,
    ...ledger.historyOf(demand.key, target.origin),
  }));
  return {
    usage: histories.map(({ demand, runs }) => [demand.alias, dayUsageOf(runs, demand.limits, now)]),
    damagedLines: histories[0]?.damagedLines ?? 0,
    obstacles: [
      ...hostObstacles(target, run),
      ...histories.flatMap(({ demand, ...history }) => admissionObstacle(history, demand, rules, now) ?? []),
    ],
  };
}

/** All repetitions of a run in the ledger, which keeps the most that they may send until it is settled. */
export interface AdmittedLoad {
  add(sent: Readonly<Partial<Record<KeyAlias, number>>>): void;
  /** Records what was counted; the run has ended now. */
  settle(): void;
}

/**
 * Records a run in the ledger before its first request, unless it is against loopback.
 * @throws {GuardError} when the run must not start.
 */
export function admitLoad(run: GuardedRun, now: number): AdmittedLoad {
  const { sharedTarget: target, profile, preview } = run;
  if (target === undefined) return { add: () => undefined, settle: () => undefined };
  for (const obstacle of hostObstacles(target, run)) throw new GuardError(obstacle);
  const { limits } = run.inputs;
  const runs = run.targets * run.repetitions;
  const spareSeconds = runs * SPARE_WINDOWS * limits.minuteSeconds;
  const settle = admitRun(
    userLedger(),
    {
      keys: keyDemands(run),
      origin: target.origin,
      command: `load ${profile.id}`,
      fullDayAllowed: isFullDayAllowed(run),
      maximumSeconds: totalOf(preview, runs, limits).seconds.afterRecentUse + spareSeconds,
    },
    now,
  );
  const counted: Partial<Record<KeyAlias, number>> = {};
  return {
    add(sent) {
      for (const { key } of preview.keys) counted[key] = (counted[key] ?? 0) + (sent[key] ?? 0);
    },
    settle: () => settle(counted, Date.now()),
  };
}

/** A file of allowed hosts that cannot be read is an obstacle, too: a preview shows it beside the others. */
function hostObstacles({ hostname }: URL, { allowedHosts: fromOption }: GuardedRun): readonly string[] {
  try {
    const obstacle = hostObstacle(hostname, { fromOption, fromFile: readAllowedHosts(thisUserPlace()) });
    return obstacle === undefined ? [] : [obstacle];
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    return [error.message];
  }
}

const isFullDayAllowed = ({ fullDayAllowed, inputs }: GuardedRun): boolean =>
  fullDayAllowed || inputs.limits.daySeconds <= SHORT_DAY_SECONDS;

const keyDemands = ({ profile, inputs, keys, repetitions }: GuardedRun): readonly KeyDemand[] =>
  profile.scenarios(inputs).flatMap((scenario) => {
    const { key: alias, limits } = scenario;
    const key = keys[alias];
    if (key === undefined) return [];
    const requests = repetitions * scenarioRequests(scenario);
    return { alias, label: capitalized(keyText(alias)), key, requests, limits };
  });

/** The most bytes that k6 writes for a request, with a waiting event and every header at its longest. */
const BYTES_PER_REQUEST = 1024;

/** Checks before the first request that the samples of a run fit on its disk. @throws {UserError} when they do not. */
export function requireDiskSpace(folder: string, requests: number, freeBytes = freeBytesOf(folder)): void {
  const needed = requests * BYTES_PER_REQUEST;
  if (freeBytes >= needed) return;
  const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
  throw new UserError(
    `The measurements cannot be kept in ${folder}: they need up to ${mebibytes(needed)} MiB, and ${mebibytes(freeBytes)} MiB are free; nothing was sent. Free disk space, or choose another folder with --out.`,
  );
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
