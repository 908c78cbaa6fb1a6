import type { Keys, TargetAccess } from '../../suites/index.ts';
import { JournalError, readJournal } from '../../suites/index.ts';
import { isLoopback } from '../../suites/inputs/base-url.ts';
import { dayOf } from '../../usage-ledger/day.ts';
import { GuardError } from '../../usage-ledger/guard-error.ts';
import type { Entry } from '../../usage-ledger/ledger.ts';
import { dayText } from '../../usage-ledger/sentences.ts';
import type { Terminal } from '../terminal.ts';
import { userLedger } from '../user-ledger.ts';
import type { CertifySettings } from './settings.ts';

/** A run that is entered in the ledger. */
export interface LedgerUse {
  /** Corrects the entry to what the journal at this path shows; `now` in milliseconds since the Unix epoch. */
  settle(journal: string, now: number): void;
}

/** The longest run, in windows of a minute. */
const MOST_WINDOWS = 10;

/**
 * What the ledger knows of the key's day, for the preview; undefined for loopback and where nothing was used.
 * @param now milliseconds since the Unix epoch.
 */
export function usedOfDay(settings: CertifySettings, now: number): string | undefined {
  const access = sharedAccess(settings);
  if (access === undefined) return undefined;
  const { limits } = settings.run.plan.inputs;
  try {
    const { runs } = userLedger().known(access.keys.key, access.baseUrl.origin);
    const day = dayOf(runs, limits, now);
    return day.used === 0 ? undefined : dayText(day, limits, now);
  } catch (error) {
    if (error instanceof GuardError) return error.message;
    throw error;
  }
}

/**
 * Enters a run into the ledger that load runs read. A ledger that cannot be written never fails a certification run:
 * the error is printed, and the run goes on.
 * @param now milliseconds since the Unix epoch.
 */
export function enterUse(settings: CertifySettings, now: number, { err }: Terminal): LedgerUse {
  const report = (error: unknown): void => {
    // Without a readable journal the ledger keeps the number of requests that may have been sent.
    if (error instanceof JournalError) return;
    if (!(error instanceof GuardError)) throw error;
    err.write(`${error.message}\n`);
  };
  const entries = new Map<string, Entry>();
  try {
    for (const [caller, use] of usesOf(settings)) {
      const until = now + MOST_WINDOWS * settings.run.plan.inputs.limits.minuteSeconds * 1000;
      entries.set(caller, userLedger().begin({ ...use, by: 'certify', until }, now));
    }
  } catch (error) {
    report(error);
  }
  return {
    settle(journal, settledAt) {
      if (entries.size === 0) return;
      try {
        const sent = requestsByCaller(journal);
        for (const [caller, entry] of entries) entry.settle(sent.get(caller) ?? 0, settledAt);
      } catch (error) {
        report(error);
      }
    },
  };
}

/** The most requests that each key may send, by its caller. */
function usesOf(settings: CertifySettings) {
  const access = sharedAccess(settings);
  if (access === undefined) return [];
  const { keyedAtMost, total } = settings.run.plan;
  return Object.entries(keysByCaller(access.keys)).map(([caller, key]) => {
    const requests = caller === 'key' ? keyedAtMost : total.others;
    return [caller, { key, origin: access.baseUrl.origin, requests }] as const;
  });
}

/** The access to a target that others may share. */
function sharedAccess({ subject }: CertifySettings): TargetAccess | undefined {
  return subject.kind === 'bundled' || isLoopback(subject.access.baseUrl) ? undefined : subject.access;
}

function keysByCaller({ plans = {}, ...keys }: Keys): Readonly<Record<string, string>> {
  return {
    ...keys,
    ...Object.fromEntries(Object.entries(plans).map(([plan, key]) => [`plan:${plan}`, key])),
  };
}

/** Requests by caller. A target may count a request with the key in an unspecified presentation, so it counts here. */
function requestsByCaller(journal: string): ReadonlyMap<string, number> {
  const sent = new Map<string, number>();
  for (const line of readJournal(journal).lines) {
    if (line.kind !== 'exchange') continue;
    const caller = line.caller === 'unspecified' ? 'key' : line.caller;
    sent.set(caller, (sent.get(caller) ?? 0) + 1);
  }
  return sent;
}
