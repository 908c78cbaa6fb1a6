/** A part of a text, from `start` up to `end`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** What begins an escape, percent-encoded or of JSON. */
const ESCAPE = /[%\\]/g;

/**
 * The parts of a text that lie within `reach` characters of an escape, joined
 * where they overlap: whatever holds an escaped character and is no longer than
 * `reach` lies in one of them. The time grows with the length of the text alone.
 */
export function* escapedStretches(text: string, reach: number): Generator<Stretch> {
  let open: Stretch | undefined;
  for (const { index } of text.matchAll(ESCAPE)) {
    const start = Math.max(0, index - reach);
    const end = Math.min(text.length, index + reach);
    if (open !== undefined && start <= open.end) {
      open = { start: open.start, end };
      continue;
    }
    if (open !== undefined) yield open;
    open = { start, end };
  }
  if (open !== undefined) yield open;
}
