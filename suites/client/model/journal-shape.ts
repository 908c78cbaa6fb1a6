import type { Check } from '../../../kernel/basics/shape.ts';
import {
  address,
  either,
  exactly,
  listOf,
  maybe,
  maybeText,
  number,
  object,
  text,
} from '../../../kernel/basics/shape.ts';
import {
  bodyExcerpt,
  completeBody,
  connection,
  end,
  headers,
  instant,
  isLineOf,
  origin,
  runOfOtherVersionThan,
  selection,
} from '../../../kernel/recording/line-shapes.ts';
import type { ClientJournalLine } from './journal.ts';

const anyBody = either(completeBody, bodyExcerpt);
const start = { start: number, scenario: text, repetition: number };
const where = exactly('this host', 'another host');

const run = object({
  journalVersion: exactly(1),
  ...origin,
  client: either(
    object({ kind: exactly('command'), words: listOf(text), where }),
    object({ kind: exactly('attached'), where }),
    object({ kind: exactly('watched'), target: address, where }),
  ),
  selection: maybe(selection),
  starts: listOf(object(start)),
});

const exit = either(
  object({ kind: exactly('exited'), code: number }),
  object({ kind: exactly('signalled'), signal: text }),
  object({ kind: exactly('stopped'), because: text }),
  object({ kind: exactly('not-started'), because: text }),
);

const kinds: { readonly [Kind in ClientJournalLine['kind']]: Check } = {
  'client-run': either(runOfOtherVersionThan(1), run),
  start: object({ ...start, at: instant, prefix: maybeText }),
  arrival: object({
    n: number,
    start: number,
    at: instant,
    connection,
    inFlight: number,
    method: text,
    target: text,
    headers,
  }),
  response: object({
    n: number,
    at: instant,
    requestBody: either(exactly(null), anyBody),
    status: number,
    headers,
    body: anyBody,
  }),
  reset: object({ n: number, at: instant }),
  stall: object({ at: instant, milliseconds: number }),
  exit: object({
    start: number,
    at: instant,
    how: exit,
    output: text,
    leftBehind: maybe(listOf(text)),
  }),
  end,
};

/** Whether a value has every field of a line of a client's journal, each of its type. */
export const isClientJournalLine = (value: unknown): value is ClientJournalLine => isLineOf(kinds, value);
