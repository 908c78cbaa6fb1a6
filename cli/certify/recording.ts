import { join } from 'node:path';
import type { Journal, JournalLine } from '../../suites/index.ts';
import { JournalFile } from '../../suites/index.ts';
import { makeFolder, removeFiles } from '../folder.ts';

/** What an earlier run may have left in a folder: nothing of it may be taken for this one's. */
const FILES = ['journal.ndjson', 'report.json', 'report.html', 'junit.xml', 'summary.md'];

/**
 * Makes the folder of a run, without files of an earlier one.
 * @returns the path of its journal, which does not exist yet.
 * @throws {UserError} when the folder cannot be made or cleared.
 */
export function prepareFolder(folder: string): string {
  makeFolder(folder);
  removeFiles(folder, FILES);
  return join(folder, 'journal.ndjson');
}

/** A journal on disk with an observer beside it. Closing it is final: what comes later is not written. */
export class Recording implements Journal {
  readonly path: string;
  readonly #file: JournalFile;
  readonly #observe: (line: JournalLine) => void;
  #state: 'open' | 'ended' | 'closed' = 'open';
  #answers = 0;

  /** @throws {JournalError} when the file cannot be written. */
  constructor(path: string, observe: (line: JournalLine) => void) {
    this.path = path;
    this.#file = new JournalFile(path);
    this.#observe = observe;
  }

  append(line: JournalLine): void {
    if (this.#state === 'closed') return;
    this.#file.append(line);
    if (line.kind === 'end') this.#state = 'ended';
    if (line.kind === 'exchange' && line.outcome.kind === 'answer') this.#answers += 1;
    this.#observe(line);
  }

  /** Whether anything was answered, so that there is something to judge. */
  get judgeable(): boolean {
    return this.#answers > 0;
  }

  /** Writes the last line of an interrupted run, unless the examination has written one. */
  interrupt(at: Date): void {
    if (this.#state !== 'open') return;
    this.append({
      kind: 'end',
      how: 'interrupted',
      because: 'the run was interrupted',
      finishedAt: at.toISOString(),
    });
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#file.close();
  }
}
