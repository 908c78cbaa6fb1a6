import type { Hash } from 'node:crypto';
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
import { performance } from 'node:perf_hooks';
import { orNone, UserError } from '../basics/errors.ts';
import { fileTrouble } from '../basics/user-files.ts';

/** A journal that cannot be written or read. The message is one sentence for the user. */
export class JournalError extends UserError {
  override readonly name = 'JournalError';
}

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

  /** Lets the system have the line before it returns. A line that does not fit on the disk is removed again. @throws {JournalError} */
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
    for (let at = 0, length = 1; length > 0; at += length) {
      length = readSync(this.#descriptor, chunk, 0, CHUNK_BYTES, at);
      writeAll(restored, chunk.subarray(0, length), at);
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
function attemptFileOperation<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new JournalError(`${what}: ${fileTrouble(error)}.`);
  }
}

const LINE_FEED = 10;

/** A line is valid until the next one; undefined is one that is too long. The digest gets every byte. @throws {JournalError} */
export function* linesOf(path: string, mostBytes: number, digest?: Hash): Generator<Buffer | undefined> {
  const failure = `The journal ${path} cannot be read`;
  // Opening a pipe would wait, and a device would never end.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new JournalError(`${failure}: it is not a file.`);
  const descriptor = attemptFileOperation(failure, () => openSync(path, 'r'));
  /** The beginning of a line whose end was not read yet. Of a line that is too long nothing is kept. */
  let begun: Buffer[] = [];
  let bytes = 0;
  const endWith = (last: Buffer): Buffer | undefined => {
    const isTooLong = bytes + last.length > mostBytes;
    const line = begun.length === 0 ? last : Buffer.concat([...begun, last]);
    begun = [];
    bytes = 0;
    return isTooLong ? undefined : line;
  };
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const length = attemptFileOperation(failure, () => readSync(descriptor, chunk, 0, CHUNK_BYTES, null));
      if (length === 0) break;
      const read = chunk.subarray(0, length);
      digest?.update(read);
      let start = 0;
      for (let end = read.indexOf(LINE_FEED); end !== -1; end = read.indexOf(LINE_FEED, start)) {
        yield endWith(read.subarray(start, end));
        start = end + 1;
      }
      bytes += length - start;
      // A copy, because the next chunk is read into the same memory.
      begun = bytes > mostBytes ? [] : [...begun, Buffer.from(read.subarray(start))];
    }
    yield endWith(Buffer.alloc(0));
  } finally {
    closeSync(descriptor);
  }
}

const MOST_REPORTED = 100;

export function damageReport(damaged: readonly number[], path: string): readonly string[] {
  const each = damaged
    .slice(0, MOST_REPORTED)
    .map((number) => `Line ${number} of ${path} is damaged and was left out.`);
  const more = damaged.length - each.length;
  if (more > 0)
    each.push(
      `${more} further lines are damaged and were left out, the last of them line ${damaged.at(-1)}.`,
    );
  return each;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text that these bytes encode in UTF-8, a byte order mark included; undefined where they are not UTF-8. */
export const utf8Text = (bytes: Uint8Array): string | undefined => orNone(() => strict.decode(bytes));

/** The current moment on both clocks of this machine, in milliseconds: since the Unix epoch, and on the monotonic clock. */
export const now = () => ({ wall: Date.now(), mono: performance.now() });
