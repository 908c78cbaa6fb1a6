import { randomUUID } from 'node:crypto';
import { isJsonObject, parsedJson } from '../../../kernel/basics/json.ts';
import type { Body, Exchange, Request } from '../../../kernel/exchanges/exchange.ts';
import type { ReadingBounds } from '../../../kernel/recording/journal-file.ts';
import { readJournalFile } from '../../../kernel/recording/journal-file.ts';
import type { JournalContents, JournalLine } from '../model/journal.ts';
import { journalLine } from '../model/journal.ts';
import { Sharing } from '../model/sharing.ts';

export interface Journal {
  append(line: JournalLine): void;
}

/**
 * Makes a parser of journal lines, which returns undefined for a damaged one. A line that ends in the same body as the
 * one before is decoded and parsed without it and its request: reading is two to five times as fast.
 */
function lineParser(sharing: Sharing): (bytes: Buffer) => JournalLine | undefined {
  let last: Repeatable | undefined;
  return (bytes) => {
    const repeated = last === undefined ? undefined : parseRepeating(bytes, last);
    const line = repeated ?? parsedJson(bytes.toString());
    if (!journalLine.is(line)) return undefined;
    if (line.kind !== 'exchange') return line;
    const exchange = sharing.exchange(line);
    if (repeated === undefined) last = repeatable(exchange) ?? last;
    return exchange;
  };
}

/** The parts that the next exchange may repeat, and their bytes in its line. */
interface Repeatable {
  readonly body: Body;
  readonly ending: Buffer;
  readonly request: Request;
  readonly middle: Buffer;
}

function repeatable({ request, outcome }: Exchange): Repeatable | undefined {
  if (outcome.kind === 'no-response') return undefined;
  const { body } = outcome;
  return {
    body,
    ending: Buffer.from(`,"body":${JSON.stringify(body)}}}`),
    request,
    middle: Buffer.from(`${REQUEST.toString()}${JSON.stringify(request)}`),
  };
}

/** Searched for instead of the whole request, which would take longer than parsing it. */
const REQUEST = Buffer.from('"request":');

/** Replaces a repeated request. It is random, so that no line contains it by itself. */
const REPEATED_REQUEST = randomUUID();

/**
 * Parses a line without its repeated parts and adds them; undefined where it repeats none, or not in their places.
 * Quotation marks in a text are escaped, so the omitted bytes were the value of a field: only `request` of the line
 * and `body` of its outcome may be missing.
 */
function parseRepeating(bytes: Buffer, { body, ending, request, middle }: Repeatable): unknown {
  const end = bytes.length - ending.length;
  if (end < 0 || !bytes.subarray(end).equals(ending)) return undefined;
  const at = bytes.indexOf(REQUEST);
  const sameRequest =
    at !== -1 && at + middle.length < end && bytes.subarray(at, at + middle.length).equals(middle);
  const text = sameRequest
    ? `${bytes.toString('utf8', 0, at)}"request":"${REPEATED_REQUEST}"${bytes.toString('utf8', at + middle.length, end)}}}`
    : `${bytes.toString('utf8', 0, end)}}}`;
  const line = parsedJson(text) as { request?: unknown; outcome?: { body?: Body } } | undefined;
  const outcome = line?.outcome;
  if (!line || !isJsonObject(outcome) || 'body' in outcome) return undefined;
  if (sameRequest && line.request !== REPEATED_REQUEST) return undefined;
  outcome.body = body;
  if (sameRequest) line.request = request;
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
