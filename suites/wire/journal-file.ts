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
import type { JournalLine } from '../model/journal.ts';

/** Where a run is recorded, line by line, as it happens. */
export interface Journal {
  append(line: JournalLine): void;
}

/** A journal that cannot be written or read; the message is one sentence for the user. */
export class JournalError extends UserError {
  override readonly name = 'JournalError';
}

/** How much is copied at a time, in bytes. */
const CHUNK_BYTES = 1024 * 1024;

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

/** Does something with a file; what the system says against it becomes one sentence. @throws {JournalError} */
export function attempt<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new JournalError(`${what}: ${fileTrouble(error)}.`);
  }
}
