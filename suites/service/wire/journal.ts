import { isJsonObject, parsedJson } from '../../../kernel/basics/json.ts';
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
    const line =
      (repeats ? withBody(bytes.toString('utf8', 0, start), body) : undefined) ??
      parsedJson(bytes.toString());
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

const OUTCOME = ',"outcome":';

/**
 * The line that this text begins and this body ends; undefined where the body would not be that of the last outcome.
 * The two parts are objects by themselves, so no name that stands twice or elsewhere can take the place of another.
 */
function withBody(text: string, body: Body | undefined): unknown {
  const at = text.lastIndexOf(OUTCOME);
  const line = parsedJson(`${text.slice(0, at)}}`);
  const outcome = parsedJson(`${text.slice(at + OUTCOME.length)}}`);
  return isJsonObject(line) && isJsonObject(outcome)
    ? Object.assign(line, { outcome: Object.assign(outcome, { body }) })
    : undefined;
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
