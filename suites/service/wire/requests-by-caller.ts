import { readJournal } from './journal-reader.ts';

/**
 * How many requests of each caller a journal contains. Those with an unspecified
 * form of the key may count towards its quota, so they are counted as its own.
 * @param journal path.
 * @throws {JournalError} when it cannot be read.
 */
export function requestsByCaller(journal: string): ReadonlyMap<string, number> {
  const sent = new Map<string, number>();
  for (const line of readJournal(journal).lines) {
    if (line.kind !== 'exchange') continue;
    const caller = line.caller === 'unspecified' ? 'key' : line.caller;
    sent.set(caller, (sent.get(caller) ?? 0) + 1);
  }
  return sent;
}
