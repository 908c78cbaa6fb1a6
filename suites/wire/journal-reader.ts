import { closeSync, openSync, readSync } from 'node:fs';
import type { JournalContents, JournalLine } from '../model/journal.ts';
import { Sharing } from '../model/sharing.ts';
import { attempt, JournalError } from './journal-file.ts';
import { lineParser } from './journal-line.ts';

/** How much of a journal is read, so that whatever lies in a file stays in memory. */
export interface ReadingBounds {
  /** Bytes of a line; a longer one is damaged. */
  readonly lineBytes: number;
  readonly lines: number;
  /** Characters of all different bodies. */
  readonly bodyCharacters: number;
  /** Damaged lines that are told of one by one. */
  readonly damages: number;
}

const MEBI = 1024 * 1024;

/** Several times what the longest run of this program records. A million exchanges take about a gigabyte of memory. */
const BOUNDS: ReadingBounds = {
  lineBytes: 64 * MEBI,
  lines: 1_500_000,
  bodyCharacters: 512 * MEBI,
  damages: 100,
};

/**
 * Reads a journal. A damaged line is left out and reported, because what was
 * recorded before and after it is still evidence.
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
  return { lines, damage: told(damaged, path, bounds.damages) };
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

/** What is damaged, for a person: each line of so many, and how many there are besides. */
function told(damaged: readonly number[], path: string, most: number): readonly string[] {
  const each = damaged
    .slice(0, most)
    .map((number) => `Line ${number} of ${path} is damaged and was left out.`);
  const more = damaged.length - each.length;
  return more === 0
    ? each
    : [...each, `So were ${more} further lines, the last of them line ${damaged.at(-1)}.`];
}

const CHUNK_BYTES = MEBI;
const LINE_FEED = 10;

/**
 * The lines of a file, read piece by piece: a long journal never stands in
 * memory. A line holds until the next one; undefined stands for one that is too long.
 */
function* linesOf(path: string, mostBytes: number): Generator<Buffer | undefined> {
  const why = `The journal ${path} cannot be read`;
  const descriptor = attempt(why, () => openSync(path, 'r'));
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const begun = new Beginning(mostBytes);
    for (;;) {
      const length = attempt(why, () => readSync(descriptor, chunk, 0, CHUNK_BYTES, null));
      if (length === 0) break;
      const read = chunk.subarray(0, length);
      let start = 0;
      for (let end = read.indexOf(LINE_FEED); end !== -1; end = read.indexOf(LINE_FEED, start)) {
        yield begun.endWith(read.subarray(start, end));
        start = end + 1;
      }
      begun.add(read.subarray(start));
    }
    yield begun.endWith(Buffer.alloc(0));
  } finally {
    closeSync(descriptor);
  }
}

/** The beginning of a line whose end was not read yet. */
class Beginning {
  readonly #most: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** Keeps a copy, since the next piece of the file is read into the same memory; nothing of a line that is too long. */
  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#most) this.#parts = [];
    else this.#parts.push(Buffer.from(part));
  }

  /** The whole line, of which this is the last part; the next one begins empty. */
  endWith(last: Buffer): Buffer | undefined {
    const bytes = this.#bytes + last.length;
    const line = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#bytes = 0;
    return bytes > this.#most ? undefined : line;
  }
}
