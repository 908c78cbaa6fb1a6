import { randomUUID } from 'node:crypto';
import type { Body, Exchange, Request } from '../../exchanges/exchange.ts';
import { ExchangeTable } from '../model/exchange-table.ts';
import type { JournalLine } from '../model/journal.ts';
import { isJournalLine } from '../model/journal-shape.ts';
import type { Sharing } from '../model/sharing.ts';

/**
 * Reads lines, and gives undefined for a damaged one. Most of a long journal is
 * one request and one list over and over: a line that ends in the same body as
 * the one before is decoded and parsed without it, and without its request if
 * that is the same, too.
 */
export function lineParser(sharing: Sharing): (bytes: Buffer) => JournalLine | undefined {
  const table = new ExchangeTable();
  let last: Repeatable | undefined;
  return (bytes) => {
    const repeated = last === undefined ? undefined : withParts(bytes, last);
    const line = repeated ?? json(bytes.toString());
    if (!isJournalLine(line)) return undefined;
    if (line.kind !== 'exchange') return line;
    const exchange = sharing.exchange(line);
    if (repeated === undefined) last = repeatable(exchange) ?? last;
    return table.add(exchange);
  };
}

/** What the next exchange may repeat, and the bytes in which that would stand in its line. */
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

/** Where a request begins: a search for all of it would take longer than to read it. */
const REQUEST = Buffer.from('"request":');

/** Stands for a request that is repeated; random, because then no line says so by itself. */
const SAME = randomUUID();

/**
 * The line's value, its repeated parts taken for read; undefined where it
 * repeats none of them, or not in their places: a quotation mark that stands in
 * a text is escaped, so what was left out was the value of a field, and only
 * `request` of the line itself and `body` of its outcome may be missing.
 */
function withParts(bytes: Buffer, { body, ending, request, middle }: Repeatable): unknown {
  const end = bytes.length - ending.length;
  if (end < 0 || !bytes.subarray(end).equals(ending)) return undefined;
  const at = bytes.indexOf(REQUEST);
  const same = at !== -1 && at + middle.length < end && bytes.subarray(at, at + middle.length).equals(middle);
  const text = same
    ? `${bytes.toString('utf8', 0, at)}"request":"${SAME}"${bytes.toString('utf8', at + middle.length, end)}}}`
    : `${bytes.toString('utf8', 0, end)}}}`;
  const line = json(text) as { readonly request?: unknown; readonly outcome?: object } | undefined;
  const outcome = line?.outcome;
  if (!line || !outcome || 'body' in outcome || (same && line.request !== SAME)) return undefined;
  return Object.assign(line, { outcome: Object.assign(outcome, { body }), ...(same ? { request } : {}) });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
