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
import { fileTrouble } from '../basics/file-trouble.ts';
import { UserError } from '../basics/user-error.ts';

/** A journal that cannot be written or read. The message is one sentence for the user. */
export class JournalError extends UserError {
  override readonly name = 'JournalError';
}

/** Bytes that are copied at a time. */
const CHUNK_BYTES = 1024 * 1024;

/** A file of newline-delimited JSON, written line by line as a run happens. */
export class LineFile<Line extends object> {
  readonly path: string;
  #descriptor: number;
  #bytes = 0;

  /** Creates the file, or empties it. @throws {JournalError} */
  constructor(path: string) {
    this.path = path;
    this.#descriptor = attemptFileOperation(`The journal ${path} cannot be written`, () =>
      openSync(path, 'w+'),
    );
  }

  /**
   * Hands the line to the operating system before it returns, so that killing
   * this process loses no line. A line that does not fit on the disk is removed
   * again, so that only complete lines remain. @throws {JournalError}
   */
  append(line: Line): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    this.#attempt(() => {
      this.#restoreIfMoved();
      try {
        writeAll(this.#descriptor, bytes, this.#bytes);
      } catch (error) {
        ftruncateSync(this.#descriptor, this.#bytes);
        throw error;
      }
      this.#bytes += bytes.length;
    });
  }

  /** Closes the file. @throws {JournalError} */
  close(): void {
    try {
      this.#attempt(() => this.#restoreIfMoved());
    } finally {
      closeSync(this.#descriptor);
    }
  }

  /** Writes the file again where it or its folder was removed or moved: its content is still open. */
  #restoreIfMoved(): void {
    const here = fstatSync(this.#descriptor);
    const there = statSync(this.path, { throwIfNoEntry: false });
    if (there?.ino === here.ino && there.dev === here.dev) return;
    mkdirSync(dirname(this.path), { recursive: true });
    const restored = openSync(this.path, 'w+');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = 0; at < this.#bytes; ) {
      const length = readSync(this.#descriptor, chunk, 0, Math.min(CHUNK_BYTES, this.#bytes - at), at);
      writeAll(restored, chunk.subarray(0, length), at);
      at += length;
    }
    closeSync(this.#descriptor);
    this.#descriptor = restored;
  }

  #attempt(action: () => void): void {
    attemptFileOperation(`The journal ${this.path} cannot be written any further`, action);
  }
}

function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(descriptor, bytes, at, bytes.length - at, position + at);
  }
}

/** Runs a file operation and turns its error into one sentence. @throws {JournalError} */
export function attemptFileOperation<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new JournalError(`${what}: ${fileTrouble(error)}.`);
  }
}
