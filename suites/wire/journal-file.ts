import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { fileTrouble } from '../given/file-trouble.ts';
import type { Exchange } from '../model/exchange.ts';
import type { JournalContents, JournalLine } from '../model/journal.ts';
import { Sharing } from '../model/sharing.ts';

/** Where a run is recorded, line by line, as it happens. */
export interface Journal {
  append(line: JournalLine): void;
}

/** A journal that cannot be written or read; the message is one sentence for the user. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

/** A journal on disk: newline-delimited JSON. */
export class JournalFile implements Journal {
  readonly path: string;
  readonly #descriptor: number;

  /** Creates the file, or empties it. Throws a `JournalError` where that is not allowed. */
  constructor(path: string) {
    this.path = path;
    this.#descriptor = attempt(`The journal ${path} cannot be written`, () => openSync(path, 'w'));
  }

  /**
   * Writes the line before it returns: the operating system has it then, and
   * killing this process at any moment loses no line that was appended.
   */
  append(line: JournalLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    attempt(`The journal ${this.path} cannot be written any further`, () => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    });
  }

  close(): void {
    closeSync(this.#descriptor);
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
  const sharing = new Sharing();
  let number = 0;
  for (const text of linesOf(path)) {
    number += 1;
    if (text === '') continue;
    const line = parseLine(text, sharing);
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

/** The lines of a file, read piece by piece: a long journal never stands in memory as text. */
function* linesOf(path: string): Generator<string> {
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
        yield (begun.length === 0 ? rest : Buffer.concat([...begun, rest])).toString();
        begun = [];
        start = end + 1;
      }
      begun.push(Buffer.from(chunk.subarray(start, length)));
    }
    yield Buffer.concat(begun).toString();
  } finally {
    closeSync(descriptor);
  }
}

const kinds: ReadonlySet<unknown> = new Set(['run', 'probe', 'wait', 'note', 'document', 'exchange', 'end']);

function parseLine(text: string, sharing: Sharing): JournalLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
    if (!kinds.has(kind)) return undefined;
    return kind === 'exchange' ? sharing.exchange(value as Exchange) : (value as JournalLine);
  } catch {
    return undefined;
  }
}

function attempt<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new JournalError(`${what}: ${fileTrouble(error)}.`);
  }
}
