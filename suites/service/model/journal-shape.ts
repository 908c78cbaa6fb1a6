import { isJsonObject } from '../../../kernel/basics/json.ts';
import type { Check } from '../../../kernel/basics/shape.ts';
import {
  address,
  either,
  exactly,
  flag,
  listOf,
  mapOf,
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
import { isPlanName } from '../../../spec/plans.ts';
import type { JournalLine } from './journal.ts';

const limits = object({ perMinute: number, perDay: number, minuteSeconds: number, daySeconds: number });
const reading = { status: number, headers, irregular: maybe(listOf(text)), decoded: maybeText };
const whole = { broken: exactly(undefined), unreadable: exactly(undefined) };
const answer = either(
  object({ ...reading, body: either(completeBody, bodyExcerpt), ...whole }),
  object({ ...reading, body: bodyExcerpt, broken: maybeText, unreadable: maybeText }),
);
const noResponse = object({ cause: text, detail: text });

const KEYS: readonly unknown[] = [
  'key',
  'unspecified',
  'other',
  'exhausted',
  'disposable',
  'unauthenticated',
];
const caller: Check = (value) =>
  KEYS.includes(value) ||
  (typeof value === 'string' && value.startsWith('plan:') && isPlanName(value.slice('plan:'.length)));

const run = object({
  journalVersion: exactly(3),
  ...origin,
  target: object({ baseUrl: address, plan: text, bundled: maybe(exactly(true)) }),
  limits,
  furtherPlans: mapOf(limits),
  inputs: object({
    otherKey: flag,
    exhaustedKey: flag,
    disposableKey: flag,
    spendDay: maybe(flag),
    exclusiveKey: flag,
    thorough: flag,
    openapi: flag,
  }),
  selection: maybe(selection),
  probes: listOf(object({ id: text, requests: number })),
});

const kinds: { readonly [Kind in JournalLine['kind']]: Check } = {
  run: either(runOfOtherVersionThan(3), run),
  probe: object({ id: text, at: number }),
  wait: object({ seconds: number, because: text, at: number }),
  note: object({ probe: text, text, at: number }),
  document: object({ source: text, text, at: number, address: maybeText, unread: maybeText }),
  exchange: object({
    n: number,
    probe: text,
    step: text,
    caller,
    connection,
    request: object({ method: text, target: text, headers, body: either(exactly(null), completeBody) }),
    sent: instant,
    received: instant,
    outcome: either(
      (value) => isJsonObject(value) && value['kind'] === 'answer' && answer(value),
      (value) => isJsonObject(value) && value['kind'] === 'no-response' && noResponse(value),
    ),
  }),
  end,
};

/**
 * Whether a value has every field of a journal's line that judges read, each of
 * its type: what a disk or an editor left behind must not reach a judge.
 */
export const isJournalLine = (value: unknown): value is JournalLine => isLineOf(kinds, value);
