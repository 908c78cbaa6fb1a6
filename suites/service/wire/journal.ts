import { isJsonObject, jsonFields, parsedJson } from '../../../kernel/basics/json.ts';
import type { Body } from '../../../kernel/exchanges/exchange.ts';
import type { ReadingBounds } from '../../../kernel/recording/journal-file.ts';
import { readJournalFile } from '../../../kernel/recording/journal-file.ts';
import type { JournalContents, JournalLine } from '../model/journal.ts';
import { journalLine } from '../model/journal.ts';
import { Sharing } from '../model/sharing.ts';

export interface Journal {
  append(line: JournalLine): void;
}

/** Most bytes of a long journal are bodies, and most bodies are those of the line before: such a line is parsed without its body. */
function lineParser(sharing: Sharing): (bytes: Buffer) => JournalLine | undefined {
  let body: Body | undefined;
  let ending = Buffer.alloc(0);
  return (bytes) => {
    const start = bytes.length - ending.length;
    const repeats = body !== undefined && bytes.subarray(start).equals(ending);
    const bodiless = repeats ? parsedJson(`${bytes.toString('utf8', 0, start)}}}`) : undefined;
    const line = withBody(bodiless, body) ?? parsedJson(bytes.toString());
    if (!journalLine.is(line)) return undefined;
    if (line.kind !== 'exchange') return line;
    const exchange = sharing.exchange(line);
    if (exchange.outcome.kind === 'answer' && exchange.outcome.body !== body) {
      body = exchange.outcome.body;
      ending = Buffer.from(`,"body":${JSON.stringify(body)}}}`);
    }
    return exchange;
  };
}

/** Adds this body to the line of an exchange that was parsed without it; undefined where it is no such line. */
function withBody(line: unknown, body: Body | undefined): unknown {
  const fields = jsonFields(line);
  const { outcome } = fields;
  const isLast = Object.keys(fields).at(-1) === 'outcome';
  if (!isLast || !isJsonObject(outcome) || 'body' in outcome) return undefined;
  Object.assign(outcome, { body });
  return line;
}

const MEBI = 1024 * 1024;

/** Several times as much as the longest run of this program records. A million exchanges take about a gigabyte of memory. */
const BOUNDS: ReadingBounds = {
  lineBytes: 64 * MEBI,
  lines: 1_500_000,
  bytes: 1024 * MEBI,
};

/** A damaged line is left out and reported. @throws {JournalError} when it cannot be read, has no head of a run, or exceeds the bounds. */
export function readJournal(path: string, bounds: ReadingBounds = BOUNDS): JournalContents {
  const sharing = new Sharing();
  return readJournalFile(path, {
    bounds,
    parse: lineParser(sharing),
    keptBytes: () => sharing.bodyBytes,
    head: { kind: 'run', version: 3 },
    name: 'a journal of this program',
    command: 'certify',
  });
}
