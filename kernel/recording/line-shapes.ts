import { isJsonObject } from '../basics/json.ts';
import type { Check } from '../basics/shape.ts';
import { exactly, flag, listOf, maybe, maybeText, moment, number, object, text } from '../basics/shape.ts';

// The shapes that lines of a journal share, whether a service was tested or a client.

/** A moment on both clocks. */
export const instant = object({ wall: number, mono: number });

const headerLine: Check = (value) =>
  Array.isArray(value) && value.length === 2 && text(value[0]) && text(value[1]);
/** Header lines in their order. */
export const headers = listOf(headerLine);

const encoding = exactly('utf8', 'base64');
/** A body that was kept completely. */
export const completeBody = object({ text, encoding, bytes: number, cut: exactly(false) });
/** The beginning of a body that was not. */
export const bodyExcerpt = object({ excerpt: text, encoding, bytes: number, cut: exactly(true) });

/** The connection of a request. */
export const connection = object({ id: number, fresh: flag });

/** By whom a run was recorded, for which specification and which product, and when: in its first line. */
export const origin = {
  suite: object({ name: text, version: text }),
  spec: object({ version: text, digest: text }),
  product: maybe(
    object({ name: maybeText, vendor: maybeText, version: maybeText, configuration: maybeText }),
  ),
  startedAt: moment,
};

/** What a partial run was limited to. */
export const selection = object({ kind: exactly('selected', 'quick'), requirements: listOf(text) });

/** The last line of a run. */
export const end = object({
  how: exactly('finished', 'interrupted', 'failed'),
  because: text,
  finishedAt: moment,
});

/** A first line of another version: whatever else it holds, it says by itself why it cannot be read. */
export const runOfOtherVersionThan =
  (version: number): Check =>
  (value) =>
    isJsonObject(value) && number(value['journalVersion']) && value['journalVersion'] !== version;

/** Whether a value is a line of one of these kinds, with every field that its kind has, each of its type. */
export function isLineOf(kinds: Readonly<Record<string, Check>>, value: unknown): boolean {
  const kind = isJsonObject(value) ? value['kind'] : undefined;
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) && kinds[kind]?.(value) === true;
}
