import { LineFile } from '../../../kernel/recording/line-file.ts';
import type { JournalLine } from '../model/journal.ts';

export { JournalError } from '../../../kernel/recording/line-file.ts';

/** The record of a run, written line by line as it happens. */
export interface Journal {
  append(line: JournalLine): void;
}

/** The journal of a certification run on disk: newline-delimited JSON. */
export class JournalFile extends LineFile<JournalLine> implements Journal {}
