import { admitFullDay } from '../../usage-ledger/unused-day.ts';
import { userLedger } from '../../usage-ledger/user-ledger.ts';
import type { TargetAccess } from '../inputs/target-access.ts';
import { LONGEST_DAY_RUN, spendDay } from '../probes/spend-day.ts';
import type { SettledRun } from '../run/run-settings.ts';
import { JournalError } from '../wire/journal-file.ts';
import { requestsByCaller } from '../wire/requests-by-caller.ts';

/** A run that uses the daily quota of its key, in the usage ledger. */
export interface EnteredDay {
  /** Records how many requests the journal at this path contains, and when the run ended (milliseconds since the Unix epoch). */
  settle(journal: string, at: number): void;
}

/**
 * Enters a run that uses the daily quota into the usage ledger; undefined for every other run.
 * @param now milliseconds since the Unix epoch.
 * @throws {GuardError} unless the ledger shows an unused day.
 */
export function enterFullDay(
  { keys: { key }, baseUrl: { origin } }: TargetAccess,
  { plan }: SettledRun,
  now: number,
): EnteredDay | undefined {
  if (!plan.probes.some(({ probe }) => probe.id === spendDay.id)) return undefined;
  const until = now + LONGEST_DAY_RUN * plan.seconds * 1000;
  const run = { key, origin, command: 'certify', requests: plan.mostWithKey, until };
  const entry = admitFullDay(userLedger(), { run, limits: plan.inputs.limits }, now);
  return {
    settle(journal, at) {
      const sent = sentWithKey(journal);
      // Without a readable journal, the ledger keeps the most that may have been sent.
      if (sent !== undefined) entry.settle(sent, at);
    },
  };
}

function sentWithKey(journal: string): number | undefined {
  try {
    return requestsByCaller(journal).get('key') ?? 0;
  } catch (error) {
    if (error instanceof JournalError) return undefined;
    throw error;
  }
}
