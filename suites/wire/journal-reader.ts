import { closeSync, openSync, readSync } from 'node:fs';
import type { JournalContents, JournalLine } from '../model/journal.ts';
import { Sharing } from '../model/sharing.ts';
import { attemptFileOperation, JournalError } from './journal-file.ts';
import { lineParser } from './journal-line-parser.ts';

/** How much of a journal is read, so that any file fits into memory. */
export interface ReadingBounds {
  /** Bytes of a line. A longer line counts as damaged. */
  readonly lineBytes: number;
  readonly lines: number;
  /** Characters of all different bodies together. */
  readonly bodyCharacters: number;
  /** Damaged lines that are reported one by one. */
  readonly reportedDamage: number;
}

const MEBI = 1024 * 1024;

/** Several times as much as the longest run of this program records. A million exchanges take about a gigabyte of memory. */
const BOUNDS: ReadingBounds = {
  lineBytes: 64 * MEBI,
  lines: 1_500_000,
  bodyCharacters: 512 * MEBI,
  reportedDamage: 100,
};

/**
 * Reads a journal. A damaged line is left out and reported: the lines before and
 * after it are still evidence.
 * @throws {JournalError} when there is no such file, its first line is not the head of a run, or it exceeds the bounds.
 */
export function readJournal(path: string, bounds: ReadingBounds = BOUNDS): JournalContents {
  const lines: JournalLine[] = [];
  const damaged: number[] = [];
  const sharing = new Sharing();
  const parse = lineParser(sharing);
  let number = 0;
  for (const bytes of linesOf(path, bounds.lineBytes)) {
    number += 1;
    if (bytes?.length === 0) continue;
    const line = bytes === undefined ? undefined : parse(bytes);
    if (lines.length === 0) assertHead(line, path);
    if (line === undefined) damaged.push(number);
    else lines.push(line);
    if (number > bounds.lines || sharing.bodyCharacters > bounds.bodyCharacters)
      throw tooLong(path, bounds, number);
  }
  if (lines.length === 0) assertHead(undefined, path);
  return { lines, damage: damageReport(damaged, path, bounds.reportedDamage) };
}

function assertHead(line: JournalLine | undefined, path: string): void {
  if (line?.kind !== 'run') {
    throw new JournalError(
      `${path} is not a journal of this program: its first line does not describe a run. Give the journal.ndjson that certify wrote.`,
    );
  }
  if (line.journalVersion !== 3) {
    throw new JournalError(
      `${path} has journal version ${String(line.journalVersion)}; this program reads version 3. Judge it with the version of the suite that wrote it.`,
    );
  }
}

function tooLong(path: string, { lines, bodyCharacters }: ReadingBounds, number: number): JournalError {
  const what =
    number > lines
      ? `has more than ${lines.toLocaleString('en')} lines`
      : `holds more than ${bodyCharacters.toLocaleString('en')} characters of different bodies, at line ${number.toLocaleString('en')}`;
  return new JournalError(
    `${path} ${what}: no run of this program records as much, and more is not read, so that memory stays bounded. Judge a part of it, its first line included.`,
  );
}

/** Sentences about damaged lines: one for each of the first ones, and one for all others. */
function damageReport(damaged: readonly number[], path: string, most: number): readonly string[] {
  const each = damaged
    .slice(0, most)
    .map((number) => `Line ${number} of ${path} is damaged and was left out.`);
  const more = damaged.length - each.length;
  return more === 0
    ? each
    : [
        ...each,
        `${more} further lines are damaged and were left out, the last of them line ${damaged.at(-1)}.`,
      ];
}

const CHUNK_BYTES = MEBI;
const LINE_FEED = 10;

/**
 * The lines of a file, read chunk by chunk, because a long journal does not fit
 * into memory. A line is valid until the next one; undefined stands for a line
 * that is too long.
 */
function* linesOf(path: string, mostBytes: number): Generator<Buffer | undefined> {
  const failure = `The journal ${path} cannot be read`;
  const descriptor = attemptFileOperation(failure, () => openSync(path, 'r'));
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const unfinished = new UnfinishedLine(mostBytes);
    for (;;) {
      const length = attemptFileOperation(failure, () => readSync(descriptor, chunk, 0, CHUNK_BYTES, null));
      if (length === 0) break;
      const read = chunk.subarray(0, length);
      let start = 0;
      for (let end = read.indexOf(LINE_FEED); end !== -1; end = read.indexOf(LINE_FEED, start)) {
        yield unfinished.endWith(read.subarray(start, end));
        start = end + 1;
      }
      unfinished.add(read.subarray(start));
    }
    yield unfinished.endWith(Buffer.alloc(0));
  } finally {
    closeSync(descriptor);
  }
}

/** The beginning of a line whose end was not read yet. */
class UnfinishedLine {
  readonly #most: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** Copies the part, because the next chunk is read into the same memory. Of a line that is too long nothing is kept. */
  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#most) this.#parts = [];
    else this.#parts.push(Buffer.from(part));
  }

  /** The complete line, of which this is the last part. The next line begins empty. */
  endWith(last: Buffer): Buffer | undefined {
    const bytes = this.#bytes + last.length;
    const line = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#bytes = 0;
    return bytes > this.#most ? undefined : line;
  }
}
