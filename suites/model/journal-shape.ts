import type { Check } from '../../recording/shape.ts';
import {
  either,
  exactly,
  flag,
  isObject,
  listOf,
  mapOf,
  maybeText,
  number,
  object,
  text,
} from '../../recording/shape.ts';
import type { JournalLine } from './journal.ts';
import { product } from './product-shape.ts';

const instant = object({ wall: number, mono: number });
const limits = object({ perMinute: number, perDay: number, minuteSeconds: number, daySeconds: number });
const headerLine: Check = (value) =>
  Array.isArray(value) && value.length === 2 && text(value[0]) && text(value[1]);
const headers = listOf(headerLine);
const encoding = exactly('utf8', 'base64');
const wholeBody = object({ text, encoding, bytes: number, cut: exactly(false) });
const bodyExcerpt = object({ excerpt: text, encoding, bytes: number, cut: exactly(true) });
const body = either(wholeBody, bodyExcerpt);

const answer = either(
  object({ status: number, headers, body, broken: exactly(undefined) }),
  object({ status: number, headers, body: bodyExcerpt, broken: text }),
);
const noResponse = object({ cause: text, detail: text });

const run = object({
  journalVersion: exactly(3),
  suite: object({ name: text, version: text }),
  spec: object({ version: text, digest: text }),
  target: object({ baseUrl: text, plan: text }),
  product,
  limits,
  furtherPlans: mapOf(limits),
  inputs: object({
    otherKey: flag,
    exhaustedKey: flag,
    disposableKey: flag,
    spendDay: either(exactly(undefined), flag),
    exclusiveKey: flag,
    thorough: flag,
    openapi: flag,
  }),
  challenge: either(exactly(undefined), object({ text, nonce: text })),
  selection: either(
    exactly(undefined),
    object({ kind: exactly('selected', 'quick'), requirements: listOf(text) }),
  ),
  probes: listOf(object({ id: text, requests: number })),
  startedAt: text,
});
// Whatever else such a line holds, it says by itself why it cannot be read.
const runOfAnotherVersion: Check = (value) =>
  isObject(value) && number(value['journalVersion']) && value['journalVersion'] !== 3;

const kinds: { readonly [Kind in JournalLine['kind']]: Check } = {
  run: either(runOfAnotherVersion, run),
  probe: object({ id: text, at: number }),
  wait: object({ seconds: number, because: text, at: number }),
  note: object({ probe: text, text, at: number }),
  document: object({ source: text, text, at: number, address: maybeText, unread: maybeText }),
  exchange: object({
    n: number,
    probe: text,
    step: text,
    caller: text,
    connection: object({ id: number, fresh: flag }),
    request: object({ method: text, target: text, headers, body: either(exactly(null), wholeBody) }),
    sent: instant,
    received: instant,
    outcome: either(
      (value) => isObject(value) && value['kind'] === 'answer' && answer(value),
      (value) => isObject(value) && value['kind'] === 'no-response' && noResponse(value),
    ),
  }),
  end: object({ how: exactly('finished', 'interrupted', 'failed'), because: text, finishedAt: text }),
};

/**
 * Whether a value has every field of a journal's line that judges read, each of
 * its type: what a disk or an editor left behind must not reach a judge.
 */
export function isJournalLine(value: unknown): value is JournalLine {
  if (!isObject(value)) return false;
  const kind = value['kind'];
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) && kinds[kind as JournalLine['kind']](value);
}
