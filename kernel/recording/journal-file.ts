import { createHash } from 'node:crypto';
import { jsonFields, parsedJson } from '../basics/json.ts';
import { damageReport, JournalError, linesOf } from './line-file.ts';

interface JournalFileLine {
  readonly kind: string;
}

export interface JournalFormat<Line extends JournalFileLine> {
  /** Bytes of a line. A longer line counts as damaged. */
  readonly lineBytes: number;
  readonly reportedDamage: number;
  /** The line that these bytes are; undefined where they are damaged. */
  readonly parse: (bytes: Buffer) => Line | undefined;
  /** The kind of its first line, and the version of the journals that this program reads. */
  readonly head: { readonly kind: string; readonly version: number };
  /** `a journal of this program`. */
  readonly name: string;
  /** The command that writes such journals. */
  readonly command: string;
  /** Called after each line, with its number and the bytes so far. @throws {JournalError} where no run records as much. */
  readonly assertBounds: (lines: number, bytes: number) => void;
}

export interface JournalReading<Line> {
  readonly lines: readonly Line[];
  /** Sentences about the lines that were left out. */
  readonly damage: readonly string[];
  /** Of every byte: `sha256:…`. */
  readonly digest: string;
}

/** Reads line by line; a damaged line is left out and reported. @throws {JournalError} when the file cannot be read, its first line is not the head of a run, or it exceeds the bounds. */
export function readJournalFile<Line extends JournalFileLine>(
  path: string,
  format: JournalFormat<Line>,
): JournalReading<Line> {
  const lines: Line[] = [];
  const damaged: number[] = [];
  const digest = createHash('sha256');
  let number = 0;
  let size = 0;
  for (const bytes of linesOf(path, format.lineBytes, digest)) {
    number += 1;
    size += bytes?.length ?? 0;
    if (bytes?.length !== 0) {
      const line = bytes === undefined ? undefined : format.parse(bytes);
      if (lines.length === 0 && line?.kind !== format.head.kind) throw wrongHead(bytes, path, format);
      // A second head comes from another journal: a file is about one run.
      if (line === undefined || (lines.length > 0 && line.kind === format.head.kind)) damaged.push(number);
      else lines.push(line);
    }
    format.assertBounds(number, size);
  }
  if (lines.length === 0) throw wrongHead(undefined, path, format);
  const damage = damageReport(damaged, path, format.reportedDamage);
  return { lines, damage, digest: `sha256:${digest.digest('hex')}` };
}

/** Why these bytes are not the first line of such a journal: a journal of another version says so itself. */
function wrongHead<Line extends JournalFileLine>(
  bytes: Buffer | undefined,
  path: string,
  { head: { kind, version }, name, command }: JournalFormat<Line>,
): JournalError {
  const { kind: named, journalVersion } = jsonFields(parsedJson(String(bytes)));
  return new JournalError(
    named === kind && Number.isFinite(journalVersion) && journalVersion !== version
      ? `${path} has journal version ${journalVersion}; this program reads version ${version}. Judge it with the version of the suite that wrote it.`
      : `${path} is not ${name}: its first line does not describe a run. Give the journal.ndjson that ${command} wrote.`,
  );
}
