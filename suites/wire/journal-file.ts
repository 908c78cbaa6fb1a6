import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';
import type { JournalContents, JournalLine } from '../model/journal.ts';
import { lineParser } from './journal-line.ts';

/** Where a run is recorded, line by line, as it happens. */
export interface Journal {
  append(line: JournalLine): void;
}

/** A journal that cannot be written or read; the message is one sentence for the user. */
export class JournalError extends UserError {
  override readonly name = 'JournalError';
}

/** A journal on disk: newline-delimited JSON. */
export class JournalFile implements Journal {
  readonly path: string;
  #descriptor: number;
  #bytes = 0;

  /** Creates the file, or empties it. Throws a `JournalError` where that is not allowed. */
  constructor(path: string) {
    this.path = path;
    this.#descriptor = attempt(`The journal ${path} cannot be written`, () => openSync(path, 'w+'));
  }

  /**
   * Writes the line before it returns: the operating system has it then, and
   * killing this process at any moment loses no line that was appended. A line
   * that does not fit is taken back, so that what stands there stays whole.
   */
  append(line: JournalLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    this.#attempt(() => {
      this.#stay();
      try {
        writeAll(this.#descriptor, bytes, this.#bytes);
      } catch (error) {
        ftruncateSync(this.#descriptor, this.#bytes);
        throw error;
      }
      this.#bytes += bytes.length;
    });
  }

  close(): void {
    try {
      this.#attempt(() => this.#stay());
    } finally {
      closeSync(this.#descriptor);
    }
  }

  /** Where somebody removed or moved the file or its folder, all of it is written there again: it is still open. */
  #stay(): void {
    const here = fstatSync(this.#descriptor);
    const there = statSync(this.path, { throwIfNoEntry: false });
    if (there?.ino === here.ino && there.dev === here.dev) return;
    mkdirSync(dirname(this.path), { recursive: true });
    const anew = openSync(this.path, 'w+');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = 0; at < this.#bytes; ) {
      const length = readSync(this.#descriptor, chunk, 0, Math.min(CHUNK_BYTES, this.#bytes - at), at);
      writeAll(anew, chunk.subarray(0, length), at);
      at += length;
    }
    closeSync(this.#descriptor);
    this.#descriptor = anew;
  }

  #attempt(action: () => void): void {
    attempt(`The journal ${this.path} cannot be written any further`, action);
  }
}

function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(descriptor, bytes, at, bytes.length - at, position + at);
  }
}

/**
 * Reads a journal. A damaged line is left out and reported, because what was
 * recorded before and after it is still evidence. Throws a `JournalError`
 * when there is no such file or its first line is not the head of a run.
 */
export function readJournal(path: string): JournalContents {
  const lines: JournalLine[] = [];
  const damage: string[] = [];
  const parse = lineParser();
  let number = 0;
  for (const bytes of linesOf(path)) {
    number += 1;
    if (bytes.length === 0) continue;
    const line = parse(bytes);
    if (line === undefined) damage.push(`Line ${number} of ${path} is damaged and was left out.`);
    else lines.push(line);
  }
  if (lines[0]?.kind !== 'run') {
    throw new JournalError(
      `${path} is not a journal of this program: its first line does not describe a run. Give the journal.ndjson that certify wrote.`,
    );
  }
  if (lines[0].journalVersion !== 1) {
    throw new JournalError(
      `${path} has journal version ${String(lines[0].journalVersion)}; this program reads version 1. Judge it with the version of the suite that wrote it.`,
    );
  }
  return { lines, damage };
}

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/** The lines of a file, read piece by piece: a long journal never stands in memory. A line holds until the next one. */
function* linesOf(path: string): Generator<Buffer> {
  const why = `The journal ${path} cannot be read`;
  const descriptor = attempt(why, () => openSync(path, 'r'));
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let begun: Buffer[] = [];
    for (;;) {
      const length = attempt(why, () => readSync(descriptor, chunk, 0, CHUNK_BYTES, null));
      if (length === 0) break;
      let start = 0;
      for (
        let end = chunk.indexOf(LINE_FEED);
        end !== -1 && end < length;
        end = chunk.indexOf(LINE_FEED, start)
      ) {
        const rest = chunk.subarray(start, end);
        yield begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
        begun = [];
        start = end + 1;
      }
      begun.push(Buffer.from(chunk.subarray(start, length)));
    }
    yield Buffer.concat(begun);
  } finally {
    closeSync(descriptor);
  }
}

function attempt<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new JournalError(`${what}: ${fileTrouble(error)}.`);
  }
}
