import { jsonFields, parsedJson } from '../../../kernel/basics/json.ts';
import { readJournalFile } from '../../../kernel/recording/journal-file.ts';
import { JournalError } from '../../../kernel/recording/line-file.ts';
import { linesOf } from '../../../kernel/recording/line-reader.ts';
import type { ClientJournalContents, ClientJournalLine } from '../model/journal.ts';
import { clientJournalLine } from '../model/journal.ts';

/** How much of a client's journal is read, so that any file fits into memory. */
export interface ClientReadingBounds {
  /** Bytes of a line. A longer line counts as damaged. */
  readonly lineBytes: number;
  readonly lines: number;
  /** Bytes of all lines together. */
  readonly bytes: number;
  /** Damaged lines that are reported one by one. */
  readonly reportedDamage: number;
}

const MEBI = 1024 * 1024;

/** A run takes at most 300 requests from each of some twenty starts; a client attached by hand may send more. */
const BOUNDS: ClientReadingBounds = {
  lineBytes: MEBI,
  lines: 200_000,
  bytes: 256 * MEBI,
  reportedDamage: 100,
};

/** The fields of the first line of a file; none where it is no JSON. @throws {JournalError} when the file cannot be read. */
export function journalHead(path: string): Readonly<Record<string, unknown>> {
  for (const bytes of linesOf(path, BOUNDS.lineBytes))
    return jsonFields(bytes === undefined ? undefined : parsedJson(bytes.toString()));
  return {};
}

/** Whether a journal is that of a client. @throws {JournalError} when the file cannot be read. */
export const isClientJournal = (path: string): boolean => journalHead(path)['kind'] === 'client-run';

/**
 * Reads the journal of a client. A damaged line is left out and reported: the lines before and after it are still
 * evidence.
 * @throws {JournalError} when there is no such file, its first line is not the head of a run, or it exceeds the bounds.
 */
export function readClientJournal(path: string, bounds: ClientReadingBounds = BOUNDS): ClientJournalContents {
  return readJournalFile(path, {
    ...bounds,
    parse: clientLine,
    head: { kind: 'client-run', version: 1 },
    name: 'the journal of a client',
    command: 'certify-client',
    assertBounds: (lines, bytes) => {
      if (lines > bounds.lines || bytes > bounds.bytes) throw tooLong(path);
    },
  });
}

function clientLine(bytes: Buffer): ClientJournalLine | undefined {
  const line = parsedJson(bytes.toString());
  return clientJournalLine.is(line) ? line : undefined;
}

const tooLong = (path: string): JournalError =>
  new JournalError(
    `${path} is longer than any run of this program, and more is not read, so that memory stays bounded. Judge a part of it, its first line included.`,
  );
