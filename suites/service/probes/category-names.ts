import { createHash } from 'node:crypto';
import { capitalized } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { RunInputs } from './probe.ts';

/** Names begin with this unless the user gave a pattern, so that people can find what stayed on a target. */
export const NAME_PREFIX = 'pc-';

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

/**
 * One way to write the names of a run. The specification does not show which
 * characters a name may have or how long it may be. So a rejected name is no
 * violation as long as a plainer one is accepted.
 */
export interface NameForm {
  /** The label of the step that sends a name of this form; undefined for the first form. */
  readonly again?: (typeof PLAINER_NAMES)[number];
  /** The name for what is created; the same text gives the same name. */
  readonly write: (what: string) => string;
}

/**
 * The forms of names: first the user's pattern or `pc-TAG-WHAT` (`[a-z0-9-]`, at
 * most 22 characters), then eight lower-case letters, then two words with
 * capitals, of ten characters together, then eight letters with a capital.
 */
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

/** The forms that are still worth sending: first the one that the target accepted last, then the plainer ones. */
export function remainingNameForms(pacer: Pacer, inputs: RunInputs): readonly [NameForm, ...NameForm[]] {
  const [first, ...plainer] = nameForms(inputs);
  const created = pacer.session.exchanges.findLast(
    (exchange) => statusOf(exchange) === 201 && plainer.some((form) => hasForm(exchange, form)),
  );
  const at = created === undefined ? -1 : plainer.findIndex((form) => hasForm(created, form));
  return at === -1 ? [first, ...plainer] : [plainer[at] ?? first, ...plainer.slice(at + 1)];
}

const hasForm = ({ step }: Exchange, { again }: NameForm): boolean =>
  again !== undefined && step.endsWith(again);

/** Makes names that no other run makes, in the form that the target accepts. */
export function categoryNamer(pacer: Pacer, inputs: RunInputs): (what: string) => string {
  return remainingNameForms(pacer, inputs)[0].write;
}

/**
 * An id that a client may send and a service should not adopt: exact as a double and as an int32.
 * It depends on the run's tag, so that no service assigns it by itself.
 */
export const clientChosenId = (tag: string): number =>
  1_000_000_000 + (digest(`${tag}-id`).readUInt32BE(0) % 1_000_000_000);

const digest = (seed: string): Buffer => createHash('sha256').update(seed).digest();

const A = 'a'.charCodeAt(0);
const letters = (seed: string): string =>
  String.fromCharCode(...[...digest(seed).subarray(0, 6)].map((byte) => A + (byte % 26)));

const digits = (seed: string): string => String(10_000_000 + (digest(seed).readUInt32BE(0) % 90_000_000));
