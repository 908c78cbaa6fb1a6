import type { Check } from '../../recording/shape.ts';
import { either, exactly, flag, isObject, listOf, number, object, text } from '../../recording/shape.ts';
import { product } from '../../suites/model/product-shape.ts';
import type { ClientJournalLine } from './journal.ts';

const absent = exactly(undefined);
const instant = object({ wall: number, mono: number });
const headerLine: Check = (value) =>
  Array.isArray(value) && value.length === 2 && text(value[0]) && text(value[1]);
const headers = listOf(headerLine);
const encoding = exactly('utf8', 'base64');
const anyBody = either(
  object({ text, encoding, bytes: number, cut: exactly(false) }),
  object({ excerpt: text, encoding, bytes: number, cut: exactly(true) }),
);
const start = { start: number, scenario: text, repetition: number };
const where = exactly('this host', 'another host');

const run = object({
  journalVersion: exactly(1),
  suite: object({ name: text, version: text }),
  spec: object({ version: text, digest: text }),
  client: either(
    object({ kind: exactly('command'), words: listOf(text), where }),
    object({ kind: exactly('attached'), where }),
    object({ kind: exactly('watched'), target: text, where }),
  ),
  product,
  starts: listOf(object(start)),
  startedAt: text,
});
// Whatever else such a line holds, it says by itself why it cannot be read.
const runOfAnotherVersion: Check = (value) =>
  isObject(value) && number(value['journalVersion']) && value['journalVersion'] !== 1;

const exit = either(
  object({ kind: exactly('exited'), code: number }),
  object({ kind: exactly('signalled'), signal: text }),
  object({ kind: exactly('stopped'), because: text }),
  object({ kind: exactly('not-started'), because: text }),
);

const kinds: { readonly [Kind in ClientJournalLine['kind']]: Check } = {
  'client-run': either(runOfAnotherVersion, run),
  start: object({ ...start, at: instant, prefix: either(absent, text) }),
  arrival: object({
    n: number,
    start: number,
    at: instant,
    connection: object({ id: number, fresh: flag }),
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
    leftBehind: either(absent, listOf(text)),
  }),
  end: object({ how: exactly('finished', 'interrupted', 'failed'), because: text, finishedAt: text }),
};

/** Whether a value has every field of a line of a client's journal, each of its type. */
export function isClientJournalLine(value: unknown): value is ClientJournalLine {
  if (!isObject(value)) return false;
  const kind = value['kind'];
  return (
    typeof kind === 'string' && Object.hasOwn(kinds, kind) && kinds[kind as ClientJournalLine['kind']](value)
  );
}
