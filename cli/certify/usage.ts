import { isLoopback } from '../../exchanges/loopback.ts';
import { LONGEST_DAY_RUN } from '../../suites/probes/spend-day.ts';
import { JournalError } from '../../suites/wire/journal-file.ts';
import type { Keys } from '../../suites/wire/keyring.ts';
import { requestsByCaller } from '../../suites/wire/requests-by-caller.ts';
import { dayUsageOf } from '../../usage-ledger/day-usage.ts';
import { GuardError } from '../../usage-ledger/guard-error.ts';
import type { LedgerEntry } from '../../usage-ledger/ledger.ts';
import { dayUsageText } from '../../usage-ledger/sentences.ts';
import { admitFullDay, obstacleToFullDay } from '../../usage-ledger/unused-day.ts';
import { userLedger } from '../../usage-ledger/user-ledger.ts';
import type { Terminal } from '../terminal.ts';
import type { CertifySettings } from './settings.ts';

/** A certification run in the usage ledger. */
export interface RecordedUsage {
  /** Records how many requests the journal at this path contains, and when the run ended (milliseconds since the Unix epoch). */
  settle(journal: string, at: number): void;
}

/** The most windows of a minute that a certification run lasts, and a thorough one. */
const LONGEST_WINDOWS = 10;
const LONGEST_THOROUGH_WINDOWS = 24;

/**
 * What the key has used of its day, for the preview; undefined for
 * loopback and where nothing was used.
 * @param now milliseconds since the Unix epoch.
 */
export function dayUsageBefore(settings: CertifySettings, now: number): string | undefined {
  const access = recordedAccess(settings);
  if (access === undefined || isLoopback(access.baseUrl)) return undefined;
  const { limits } = settings.run.plan.inputs;
  try {
    const { runs } = userLedger().historyOf(access.keys.key, access.baseUrl.origin);
    const usage = dayUsageOf(runs, limits, now);
    return usage.used === 0 ? undefined : dayUsageText(usage, limits, now);
  } catch (error) {
    if (error instanceof GuardError) return error.message;
    throw error;
  }
}

/**
 * Checks that the ledger shows an unused day where the run uses all of it. The bundled server is started for the run.
 * @param now milliseconds since the Unix epoch.
 * @throws {GuardError} when some of the day is used, or the ledger cannot show whether it is.
 */
export function checkUnusedDay(settings: CertifySettings, now: number): void {
  const access = recordedAccess(settings);
  const { inputs } = settings.run.plan;
  if (access === undefined || inputs.spendDay !== true) return;
  const ledger = userLedger();
  const history = ledger.historyOf(access.keys.key, access.baseUrl.origin);
  const obstacle = obstacleToFullDay(history, inputs.limits, ledger.folder, now);
  if (obstacle !== undefined) throw new GuardError(obstacle);
}

/**
 * Records a certification run in the ledger that load runs check. A problem with the
 * ledger is printed and ends no run but one that uses a whole day.
 * @throws {GuardError} when the run uses a whole day and the ledger shows no unused one.
 */
export function recordUsage(settings: CertifySettings, now: number, { err }: Terminal): RecordedUsage {
  const report = (error: unknown): void => {
    // Without a readable journal, the ledger keeps the most that may have been sent.
    if (error instanceof JournalError) return;
    if (!(error instanceof GuardError)) throw error;
    err.write(`${error.message}\n`);
  };
  const { inputs, seconds } = settings.run.plan;
  const { limits, spendDay, thorough } = inputs;
  const windows = thorough ? LONGEST_THOROUGH_WINDOWS : LONGEST_WINDOWS;
  const wholeDaySeconds = spendDay === true ? LONGEST_DAY_RUN * seconds : 0;
  const until = now + (windows * limits.minuteSeconds + wholeDaySeconds) * 1000;
  const entries = new Map<string, LedgerEntry>();
  try {
    for (const [caller, use] of plannedUsage(settings)) {
      const run = { ...use, command: 'certify', until };
      const wholeDay = caller === 'key' && spendDay === true;
      const enter = (): LedgerEntry =>
        wholeDay ? admitFullDay(userLedger(), { run, limits }, now) : userLedger().enter(run, now);
      entries.set(caller, enter());
    }
  } catch (error) {
    if (spendDay === true) throw error;
    report(error);
  }
  return {
    settle(journal, at) {
      if (entries.size === 0) return;
      try {
        const sent = requestsByCaller(journal);
        for (const [caller, entry] of entries) entry.settle(sent.get(caller) ?? 0, at);
      } catch (error) {
        report(error);
      }
    },
  };
}

/** The most that each key may send, by its caller. */
function plannedUsage(settings: CertifySettings) {
  const access = recordedAccess(settings);
  if (access === undefined) return [];
  const { mostWithKey, total } = settings.run.plan;
  return Object.entries(callers(access.keys)).map(([caller, key]) => {
    const requests = caller === 'key' ? mostWithKey : total.withOtherKeys;
    return [caller, { key, origin: access.baseUrl.origin, requests }] as const;
  });
}

/** A target whose keys outlast the run, on loopback as well: an early end of the day must not be taken for a fault. */
const recordedAccess = ({ subject }: CertifySettings) =>
  subject.kind === 'bundled' ? undefined : subject.access;

function callers({ plans = {}, ...keys }: Keys): Readonly<Record<string, string>> {
  return {
    ...keys,
    ...Object.fromEntries(Object.entries(plans).map(([plan, key]) => [`plan:${plan}`, key])),
  };
}
