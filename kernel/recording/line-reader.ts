import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { attemptFileOperation, JournalError } from './line-file.ts';

/** Bytes that are read at a time. */
const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/** The digest of what was read of a file. */
export class ReadDigest {
  readonly #hash = createHash('sha256');

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** `sha256:…`; nothing can be added afterwards. */
  toString(): string {
    return `sha256:${this.#hash.digest('hex')}`;
  }
}

/**
 * The lines of a file, read chunk by chunk, because a long journal does not fit
 * into memory. A line is valid until the next one; undefined stands for a line
 * that is too long. Every byte that is read enters the digest. @throws {JournalError} when the file cannot be read.
 */
export function* linesOf(
  path: string,
  mostBytes: number,
  digest?: ReadDigest,
): Generator<Buffer | undefined> {
  const failure = `The journal ${path} cannot be read`;
  // Opening a pipe would wait, and a device would never end.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new JournalError(`${failure}: it is not a file.`);
  const descriptor = attemptFileOperation(failure, () => openSync(path, 'r'));
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const unfinished = new UnfinishedLine(mostBytes);
    for (;;) {
      const length = attemptFileOperation(failure, () => readSync(descriptor, chunk, 0, CHUNK_BYTES, null));
      if (length === 0) break;
      const read = chunk.subarray(0, length);
      digest?.add(read);
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

/** Sentences about damaged lines: one for each of the first ones, and one for all others. */
export function damageReport(damaged: readonly number[], path: string, most: number): readonly string[] {
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
