import { HTTPParser } from 'http-parser-js';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { headerLines } from '../service/credentials.ts';
import type { ReceivedBody } from '../service/request-body.ts';
import { BodyKeeper } from '../service/request-body.ts';

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
/** The method that the first line of HTTP/2 looks like (RFC 9113 §3.4): no request of HTTP/1.1. */
const HTTP2_PREFACE = 'PRI';

/** Reads the messages of one direction of a connection on the side: nothing here changes a byte of it. */
export class MessageReader {
  readonly #parser: InstanceType<typeof HTTPParser>;
  #headerLines: string[] = [];
  #body = new BodyKeeper();
  #readable = true;

  constructor(direction: 'requests' | 'responses', { onHead, onEnd }: MessageListener) {
    this.#parser = new HTTPParser(direction === 'requests' ? HTTPParser.REQUEST : HTTPParser.RESPONSE);
    this.#parser.maxHeaderSize = MOST_HEADER_BYTES;
    if (direction === 'requests') this.#readOffersOfUpgradeOn();
    this.#parser.onHeadersComplete = ({ headers, method, url, statusCode, upgrade }) => {
      const lines = direction === 'requests' ? this.#headerLines : headers;
      this.#headerLines = [];
      this.#body = new BodyKeeper();
      // The declarations call it a number; with these handlers it is the name.
      const name = direction === 'requests' ? String(method) : '';
      // What follows an accepted upgrade, or the first line of HTTP/2, is no HTTP/1.1.
      if (upgrade || name === HTTP2_PREFACE) this.#readable = false;
      if (name === HTTP2_PREFACE) return SKIP_BODY;
      const head = { method: name, target: url ?? '', status: statusCode ?? 0, headers: headerLines(lines) };
      return onHead(head) === 'no body' ? SKIP_BODY : READ_BODY;
    };
    this.#parser.onBody = (chunk, offset, length) => this.#body.add(chunk.subarray(offset, offset + length));
    this.#parser.onMessageComplete = () => onEnd(this.#body.body);
  }

  /** Reads on; false where the bytes are no HTTP, from then on. */
  read(bytes: Buffer): boolean {
    if (this.#readable && this.#parser.execute(bytes) instanceof Error) this.#readable = false;
    return this.#readable;
  }

  /** Reads nothing from now on, because the other side has accepted an upgrade to another protocol. */
  stop(): void {
    this.#readable = false;
  }

  /** The connection has ended, which ends a body without an announced length. */
  end(): void {
    if (this.#readable) this.#parser.finish();
    this.#readable = false;
  }

  /**
   * Hides the field Upgrade of requests from the parser, which would read nothing after it. A client only offers an
   * upgrade, as the HTTP client of Java and `curl --http2` do in each request; the server decides ("A server MAY ignore a
   * received Upgrade header field", RFC 9110 §7.8), and shows it by 101.
   */
  #readOffersOfUpgradeOn(): void {
    const parser = this.#parser;
    const parse = parser.parseHeader.bind(parser);
    parser.parseHeader = (line, headers) => {
      parse(line, this.#headerLines);
      if (!/^upgrade:/i.test(line)) parse(line, headers);
    };
  }
}
