import { HTTPParser } from 'http-parser-js';
import type { HeaderLine } from '../../exchanges/exchange.ts';
import type { ReceivedBody } from '../service/request-body.ts';
import { KEPT_BYTES } from '../service/request-body.ts';

/** The head of a message: a request or a response. */
export interface MessageHead {
  /** Of a request; empty in a response. */
  readonly method: string;
  /** Of a request; empty in a response. */
  readonly target: string;
  /** Of a response; 0 in a request. */
  readonly status: number;
  readonly headers: readonly HeaderLine[];
}

/** What a reader does with what it reads. */
export interface MessageListener {
  /** @returns whether a body follows, as far as the other direction decides it. */
  readonly onHead: (head: MessageHead) => 'body as announced' | 'no body';
  readonly onEnd: (body: ReceivedBody) => void;
}

const MOST_HEADER_BYTES = 64 * 1024;
/** What the parser expects of `onHeadersComplete`: that it reads no body. */
const SKIP_BODY = 1;
const READ_BODY = 0;

/** Reads the messages of one direction of a connection on the side: nothing here changes a byte of it. */
export class MessageReader {
  readonly #parser: InstanceType<typeof HTTPParser>;
  #kept: Buffer[] = [];
  #length = 0;
  #readable = true;

  constructor(direction: 'requests' | 'responses', { onHead, onEnd }: MessageListener) {
    this.#parser = new HTTPParser(direction === 'requests' ? HTTPParser.REQUEST : HTTPParser.RESPONSE);
    this.#parser.maxHeaderSize = MOST_HEADER_BYTES;
    this.#parser.onHeadersComplete = ({ headers, method, url, statusCode, upgrade }) => {
      this.#kept = [];
      this.#length = 0;
      // What follows an upgrade is no HTTP.
      if (upgrade) this.#readable = false;
      const head = {
        // The declarations call it a number; with these handlers it is the name.
        method: direction === 'requests' ? String(method) : '',
        target: url ?? '',
        status: statusCode ?? 0,
        headers: linesOf(headers),
      };
      return onHead(head) === 'no body' ? SKIP_BODY : READ_BODY;
    };
    this.#parser.onBody = (chunk, offset, length) => this.#keep(chunk.subarray(offset, offset + length));
    this.#parser.onMessageComplete = () =>
      onEnd({
        bytes: Buffer.concat(this.#kept),
        length: this.#length,
        complete: this.#length <= KEPT_BYTES,
      });
  }

  /** Reads on; false where the bytes are no HTTP, from then on. */
  read(bytes: Buffer): boolean {
    if (this.#readable && this.#parser.execute(bytes) instanceof Error) this.#readable = false;
    return this.#readable;
  }

  /** The connection has ended, which ends a body without an announced length. */
  end(): void {
    if (this.#readable) this.#parser.finish();
    this.#readable = false;
  }

  #keep(bytes: Buffer): void {
    const left = Math.max(0, KEPT_BYTES - this.#length);
    if (left > 0) this.#kept.push(Buffer.from(bytes.subarray(0, left)));
    this.#length += bytes.length;
  }
}

function linesOf(raw: readonly string[]): readonly HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return lines;
}
