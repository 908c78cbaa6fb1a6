import { createHash } from 'node:crypto';
import { jsonFields, parsedJson } from '../basics/json.ts';
import { groupedNumber } from '../basics/text.ts';
import { damageReport, JournalError, linesOf } from './line-file.ts';

interface JournalFileLine {
  readonly kind: string;
}

/** How much of a journal is read, so that any file fits into memory. */
export interface ReadingBounds {
  /** Bytes of a line. A longer line counts as damaged. */
  readonly lineBytes: number;
  readonly lines: number;
  /** Bytes that everything different takes together. */
  readonly bytes: number;
}

interface JournalFormat<Line extends JournalFileLine> {
  readonly bounds: ReadingBounds;
  /** The line that these bytes are; undefined where they are damaged. */
  readonly parse: (bytes: Buffer) => Line | undefined;
  /** The kind of its first line, and the version of the journals that this program reads. */
  readonly head: { readonly kind: string; readonly version: number };
  /** `a journal of this program`. */
  readonly name: string;
  readonly command: string;
  /** Bytes that are kept of the lines so far, where it is not all of them. */
  readonly keptBytes?: () => number;
}

/** A damaged line is left out and reported. @throws {JournalError} when it cannot be read, has no head of a run, or exceeds the bounds. */
export function readJournalFile<Line extends JournalFileLine>(path: string, format: JournalFormat<Line>) {
  const lines: Line[] = [];
  const damaged: number[] = [];
  const digest = createHash('sha256');
  let number = 0;
  let size = 0;
  const { bounds } = format;
  for (const bytes of linesOf(path, bounds.lineBytes, digest)) {
    number += 1;
    size += bytes?.length ?? 0;
    if (bytes?.length !== 0) {
      const line = bytes === undefined ? undefined : format.parse(bytes);
      if (lines.length === 0 && line?.kind !== format.head.kind) throw wrongHead(bytes, path, format);
      // A second head comes from another journal: a file is about one run.
      if (line === undefined || (lines.length > 0 && line.kind === format.head.kind)) damaged.push(number);
      else lines.push(line);
    }
    if (number > bounds.lines) throw tooLong(path, `has more than ${groupedNumber(bounds.lines)} lines`);
    if ((format.keptBytes?.() ?? size) > bounds.bytes)
      throw tooLong(
        path,
        `takes more than ${groupedNumber(bounds.bytes)} bytes of memory, at line ${groupedNumber(number)}`,
      );
  }
  if (lines.length === 0) throw wrongHead(undefined, path, format);
  return { lines, damage: damageReport(damaged, path), digest: `sha256:${digest.digest('hex')}` };
}

const tooLong = (path: string, what: string): JournalError =>
  new JournalError(
    `${path} ${what}: no run of this program records as much, and more is not read, so that memory stays bounded. Judge a part of it, its first line included.`,
  );

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
