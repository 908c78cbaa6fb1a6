import { parsedJson } from '../../../kernel/basics/json.ts';
import type { ReadingBounds } from '../../../kernel/recording/journal-file.ts';
import { readJournalFile } from '../../../kernel/recording/journal-file.ts';
import type { JournalContents, JournalLine } from '../model/journal.ts';
import { journalLine } from '../model/journal.ts';
import { Sharing } from '../model/sharing.ts';

export interface Journal {
  append(line: JournalLine): void;
}

const MEBI = 1024 * 1024;

/** Several times as much as the longest run of this program records. A million exchanges take about a gigabyte of memory. */
const BOUNDS: ReadingBounds = {
  lineBytes: 64 * MEBI,
  lines: 1_500_000,
  bytes: 1024 * MEBI,
};

/** A damaged line is left out and reported. @throws {JournalError} when it cannot be read, has no head of a run, or exceeds the bounds. */
export function readJournal(path: string, bounds: ReadingBounds = BOUNDS): JournalContents {
  const sharing = new Sharing();
  return readJournalFile(path, {
    bounds,
    parse(bytes) {
      const line = parsedJson(bytes.toString());
      if (!journalLine.is(line)) return undefined;
      return line.kind === 'exchange' ? sharing.exchange(line) : line;
    },
    keptBytes: () => sharing.bodyBytes,
    head: { kind: 'run', version: 3 },
    name: 'a journal of this program',
    command: 'certify',
  });
}
