import { isLoopback } from '../../suites/inputs/base-url.ts';
import { JournalError } from '../../suites/wire/journal-file.ts';
import { readJournal } from '../../suites/wire/journal-reader.ts';
import type { Keys } from '../../suites/wire/keyring.ts';
import { dayOf } from '../../usage-ledger/day.ts';
import { GuardError } from '../../usage-ledger/guard-error.ts';
import type { Entry } from '../../usage-ledger/ledger.ts';
import { dayText } from '../../usage-ledger/sentences.ts';
import { userLedger } from '../load/user-ledger.ts';
import type { Terminal } from '../terminal.ts';
import type { Settings } from './settings.ts';

/** An examination in the ledger. */
export interface NotedUse {
  /** Says what the journal at this path shows to have been sent, and when that ended (milliseconds since the Unix epoch). */
  settle(journal: string, at: number): void;
}

/** Windows of a minute that an examination lasts at most. */
const LONGEST_WINDOWS = 10;

/**
 * What the ledger knows of the examined key's day, for the preview; undefined for
 * loopback and where nothing was used. `now` in milliseconds since the Unix epoch.
 */
export function knownUse(settings: Settings, now: number): string | undefined {
  const reach = sharedReach(settings);
  if (reach === undefined) return undefined;
  const { limits } = settings.runPlan.inputs;
  try {
    const { runs } = userLedger().known(reach.keys.key, reach.baseUrl.origin);
    const day = dayOf(runs, limits, now);
    return day.used === 0 ? undefined : dayText(day, limits, now);
  } catch (error) {
    if (error instanceof GuardError) return error.message;
    throw error;
  }
}

/**
 * Enters an examination into the ledger that load runs go by. An examination never fails
 * for the ledger's sake: what goes wrong is said, and no more.
 */
export function noteUse(settings: Settings, now: number, { err }: Terminal): NotedUse {
  const said = (error: unknown): void => {
    // A journal that cannot be read tells nothing: the ledger keeps what may have been sent.
    if (error instanceof JournalError) return;
    if (!(error instanceof GuardError)) throw error;
    err.write(`${error.message}\n`);
  };
  const entries = new Map<string, Entry>();
  try {
    for (const [caller, use] of usesOf(settings)) {
      const until = now + LONGEST_WINDOWS * settings.runPlan.inputs.limits.minuteSeconds * 1000;
      entries.set(caller, userLedger().begin({ ...use, by: 'certify', until }, now));
    }
  } catch (error) {
    said(error);
  }
  return {
    settle(journal, at) {
      if (entries.size === 0) return;
      try {
        const sent = sentBy(journal);
        for (const [caller, entry] of entries) entry.settle(sent.get(caller) ?? 0, at);
      } catch (error) {
        said(error);
      }
    },
  };
}

/** What each key may send, by its caller. */
function usesOf(settings: Settings) {
  const reach = sharedReach(settings);
  if (reach === undefined) return [];
  const { mostWithKey, total } = settings.runPlan;
  return Object.entries(callers(reach.keys)).map(([caller, key]) => {
    const requests = caller === 'key' ? mostWithKey : total.withOtherKeys;
    return [caller, { key, origin: reach.baseUrl.origin, requests }] as const;
  });
}

const sharedReach = ({ subject }: Settings) =>
  subject.kind === 'bundled' || isLoopback(subject.reach.baseUrl) ? undefined : subject.reach;

function callers({ plans = {}, ...keys }: Keys): Readonly<Record<string, string>> {
  return {
    ...keys,
    ...Object.fromEntries(Object.entries(plans).map(([plan, key]) => [`plan:${plan}`, key])),
  };
}

/** Requests of each caller. An odd presentation of the key may count, so it does here. */
function sentBy(journal: string): ReadonlyMap<string, number> {
  const sent = new Map<string, number>();
  for (const line of readJournal(journal).lines) {
    if (line.kind !== 'exchange') continue;
    const caller = line.caller === 'unspecified' ? 'key' : line.caller;
    sent.set(caller, (sent.get(caller) ?? 0) + 1);
  }
  return sent;
}
