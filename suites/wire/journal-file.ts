import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { JournalContents, JournalLine } from '../model/journal.ts';

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
  const text = attempt(`The journal ${path} cannot be read`, () => readFileSync(path, 'utf8'));
  const lines: JournalLine[] = [];
  const damage: string[] = [];
  text.split('\n').forEach((line, index) => {
    if (line === '') return;
    const parsed = parseLine(line);
    if (parsed === undefined) damage.push(`Line ${index + 1} of ${path} is damaged and was left out.`);
    else lines.push(parsed);
  });
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

const kinds: ReadonlySet<unknown> = new Set(['run', 'probe', 'wait', 'note', 'document', 'exchange', 'end']);

function parseLine(text: string): JournalLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
    return kinds.has(kind) ? (value as JournalLine) : undefined;
  } catch {
    return undefined;
  }
}

function attempt<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new JournalError(`${what}: ${reason}.`);
  }
}
