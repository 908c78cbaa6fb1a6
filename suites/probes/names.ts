import { createHash } from 'node:crypto';
import type { Exchange } from '../../exchanges/exchange.ts';
import { statusOf } from '../../exchanges/headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { RunInputs } from './probe.ts';

/** Names begin with this unless the user gave a pattern, so that people can find what stayed on a target. */
export const NAME_PREFIX = 'pc-';

/** No name of a run is shorter, in characters: what is shorter and stands in a list proves nothing. */
export const SHORTEST_NAME = 6;

/** What stands for the unique part in a pattern of the user, and what it becomes. */
export const PLACEHOLDERS: Readonly<Record<string, (seed: string) => string>> = {
  '{id}': (seed) => letters(seed),
  '{ID}': (seed) => letters(seed).toUpperCase(),
  '{number}': (seed) => digits(seed),
};

/**
 * One way to write the names of a run. Which characters a name may hold and how
 * long it may be is not shown, so a name that is rejected is no violation as
 * long as a plainer one is accepted.
 */
interface NameForm {
  /** How the step is called that asks again with a name of this form; undefined for the first form. */
  readonly again?: string;
  /** The name for what is created; the same again for the same words. */
  readonly write: (what: string) => string;
}

/**
 * The forms of names, the first one first: the user's pattern or `pc-TAG-WHAT`
 * (`[a-z0-9-]`, at most 22 characters), then eight lower-case letters, then the
 * same with a capital at the beginning.
 */
export function nameForms({ tag, namePattern }: Pick<RunInputs, 'tag' | 'namePattern'>): readonly NameForm[] {
  const plain = (what: string): string => `pc${letters(`${tag}-${what}`)}`;
  return [
    {
      write: (what) =>
        namePattern === undefined
          ? `${NAME_PREFIX}${tag}-${what}`
          : patternName(namePattern, `${tag}-${what}`),
    },
    { again: 'again with a name of lower-case letters', write: plain },
    { again: 'again with a capital and lower-case letters', write: (what) => capital(plain(what)) },
  ];
}

/** A name by the user's pattern (`readNamePattern` has checked it), unique by its seed. */
export const patternName = (pattern: string, seed: string): string =>
  pattern.replace(/\{(?:id|ID|number)\}/, (placeholder) => PLACEHOLDERS[placeholder]?.(seed) ?? placeholder);

/** The forms that are left to try: first the one that the target accepted last, then those that are plainer. */
export function formsLeft(pacer: Pacer, inputs: RunInputs): readonly [NameForm, ...NameForm[]] {
  const [first, ...plainer] = nameForms(inputs) as readonly [NameForm, ...NameForm[]];
  const used = pacer.session.exchanges.findLast(
    (exchange) => statusOf(exchange) === 201 && plainer.some((form) => isAgain(exchange, form)),
  );
  const at = used === undefined ? -1 : plainer.findIndex((form) => isAgain(used, form));
  return at === -1 ? [first, ...plainer] : [plainer[at] ?? first, ...plainer.slice(at + 1)];
}

const isAgain = ({ step }: Exchange, { again }: NameForm): boolean =>
  again !== undefined && step.endsWith(again);

/** Makes names that no other run makes, in the form that the target accepts. */
export function namer(pacer: Pacer, inputs: RunInputs): (what: string) => string {
  return formsLeft(pacer, inputs)[0].write;
}

/**
 * Two ids that a client may send and a service should not adopt, as JSON text:
 * one that is exact as a double and as an int32, and an int64 that is neither.
 * Both follow from the run's tag, so that no service comes to them by itself.
 */
export function ownIds(tag: string): { readonly exact: string; readonly inexact: string } {
  const bytes = digest(`${tag}-id`);
  return {
    exact: String(1_000_000_000 + (bytes.readUInt32BE(0) % 1_000_000_000)),
    // Odd and beyond 2^60, where doubles are 256 apart.
    inexact: String(2n ** 60n + (bytes.readBigUInt64BE(8) >> 5n) * 2n + 1n),
  };
}

const digest = (seed: string): Buffer => createHash('sha256').update(seed).digest();

const A = 'a'.charCodeAt(0);
const letters = (seed: string): string =>
  String.fromCharCode(...[...digest(seed).subarray(0, 6)].map((byte) => A + (byte % 26)));

const digits = (seed: string): string => String(10_000_000 + (digest(seed).readUInt32BE(0) % 90_000_000));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
