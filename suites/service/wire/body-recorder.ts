import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { contentCodings, judgedBytesOf, LEFT_OUT_BODY } from '../../../kernel/exchanges/body.ts';
import type { Body, CompleteBody, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { utf8Text } from '../../../kernel/recording/line-file.ts';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import { Sharing } from '../model/sharing.ts';

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
  readonly #sharing: Sharing;

  /** @param sharing which bodies the run has already. */
  constructor(redact: Redact, sharing = new Sharing()) {
    this.#redact = redact;
    this.#sharing = sharing;
  }

  /** @param bytes how many arrived in all. @param ended false where the body broke off. @param coded whether a coding was not undone. */
  recordResponse(read: Uint8Array, bytes: number, { ended = true, coded = false } = {}): Body {
    const { redacted, encoding } = this.#redacted(read, coded);
    const isComplete = ended && bytes <= read.length;
    const text = encoded(redacted, encoding);
    return this.#sharing.body(
      isComplete && redacted.length <= JOURNAL_BODY_BYTES && this.#fitsInMemory(text)
        ? { text, encoding, bytes, cut: false }
        : { excerpt: encoded(beginningOf(redacted), encoding), encoding, bytes, cut: true },
    );
  }

  /** The record of a request body: all of it, because our own bodies are small. */
  recordRequest(sent: Uint8Array): CompleteBody {
    const { redacted, encoding } = this.#redacted(sent);
    return { text: encoded(redacted, encoding), encoding, bytes: sent.length, cut: false };
  }

  /** Before a cut, which could leave half a key. Of what is no text, no byte is recorded: a key in it would not be found. */
  #redacted(
    bytes: Uint8Array,
    coded = false,
  ): { readonly redacted: string; readonly encoding: Body['encoding'] } {
    const text = utf8Text(bytes);
    if (text !== undefined) return { redacted: this.#redact(text), encoding: 'utf8' };
    const latin = Buffer.from(bytes).toString('latin1');
    return { redacted: coded || OF_NO_TEXT.test(latin) ? NO_TEXT : this.#redact(latin), encoding: 'base64' };
  }

  /** A text that was recorded before takes no more. */
  #fitsInMemory(text: string): boolean {
    if (text.length <= EXCERPT || this.#sharing.hasBody(text)) return true;
    return this.#sharing.bodyBytes + judgedBytesOf(text) <= RUN_BYTES;
  }
}

/** Control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const OF_NO_TEXT = /[\x00-\x08\x0e-\x1f]/;

const NO_TEXT = Buffer.from(LEFT_OUT_BODY, 'base64').toString('latin1');

/** A text as the journal holds it: bytes that are not UTF-8 in base64. */
const encoded = (text: string, encoding: Body['encoding']): string =>
  encoding === 'utf8' ? text : Buffer.from(text, 'latin1').toString('base64');

/** A copy of the beginning of a text: a slice would keep the whole text in memory. */
const beginningOf = (text: string): string =>
  Buffer.from(text.slice(0, Math.max(0, Math.min(text.length - CUT_MARGIN, EXCERPT)))).toString();

/** No client reads the body of this response. The message: a clause with the section of an RFC. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}

const LONGEST_LINE = 16 * 1024;

type State = 'size' | 'data' | 'after data' | 'trailers' | 'end';

/** Reads a chunked body as lenient clients in wide use do, and names what strict ones reject (RFC 9112 §7.1). */
export class ChunkedBody {
  readonly irregular = new Set<string>();
  #state: State = 'size';
  #left = 0;
  #line = '';

  get ended(): boolean {
    return this.#state === 'end';
  }

  /**
   * Reads on.
   * @returns the content of these bytes, and how many of them belong to the body.
   * @throws {UnreadableBody}
   */
  read(bytes: Buffer): { readonly content: Buffer; readonly used: number } {
    const content: Buffer[] = [];
    let at = 0;
    while (at < bytes.length && this.#state !== 'end') {
      if (this.#state === 'data') {
        const part = bytes.subarray(at, at + this.#left);
        content.push(part);
        at += part.length;
        this.#left -= part.length;
        if (this.#left === 0) this.#state = 'after data';
        continue;
      }
      const end = bytes.indexOf('\n', at);
      const until = end === -1 ? bytes.length : end;
      this.#line += bytes.toString('latin1', at, until);
      at = until + 1;
      if (this.#line.length > LONGEST_LINE)
        throw new UnreadableBody('a line of its chunks has no end (RFC 9112 §7.1)');
      if (end === -1) {
        if (this.#state === 'size') sizeIn(this.#line);
        break;
      }
      this.#readLine(this.#line);
      this.#line = '';
    }
    return { content: Buffer.concat(content), used: Math.min(at, bytes.length) };
  }

  #readLine(line: string): void {
    if (!line.endsWith('\r'))
      this.irregular.add('a line of its chunks that ends with LF without CR (RFC 9112 §2.2)');
    const text = line.replace(/\r$/, '');
    if (this.#state === 'size') this.#readSize(text);
    else if (this.#state === 'trailers') this.#state = text === '' ? 'end' : 'trailers';
    else if (text === '') this.#state = 'size';
    else throw new UnreadableBody('a chunk is longer than its size line states (RFC 9112 §7.1)');
  }

  #readSize(text: string): void {
    const { size, digits } = sizeIn(text);
    if (digits === '') throw new UnreadableBody(NO_SIZE);
    if (size !== digits) this.irregular.add('a chunk size with white space or 0x (RFC 9112 §7.1)');
    this.#left = Number.parseInt(digits, 16);
    this.#state = this.#left === 0 ? 'trailers' : 'data';
  }
}

const NO_SIZE = 'the size line of a chunk is no hexadecimal number (RFC 9112 §7.1)';

/** The size in a size line or its beginning. @throws {UnreadableBody} where no client finds one. */
function sizeIn(line: string): { readonly size: string; readonly digits: string } {
  const [size = ''] = line.replace(/\r$/, '').split(';', 1);
  const [, digits] = /^[ \t]*(?:0x)?([0-9a-f]{0,12})[ \t]*$/i.exec(size) ?? [];
  if (digits === undefined) throw new UnreadableBody(NO_SIZE);
  return { size, digits };
}

/** The most codings of one body that are undone, as in curl and in Python's urllib3: each may take as long as the largest body. */
const MOST_CODINGS = 5;

const bounds = { maxOutputLength: JOURNAL_BODY_BYTES };

/** How a coding is undone (RFC 9110 §8.4.1). */
const decoders: ReadonlyMap<string, (bytes: Uint8Array) => Uint8Array> = new Map([
  ['gzip', (bytes) => gunzipSync(bytes, bounds)],
  ['x-gzip', (bytes) => gunzipSync(bytes, bounds)],
  ['deflate', inflated],
  ['br', (bytes) => brotliDecompressSync(bytes, bounds)],
]);

/** Clients read deflate with the zlib wrapper, which the RFC requires, and without it. */
function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateSync(bytes, bounds);
  } catch {
    return inflateRawSync(bytes, bounds);
  }
}

/** As clients decode it. Undefined where it has none, too many or an unknown one, or the bytes are not what the header says. */
export function withoutCoding(
  headers: readonly HeaderLine[],
  body: Uint8Array,
): { readonly body: Uint8Array; readonly codings: string } | undefined {
  const codings = contentCodings(headers);
  if (codings.length === 0 || codings.length > MOST_CODINGS || body.length === 0) return undefined;
  let decoded: Uint8Array | undefined = body;
  try {
    for (const coding of codings.toReversed()) decoded = decoded && decoders.get(coding)?.(decoded);
  } catch {
    return undefined;
  }
  return decoded && { body: decoded, codings: codings.join(', ') };
}

/** A response is longer than what is read of one. It is cut by us, so it says nothing about the target. */
export class BeyondBound extends Error {
  override readonly name = 'BeyondBound';
}
