import type { Body, WholeBody } from '../../exchanges/exchange.ts';
import type { Redact } from './redact.ts';

/** The most bytes of a request or response body that the journal keeps, so that it can be judged. */
export const JOURNAL_BODY_BYTES = 4 * 1024 * 1024;

/** The bytes before a cut that are given up, so that no half of a key stands there unrecognised. */
const CUT_MARGIN = 512;

/** Bytes of memory that all different bodies of a run may take in all, read as JSON. */
const RUN_BYTES = 320 * 1024 * 1024;

/** What a value inside a JSON text takes once it is read, in bytes; rather too much than too little. */
const VALUE_BYTES = 64;

/** Characters that are kept, for a person, of a body that is too large to be judged; whatever is shorter is always kept whole. */
const EXCERPT = 16 * 1024;

/** Makes what is kept of every body of a run: without keys, and in bounded memory whatever a target sends. */
export class BodyKeeper {
  readonly #redact: Redact;
  readonly #texts = new Map<string, string>();
  #left = RUN_BYTES;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /** What is kept of a body of which `all` was read, out of `bytes` that arrived; `ended` is false where more was to come. */
  keep(all: Uint8Array, bytes: number, ended = true): Body {
    const { redacted, encoding } = this.#without(all);
    const read = ended && bytes <= all.length;
    const whole = read && redacted.length <= JOURNAL_BODY_BYTES && this.#affords(redacted);
    return whole
      ? { text: this.#shared(written(redacted, encoding)), encoding, bytes, cut: false }
      : { excerpt: this.#shared(written(beginning(redacted), encoding)), encoding, bytes, cut: true };
  }

  /** What is kept of a body of our own: all of it, which is little. */
  keepOwn(all: Uint8Array): WholeBody {
    const { redacted, encoding } = this.#without(all);
    return { text: this.#shared(written(redacted, encoding)), encoding, bytes: all.length, cut: false };
  }

  /** Redact first: a cut could leave half a key behind. Latin-1 maps every byte of what is no UTF-8 to itself. */
  #without(all: Uint8Array): { readonly redacted: string; readonly encoding: Body['encoding'] } {
    const text = utf8(all);
    return text === undefined
      ? { redacted: this.#redact(Buffer.from(all).toString('latin1')), encoding: 'base64' }
      : { redacted: this.#redact(text), encoding: 'utf8' };
  }

  /** Whether a text can be kept besides all that was; lists are answered over and over, and cost once. */
  #affords(text: string): boolean {
    return text.length <= EXCERPT || this.#texts.has(text) || bytesOf(text) <= this.#left;
  }

  /** The same text that was kept before, if it was. */
  #shared(text: string): string {
    if (text.length <= EXCERPT) return text;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#left -= bytesOf(text);
    this.#texts.set(text, text);
    return text;
  }
}

/** What keeping a text and reading it as JSON takes, in bytes. */
function bytesOf(text: string): number {
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c === COMMA || c === BRACKET || c === BRACE) values += 1;
  }
  return text.length + values * VALUE_BYTES;
}

const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/** A text as it is kept: bytes that are no UTF-8 in base64. */
const written = (text: string, encoding: Body['encoding']): string =>
  encoding === 'utf8' ? text : Buffer.from(text, 'latin1').toString('base64');

/** The beginning of a text, in memory of its own: a slice would hold the whole. */
const beginning = (text: string): string =>
  Buffer.from(text.slice(0, Math.max(0, Math.min(text.length - CUT_MARGIN, EXCERPT)))).toString();

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
