import type { JournalLine } from '../model/journal.ts';
import type { Journal } from '../wire/journal-file.ts';
import { JournalFile } from '../wire/journal-file.ts';

/** A journal on disk with an observer. Closing it is final: later lines are not written. */
export class Recording implements Journal {
  readonly path: string;
  readonly #file: JournalFile;
  readonly #observe: (line: JournalLine) => void;
  #state: 'open' | 'ended' | 'closed' = 'open';
  #responses = 0;

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
    if (line.kind === 'exchange' && line.outcome.kind === 'answer') this.#responses += 1;
    this.#observe(line);
  }

  /** Whether there is a response to judge. */
  get judgeable(): boolean {
    return this.#responses > 0;
  }

  /** Writes the last line of an interrupted run, unless the run has written one. */
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
