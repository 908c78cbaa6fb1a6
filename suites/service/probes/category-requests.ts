import { createHash } from 'node:crypto';
import { jsonFields, parsedJson } from '../../../kernel/basics/json.ts';
import { capitalized } from '../../../kernel/basics/text.ts';
import { completeText } from '../../../kernel/exchanges/body.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { InvalidCredential } from '../wire/keyring.ts';
import type { ProbeRequest } from '../wire/session.ts';
import type { RunInputs } from './probe.ts';

export function listRequest(more: Partial<ProbeRequest> = {}): ProbeRequest {
  return { method: 'GET', path: '/categories', credential: { kind: 'bearer', caller: 'key' }, ...more };
}

/** The list with a credential that is not valid, by default none. */
export const unauthenticatedList = (
  kind: InvalidCredential = 'none',
  more: Partial<ProbeRequest> = {},
): ProbeRequest => listRequest({ credential: { kind }, ...more });

export type LabelledRequest = readonly [step: string, request: ProbeRequest];

/** So many lists with the key under test, each over a parallel connection that stays open. */
export const parallelLists = (count: number): readonly ProbeRequest[] =>
  Array.from({ length: count }, (_, i) => listRequest({ route: `parallel-${i + 1}` }));

/** Whether this is the list, as the target showed it to the key. */
export const isListOfKey = (exchange: Exchange): boolean =>
  exchange.caller === 'key' &&
  exchange.request.method === 'GET' &&
  isDocumentedOperation(exchange) &&
  statusOf(exchange) === 200;

/** `POST /categories` with the key under test and this body: a value to be written as JSON, raw text, or none (undefined). */
export function createRequest(body: unknown, more: Partial<ProbeRequest> = {}): ProbeRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return listRequest({ method: 'POST', body: text, ...more });
}

export interface NewCategoryBody {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The body of a creation as it was sent; undefined where it has no name. */
export function readBody({ request: { body } }: Exchange): NewCategoryBody | undefined {
  const { name, description } = jsonFields(parsedJson(body?.text ?? ''));
  if (typeof name !== 'string') return undefined;
  return typeof description === 'string' ? { name, description } : { name };
}

/** The id in the 201 of a creation; undefined where there is none, or where a double does not hold it. */
export function createdId(exchange: Exchange): number | undefined {
  if (statusOf(exchange) !== 201) return undefined;
  const { id } = jsonFields(parsedJson(completeText(exchange) ?? ''));
  return Number.isSafeInteger(id) ? Number(id) : undefined;
}

/** 400; 422 as many frameworks do by default (RFC 9110 §15.5.21); 409 as those that answer so where any constraint of a table is violated; 413 for a long body. */
const REJECTED: ReadonlySet<number | undefined> = new Set([400, 409, 413, 422]);

export const isRejected = (exchange: Exchange): boolean => REJECTED.has(statusOf(exchange));

/** Names begin with this unless the user gave a pattern, so that people can find what stayed on a target. */
const NAME_PREFIX = 'pc-';

/** The fewest characters in a name of a run. A shorter text in a list does not prove that this run created it. */
export const SHORTEST_NAME = 6;

/** The placeholders in a pattern of the user, and the unique text that replaces each. */
export const PLACEHOLDERS: Readonly<Record<string, (seed: string) => string>> = {
  '{id}': (seed) => letters(seed),
  '{ID}': (seed) => letters(seed).toUpperCase(),
  '{number}': (seed) => digits(seed),
};

/** How the steps are labelled that send a creation again with a plainer name, the plainest last. */
export const PLAINER_NAMES = [
  'again with a name of lower-case letters',
  'again with a name of two words',
  'again with a capital and lower-case letters',
] as const;

/** Which characters a name may have, or how many, is not shown: a rejected name is no violation as long as a plainer one is accepted. */
export interface NameForm {
  /** The label of the step that sends a name of this form; undefined for the first form. */
  readonly again?: (typeof PLAINER_NAMES)[number];
  /** The name for what is created; the same text gives the same name. */
  readonly write: (what: string) => string;
}

/** The user's pattern or `pc-TAG-WHAT` (at most 22 characters), eight lower-case letters, two words with capitals, eight with a capital. */
export function nameForms({
  tag,
  namePattern,
}: Pick<RunInputs, 'tag' | 'namePattern'>): readonly [NameForm, ...NameForm[]] {
  const plain = (what: string): string => `pc${letters(`${tag}-${what}`)}`;
  const [lowerCase, twoWords, capital] = PLAINER_NAMES;
  return [
    {
      write: (what) =>
        namePattern === undefined
          ? `${NAME_PREFIX}${tag}-${what}`
          : patternName(namePattern, `${tag}-${what}`),
    },
    { again: lowerCase, write: plain },
    { again: twoWords, write: (what) => `Pet ${capitalized(letters(`${tag}-${what}`))}` },
    { again: capital, write: (what) => capitalized(plain(what)) },
  ];
}

/** A name by the user's pattern (checked by `readNamePattern`), unique by its seed. */
export const patternName = (pattern: string, seed: string): string =>
  pattern.replace(/\{(?:id|ID|number)\}/, (placeholder) => PLACEHOLDERS[placeholder]?.(seed) ?? placeholder);

/** The forms that are still worth sending: first the plainest one that the target accepted, then the plainer ones. */
export function remainingNameForms(pacer: Pacer, inputs: RunInputs): readonly [NameForm, ...NameForm[]] {
  const forms = nameForms(inputs);
  const created = pacer.session.exchanges.filter((exchange) => statusOf(exchange) === 201);
  const at = forms.findLastIndex(
    ({ again }) => again === undefined || created.some(({ step }) => step.endsWith(again)),
  );
  const [accepted = forms[0], ...plainer] = forms.slice(at);
  return [accepted, ...plainer];
}

/** Makes names that no other run makes, in the form that the target accepts. */
export function categoryNamer(pacer: Pacer, inputs: RunInputs): (what: string) => string {
  return remainingNameForms(pacer, inputs)[0].write;
}

/** Exact as a double and as an int32. It depends on the run's tag, so that no service assigns it by itself. */
export const clientChosenId = (tag: string): number =>
  1_000_000_000 + (digest(`${tag}-id`).readUInt32BE(0) % 1_000_000_000);

const digest = (seed: string): Buffer => createHash('sha256').update(seed).digest();

const A = 'a'.charCodeAt(0);
const letters = (seed: string): string =>
  String.fromCharCode(...[...digest(seed).subarray(0, 6)].map((byte) => A + (byte % 26)));

const digits = (seed: string): string => String(10_000_000 + (digest(seed).readUInt32BE(0) % 90_000_000));
