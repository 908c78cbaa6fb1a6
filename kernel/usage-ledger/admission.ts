import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits } from '../../spec/plans.ts';
import { jsonFields, parsedJson } from '../basics/json.ts';
import { countOf, groupedNumber } from '../basics/text.ts';
import type { UserPlace } from '../basics/user-files.ts';
import { userFolder } from '../basics/user-files.ts';
import { dayAllowance, dayUsageOf, momentText, possibleFrom } from './day-usage.ts';
import type { KeyHistory, SettleEntry, UsageLedger } from './ledger.ts';
import { GuardError, REPAIR, unlessMissing } from './ledger.ts';

/** In a sentence; undefined where the ledger shows an unused day. @param label what a person calls the key, at the start of a sentence. */
export function obstacleToFullDay(
  { runs, damagedLines }: KeyHistory,
  { limits, ledger }: Pick<KeyDemand, 'limits'> & Pick<AdmissionRules, 'ledger'>,
  now: number,
  label = 'The key',
): string | undefined {
  const needs = 'A run that uses the whole daily quota needs a key that was not used for a day';
  if (damagedLines > 0) {
    return `${needs}, and the ledger ${ledger} has ${countOf(damagedLines, 'line')} that cannot be read: remove the damaged file if you know that the key was not used.`;
  }
  const { used, fullAt } = dayUsageOf(runs, limits, now);
  if (fullAt === undefined) return undefined;
  return `${needs}, and ${label.charAt(0).toLowerCase()}${label.slice(1)} sent ${countOf(used, 'request')} to this target within the last day (ledger: ${ledger}). It can start ${momentText(fullAt, now)}, or now with another key.`;
}

/** One key of a run, and how many requests it will send. */
export interface KeyDemand {
  readonly alias: string;
  /** What a person calls the key, at the start of a sentence: `The key`, `Key 2 of the fleet`. */
  readonly label: string;
  readonly key: string;
  readonly requests: number;
  /** Of its plan. */
  readonly limits: Limits;
}

export interface RunDemand {
  readonly keys: readonly KeyDemand[];
  /** Origin of the target, as in `https://api.example.com`. */
  readonly origin: string;
  /** For a person: `load at-limit`. */
  readonly command: string;
  /** Whether the user allows the run to use a whole day's quota. */
  readonly fullDayAllowed: boolean;
  /** How long it takes at most, in seconds. */
  readonly maximumSeconds: number;
}

/** Records what each key of an admitted run sent in the end, and when it ended: milliseconds since the Unix epoch. */
export type Settle = (sent: Readonly<Partial<Record<string, number>>>, at: number) => void;

/** Not if it would use more than nine tenths of the day of one of its keys. @throws {GuardError} also when the ledger cannot be used. */
export function admitRun(ledger: UsageLedger, demand: RunDemand, now: number): Settle {
  const { keys, origin, command, fullDayAllowed, maximumSeconds } = demand;
  const until = now + maximumSeconds * 1000;
  const rules = { fullDayAllowed, ledger: ledger.folder };
  const entries = new Map<string, SettleEntry>();
  try {
    for (const demanded of keys) {
      const { alias, key, requests } = demanded;
      const run = { key, origin, command, requests, until };
      entries.set(
        alias,
        ledger.enter(run, now, (history) => admissionObstacle(history, demanded, rules, now)),
      );
    }
  } catch (error) {
    for (const settle of entries.values()) settle(0, now);
    throw error;
  }
  return (sent, at) => {
    for (const [alias, settle] of entries) settle(sent[alias] ?? 0, at);
  };
}

/** What decides whether a key may send what a run demands, besides its recorded runs. */
interface AdmissionRules extends Pick<RunDemand, 'fullDayAllowed'> {
  /** Folder of the ledger, named in the sentence. */
  readonly ledger: string;
}

/** Why this key, with what is recorded of it, must not send what the run demands, in sentences; undefined where it may. */
export function admissionObstacle(
  history: KeyHistory,
  { label, requests, limits }: KeyDemand,
  { fullDayAllowed, ledger }: AdmissionRules,
  now: number,
): string | undefined {
  if (fullDayAllowed && requests > dayAllowance(limits))
    return obstacleToFullDay(history, { limits, ledger }, now, label);
  const start = possibleFrom(history.runs, requests, limits, now);
  if (start <= now) return undefined;
  const { used, available } = dayUsageOf(history.runs, limits, now);
  const quota = groupedNumber(limits.perDay);
  return start === Number.POSITIVE_INFINITY
    ? `${label} may send ${quota} requests a day, and this run would send ${groupedNumber(requests)}, more than nine tenths of them. Add --use-full-day if the key may be unusable for a day, or give --plans a plan file with a short day.`
    : `${label} has used ${groupedNumber(used)} of its ${quota} requests a day at this target (ledger: ${ledger}). Runs may use nine tenths of the quota: ${groupedNumber(available)} are left, and this run would send ${groupedNumber(requests)}. It can start ${momentText(start, now)}.`;
}

interface AllowedHosts {
  /** From `--allow-host`. */
  readonly fromOption: readonly string[];
  /** From the user's configuration file: its path, and the hosts in it. */
  readonly fromFile: { readonly path: string; readonly hosts: readonly string[] };
}

/** Undefined where the user allowed the host by name. There is no prompt: it would block a pipeline, and is confirmed without reading. */
export function hostObstacle(host: string, { fromOption, fromFile }: AllowedHosts): string | undefined {
  const other = fromOption.find((one) => !isHost(one, host));
  if (other !== undefined)
    return `--allow-host names ${other}, but the target is ${host}: both must name the same host, so that no other host is loaded by mistake.`;
  if ([...fromOption, ...fromFile.hosts].some((one) => isHost(one, host))) return undefined;
  return `Load on ${host} is not confirmed: make sure that you are authorized to load this host, then add --allow-host ${host} for this run, or write {"allowedHosts": ["${host}"]} into ${fromFile.path} for every run.`;
}

const isHost = (name: string, host: string): boolean => name.toLowerCase() === host.toLowerCase();

/** Reads the user's `load.json`: `{"allowedHosts": ["staging.example.com"]}`; it may be missing. @throws {GuardError} */
export function readAllowedHosts(place: UserPlace): AllowedHosts['fromFile'] {
  const path = join(userFolder('config', place), 'load.json');
  const what = `${path}, which lists the hosts that may be loaded,`;
  const text = unlessMissing(() => readFileSync(path, 'utf8'), what, REPAIR);
  return { path, hosts: text === undefined ? [] : hostsIn(text, path) };
}

function hostsIn(text: string, path: string): readonly string[] {
  const file = jsonFields(parsedJson(text.replace(/^\uFEFF/, '')));
  const hosts = Object.keys(file).join() === 'allowedHosts' ? file['allowedHosts'] : undefined;
  if (!Array.isArray(hosts) || !hosts.every((one): one is string => typeof one === 'string')) {
    throw new GuardError(
      `${path} must have the form {"allowedHosts": ["staging.example.com"]}: a list of the hosts that may be loaded.`,
    );
  }
  const invalid = hosts.find((one) => !/^(?:[\w.-]+|\[[0-9a-f:.]+\])$/i.test(one));
  if (invalid === undefined) return hosts;
  throw new GuardError(
    `${path}: "${invalid.slice(0, 80)}" is not a host name; give the host alone, without scheme, port or wildcard.`,
  );
}
