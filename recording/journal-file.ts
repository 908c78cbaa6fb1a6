import { damageReport, linesOf, ReadDigest } from './line-reader.ts';

/** How one kind of journal is read. */
export interface JournalFormat<Line> {
  /** Bytes of a line. A longer line counts as damaged. */
  readonly lineBytes: number;
  /** Damaged lines that are reported one by one. */
  readonly reportedDamage: number;
  /** The line that these bytes are; undefined where they are damaged. */
  readonly parse: (bytes: Buffer) => Line | undefined;
  /** @throws {JournalError} where this is not the first line of such a journal; undefined stands for a damaged one. */
  readonly assertHead: (line: Line | undefined) => void;
  /** Called after each line, with its number and the bytes so far. @throws {JournalError} where no run records as much. */
  readonly assertBounds: (lines: number, bytes: number) => void;
}

/** What was read of a journal. */
export interface JournalReading<Line> {
  readonly lines: readonly Line[];
  /** Sentences about the lines that were left out. */
  readonly damage: readonly string[];
  /** Of every byte: `sha256:…`. */
  readonly digest: string;
}

/**
 * Reads a journal line by line. A damaged line is left out and reported: the lines before and after it are still
 * evidence.
 * @throws {JournalError} when the file cannot be read, its first line is not the head of a run, or it exceeds the bounds.
 */
export function readJournalFile<Line>(path: string, format: JournalFormat<Line>): JournalReading<Line> {
  const lines: Line[] = [];
  const damaged: number[] = [];
  const digest = new ReadDigest();
  let number = 0;
  let size = 0;
  for (const bytes of linesOf(path, format.lineBytes, digest)) {
    number += 1;
    size += bytes?.length ?? 0;
    if (bytes?.length !== 0) {
      const line = bytes === undefined ? undefined : format.parse(bytes);
      if (lines.length === 0) format.assertHead(line);
      if (line === undefined) damaged.push(number);
      else lines.push(line);
    }
    format.assertBounds(number, size);
  }
  if (lines.length === 0) format.assertHead(undefined);
  return { lines, damage: damageReport(damaged, path, format.reportedDamage), digest: String(digest) };
}
