import { JournalError } from '../../../kernel/recording/line-file.ts';
import { obstacleToFullDay } from '../../../kernel/usage-ledger/admission.ts';
import type { KeyHistory, SettleEntry } from '../../../kernel/usage-ledger/ledger.ts';
import { GuardError, userLedger } from '../../../kernel/usage-ledger/ledger.ts';
import { readJournal } from '../wire/journal.ts';
import { keysByCaller } from '../wire/keyring.ts';
import type { RunPlan } from './plan.ts';
import { requestsOfDay } from './plan.ts';
import type { TargetAccess } from './run-settings.ts';

/** Records how many requests the journal at this path contains, and when the run ended (milliseconds since the Unix epoch). */
export type SettleRun = (journal: string, at: number) => void;

/** A run lasts at most this multiple of its expected duration, and so many windows of a minute: a day that is not enforced takes twice as long, and a slow link longer. */
const LONGEST_RUN = 3;
const LONGEST_WINDOWS = 10;

/** The bundled server and its keys end with the run. @throws {GuardError} when the run uses a whole day and the ledger shows no unused one. */
export function enterRun(
  tell: (problem: string) => void,
  plan: RunPlan,
  target: TargetAccess,
  now: number,
): SettleRun {
  const usesDay = requestsOfDay(plan) !== undefined;
  if (target.bundled === true) return () => undefined;
  const report = (error: unknown): void => {
    // Without a readable journal, the ledger keeps the most that may have been sent.
    if (error instanceof JournalError) return;
    if (!(error instanceof GuardError)) throw error;
    tell(error.message);
  };
  const entries = new Map<string, SettleEntry>();
  const { limits } = plan.inputs;
  const until = now + (LONGEST_RUN * plan.seconds + LONGEST_WINDOWS * limits.minuteSeconds) * 1000;
  try {
    // The key under test is the first, so a run that is not admitted has entered no other.
    for (const [caller, key] of keysByCaller(target.keys)) {
      const isUnderTest = caller === 'key';
      const requests = isUnderTest ? plan.mostWithKey : plan.total.withOtherKeys;
      const run = { key, origin: target.baseUrl.origin, command: 'certify', requests, until };
      const ledger = userLedger();
      const obstacle = (history: KeyHistory) =>
        obstacleToFullDay(history, { limits, ledger: ledger.folder }, now);
      entries.set(caller, ledger.enter(run, now, isUnderTest && usesDay ? obstacle : undefined));
    }
  } catch (error) {
    if (usesDay) throw error;
    report(error);
  }
  return (journal, at) => {
    if (entries.size === 0) return;
    try {
      const sent = requestsByCaller(journal);
      for (const [caller, settle] of entries) settle(sent.get(caller) ?? 0, at);
    } catch (error) {
      report(error);
    }
  };
}

/** Those with an unspecified form of the key are counted as its own. @throws {JournalError} when the journal cannot be read. */
export function requestsByCaller(journal: string): ReadonlyMap<string, number> {
  const sent = new Map<string, number>();
  for (const line of readJournal(journal).lines) {
    if (line.kind !== 'exchange') continue;
    const caller = line.caller === 'unspecified' ? 'key' : line.caller;
    sent.set(caller, (sent.get(caller) ?? 0) + 1);
  }
  return sent;
}
