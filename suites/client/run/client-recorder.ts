import { LineFile } from '../../../kernel/recording/line-file.ts';
import type { ClientJournalLine } from '../model/journal.ts';

/** Where a run of a client is recorded, who watches it, and what ends it. */
export interface ClientRecording {
  /** Of the journal; its folder exists. */
  readonly path: string;
  /** Called with every line of the journal after it was written. */
  readonly observe: (line: ClientJournalLine) => void;
  readonly signal: AbortSignal;
}

/**
 * Writes the journal of a client line by line. A line that cannot be written, or that an observer rejects, ends the
 * recording: without its record nothing is proven.
 */
export class ClientRecorder {
  readonly #file: LineFile<ClientJournalLine>;
  readonly #observe: (line: ClientJournalLine) => void;
  readonly #failed = new AbortController();

  /** @param observe called with every line after it was written. @throws {JournalError} when the file cannot be created. */
  constructor(path: string, observe: (line: ClientJournalLine) => void) {
    this.#file = new LineFile(path);
    this.#observe = observe;
  }

  /** Aborts, with the error as its reason, when nothing more is recorded. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Writes a line before it returns. Never throws. */
  record(line: ClientJournalLine): void {
    if (this.failed.aborted) return;
    try {
      this.#file.append(line);
      this.#observe(line);
    } catch (error) {
      this.#failed.abort(error);
    }
  }

  /** Closes the journal. @throws what ended the recording, such as a JournalError. */
  close(): void {
    this.#file.close();
    this.failed.throwIfAborted();
  }
}
