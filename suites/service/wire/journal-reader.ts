import { groupedNumber } from '../../../kernel/basics/text.ts';
import { readJournalFile } from '../../../kernel/recording/journal-file.ts';
import { JournalError } from '../../../kernel/recording/line-file.ts';
import type { JournalContents } from '../model/journal.ts';
import { Sharing } from '../model/sharing.ts';
import { lineParser } from './journal-line-parser.ts';

/** How much of a journal is read, so that any file fits into memory. */
export interface ReadingBounds {
  /** Bytes of a line. A longer line counts as damaged. */
  readonly lineBytes: number;
  readonly lines: number;
  /** Bytes of memory that all different bodies take together while they are judged. */
  readonly bodyBytes: number;
  /** Damaged lines that are reported one by one. */
  readonly reportedDamage: number;
}

const MEBI = 1024 * 1024;

/** Several times as much as the longest run of this program records. A million exchanges take about a gigabyte of memory. */
const BOUNDS: ReadingBounds = {
  lineBytes: 64 * MEBI,
  lines: 1_500_000,
  bodyBytes: 1024 * MEBI,
  reportedDamage: 100,
};

/**
 * Reads a journal. A damaged line is left out and reported: the lines before and
 * after it are still evidence.
 * @throws {JournalError} when there is no such file, its first line is not the head of a run, or it exceeds the bounds.
 */
export function readJournal(path: string, bounds: ReadingBounds = BOUNDS): JournalContents {
  const sharing = new Sharing();
  return readJournalFile(path, {
    ...bounds,
    parse: lineParser(sharing),
    head: { kind: 'run', version: 3 },
    name: 'a journal of this program',
    command: 'certify',
    assertBounds: (lines) => {
      if (lines > bounds.lines || sharing.bodyBytes > bounds.bodyBytes) throw tooLong(path, bounds, lines);
    },
  });
}

function tooLong(path: string, { lines, bodyBytes }: ReadingBounds, number: number): JournalError {
  const what =
    number > lines
      ? `has more than ${groupedNumber(lines)} lines`
      : `holds different bodies that take more than ${groupedNumber(bodyBytes)} bytes of memory, at line ${groupedNumber(number)}`;
  return new JournalError(
    `${path} ${what}: no run of this program records as much, and more is not read, so that memory stays bounded. Judge a part of it, its first line included.`,
  );
}
