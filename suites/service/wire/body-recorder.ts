import { LEFT_OUT_BODY } from '../../../kernel/exchanges/body.ts';
import { judgedBytesOf } from '../../../kernel/exchanges/body-memory.ts';
import type { Body, CompleteBody } from '../../../kernel/exchanges/exchange.ts';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import { utf8Text } from '../../../kernel/recording/utf8.ts';

/** The most bytes of a response body that the journal records as a whole, so that it can be judged. */
export const JOURNAL_BODY_BYTES = 4 * 1024 * 1024;

/** Characters that are dropped before a cut, because they may be the unrecognized half of a key. */
const CUT_MARGIN = 512;

/** Bytes of memory that all different bodies of a run may take together, parsed as JSON and judged. */
const RUN_BYTES = 640 * 1024 * 1024;

/** Characters that are recorded, for a person, of a body that is too large to be judged. A shorter body is always recorded as a whole. */
const EXCERPT = 16 * 1024;

/** Turns the bodies of a run into what the journal records: without keys, and in bounded memory whatever a target sends. */
export class BodyRecorder {
  readonly #redact: Redact;
  readonly #texts = new Map<string, string>();
  #bytesLeft = RUN_BYTES;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /**
   * The record of a response body.
   * @param read the bytes that were read.
   * @param bytes how many bytes arrived in all.
   * @param ended false where the body broke off.
   * @param coded whether it has a content coding that was not undone.
   */
  recordResponse(read: Uint8Array, bytes: number, { ended = true, coded = false } = {}): Body {
    const { redacted, encoding } = this.#redacted(read, coded);
    const isComplete = ended && bytes <= read.length;
    return isComplete && redacted.length <= JOURNAL_BODY_BYTES && this.#fitsInMemory(redacted)
      ? { text: this.#shared(encoded(redacted, encoding)), encoding, bytes, cut: false }
      : { excerpt: this.#shared(encoded(beginningOf(redacted), encoding)), encoding, bytes, cut: true };
  }

  /** The record of a request body: all of it, because our own bodies are small. */
  recordRequest(sent: Uint8Array): CompleteBody {
    const { redacted, encoding } = this.#redacted(sent);
    return { text: this.#shared(encoded(redacted, encoding)), encoding, bytes: sent.length, cut: false };
  }

  /**
   * Redacts before anything is cut: a cut could leave half a key behind. Latin-1 maps every byte to one character. Of
   * what is no text, as a body whose coding could not be undone, no byte is recorded: a key in it would not be found.
   */
  #redacted(
    bytes: Uint8Array,
    coded = false,
  ): { readonly redacted: string; readonly encoding: Body['encoding'] } {
    const text = utf8Text(bytes);
    if (text !== undefined) return { redacted: this.#redact(text), encoding: 'utf8' };
    const latin = Buffer.from(bytes).toString('latin1');
    return { redacted: coded || OF_NO_TEXT.test(latin) ? NO_TEXT : this.#redact(latin), encoding: 'base64' };
  }

  /** Whether there is memory left for this text. A text that was recorded before takes no more. */
  #fitsInMemory(text: string): boolean {
    return text.length <= EXCERPT || this.#texts.has(text) || judgedBytesOf(text) <= this.#bytesLeft;
  }

  /** The equal text that was recorded before, if any: a run gets the same list again and again. */
  #shared(text: string): string {
    if (text.length <= EXCERPT) return text;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#bytesLeft -= judgedBytesOf(text);
    this.#texts.set(text, text);
    return text;
  }
}

/** Control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const OF_NO_TEXT = /[\x00-\x08\x0e-\x1f]/;

/** What is recorded of bytes that are no text. */
const NO_TEXT = Buffer.from(LEFT_OUT_BODY, 'base64').toString('latin1');

/** A text as the journal holds it: bytes that are not UTF-8 in base64. */
const encoded = (text: string, encoding: Body['encoding']): string =>
  encoding === 'utf8' ? text : Buffer.from(text, 'latin1').toString('base64');

/** A copy of the beginning of a text: a slice would keep the whole text in memory. */
const beginningOf = (text: string): string =>
  Buffer.from(text.slice(0, Math.max(0, Math.min(text.length - CUT_MARGIN, EXCERPT)))).toString();
