import type { Socket } from 'node:net';
import { countOf, quotedInFull } from '../../../kernel/basics/text.ts';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { BeyondBound, ChunkedBody, UnreadableBody } from './body-recorder.ts';
import { UNREADABLE_HEAD } from './wire.ts';

/** Where the body of a response ends (RFC 9112 §6.3). */
export type BodyLength =
  | { readonly kind: 'none' | 'chunked' | 'until close' }
  | { readonly kind: 'bytes'; readonly bytes: number };

/** The head of a final response as lenient clients read it. */
interface ResponseHead {
  readonly status: number;
  /** Names without white space around them, folded values in one line. */
  readonly headers: readonly HeaderLine[];
  readonly length: BodyLength;
  readonly closes: boolean;
  /** What strict clients reject: clauses, each with its section of an RFC. */
  readonly irregular: readonly string[];
}

/** A status line as the most lenient client reads it: curl takes any case and any version. */
const STATUS_LINE = /^HTTP\/(\d(?:\.\d)?)( +)(\d{3})(?: .*)?$/is;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not stand in a value (RFC 9110 §5.5).
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** As lenient clients do; names what a stricter one rejects. @param text up to the LF of the empty line, every byte a character. */
export function readHead(text: string, method: string): ResponseHead | undefined {
  const irregular = new Set<string>();
  const lines = text.replace(/^[\r\n]+/, '').split('\n');
  if (/^[\r\n]/.test(text)) irregular.add('an empty line before the status line (RFC 9112 §2.1)');
  if (lines.some((line) => !line.endsWith('\r')))
    irregular.add('a line of the head that ends with LF without CR (RFC 9112 §2.2)');
  const [first = '', ...rest] = lines.map((line) => line.replace(/\r$/, ''));
  const [, version = '', space = '', status = ''] = STATUS_LINE.exec(first) ?? [];
  if (status === '') return undefined;
  if (!/^HTTP\/1\.[01]/.test(first))
    irregular.add(
      `a status line that begins with ${quotedInFull(first.split(' ', 1).join())} (RFC 9112 §2.3)`,
    );
  if (space.length > 1) irregular.add('several spaces before the status (RFC 9112 §4)');
  const headers = readLines(rest, irregular);
  const length = bodyLength(headers, irregular, version === '1.0');
  const code = Number(status);
  const bodiless = method === 'HEAD' || code === 204 || code === 304;
  const connection = linesOf(headers, 'connection').join(',').toLowerCase();
  return {
    status: code,
    headers: headers.map(([name, value]) => [name.trim(), value]),
    length: bodiless ? { kind: 'none' } : length,
    closes: connection.includes('close') || (version === '1.0' && !connection.includes('keep-alive')),
    irregular: [...irregular],
  };
}

/** The header lines; a name keeps white space behind it, because no client takes such a line for a length. */
function readLines(lines: readonly string[], irregular: Set<string>): readonly HeaderLine[] {
  const read: [name: string, value: string][] = [];
  for (const line of lines.slice(0, -1)) {
    const last = read.at(-1);
    const colon = line.indexOf(':');
    if (line.includes('\r')) irregular.add('a CR within a line of the head (RFC 9112 §2.2)');
    if (/^[ \t]/.test(line)) {
      if (last !== undefined) last[1] = `${last[1]} ${line.trim()}`.trim();
      irregular.add(
        last === undefined
          ? 'white space between the status line and the first header (RFC 9112 §2.2)'
          : `the header ${quotedInFull(last[0])} folded over several lines (RFC 9112 §5.2)`,
      );
    } else if (colon === -1) {
      irregular.add(`the line ${quotedInFull(line)} without a colon (RFC 9112 §5)`);
    } else {
      const name = line.slice(0, colon);
      if (/[ \t]$/.test(name))
        irregular.add(`white space before the colon of ${quotedInFull(name)} (RFC 9112 §5.1)`);
      else if (!TOKEN.test(name)) irregular.add(`the header name ${quotedInFull(name)} (RFC 9110 §5.1)`);
      read.push([
        name,
        line
          .slice(colon + 1)
          .replace(/\r/g, ' ')
          .replace(/^[ \t]+/, ''),
      ]);
    }
  }
  for (const [name, value] of read)
    if (CONTROL.test(value))
      irregular.add(`a control character in the value of ${quotedInFull(name)} (RFC 9110 §5.5)`);
  return read;
}

/** The lines of a header as they were sent: `chunked, chunked` in one line is not what two lines are. */
const linesOf = (headers: readonly HeaderLine[], name: string): readonly string[] =>
  headers.flatMap(([key, value]) => (key.toLowerCase() === name ? [value.trim()] : []));

function bodyLength(headers: readonly HeaderLine[], irregular: Set<string>, isOld: boolean): BodyLength {
  const codings = linesOf(headers, 'transfer-encoding');
  const lengths = linesOf(headers, 'content-length');
  if (codings.length === 0) return announcedLength(lengths, irregular);
  const list = codings
    .join(',')
    .split(',')
    .map((one) => one.trim().toLowerCase());
  if (codings.length > 1 || list.length > 1 || list[0] !== 'chunked')
    irregular.add(
      `Transfer-Encoding ${codings.map(quotedInFull).join(' and ')} in place of one "chunked" (RFC 9112 §6.1)`,
    );
  if (isOld) irregular.add('Transfer-Encoding in a response of HTTP/1.0 (RFC 9112 §6.1)');
  if (list.at(-1) !== 'chunked') return announcedLength(lengths, irregular);
  if (lengths.length > 0) irregular.add('Content-Length beside Transfer-Encoding (RFC 9112 §6.2)');
  return { kind: 'chunked' };
}

/** The first of several lengths counts, as in Java and Python. A length that is no number is none, as in Python. */
function announcedLength(lines: readonly string[], irregular: Set<string>): BodyLength {
  const [first = '', ...others] = lines
    .join(',')
    .split(',')
    .map((one) => one.trim());
  if (lines.length === 0) return { kind: 'until close' };
  const isPlain = /^[0-9]{1,15}$/.test(first);
  if (others.length > 0)
    irregular.add(
      others.every((one) => one === first)
        ? `Content-Length ${first}, stated ${others.length + 1} times (RFC 9110 §8.6)`
        : `different values of Content-Length, ${lines.map(quotedInFull).join(' and ')} (RFC 9112 §6.3)`,
    );
  else if (!isPlain) irregular.add(`Content-Length ${quotedInFull(first)} (RFC 9110 §8.6)`);
  return /^\+?[0-9]{1,15}$/.test(first) ? { kind: 'bytes', bytes: Number(first) } : { kind: 'until close' };
}

/** At most this many 100 responses are dropped before a response. At the next one undici closes the connection. */
const MOST_CONTINUES = 16;

const HEAD_BYTES = 64 * 1024;

/** The most bytes of a response that are no content: interim responses, the head, and what stands around its chunks. */
const MOST_OVERHEAD = 1024 * 1024;

/** undici 7.30 rejects what curl, Python or Java read. What strict clients reject is kept in `irregular`. */
export class ResponseReader {
  readonly #socket: Socket;
  #method: string;
  /** What the next bytes are of: a head, a body of this kind, or nothing, because the response has ended. */
  #reads: 'head' | BodyLength['kind'] = 'head';
  /** How much is left of a body with a length. */
  #left = 0;
  #chunks = new ChunkedBody();
  #continues = 0;
  #overhead = 0;
  #held: Buffer = Buffer.alloc(0);
  #head: ResponseHead | undefined;
  #irregular = new Set<string>();

  /** Reads what this socket's `read` returns from now on, first the response to a request with this method. */
  constructor(socket: Socket, method: string) {
    this.#socket = socket;
    this.#method = method;
    const read = socket.read.bind(socket);
    socket.read = (size?: number): Buffer | null => {
      const bytes = read(size);
      return bytes === null ? null : this.#pass(bytes);
    };
  }

  /** The header lines of the latest final response, as the target wrote them; undefined before it arrived. */
  get headers(): readonly HeaderLine[] | undefined {
    return this.#head?.headers;
  }

  get length(): BodyLength | undefined {
    return this.#head?.length;
  }

  /** How many bytes of the latest response were no content. */
  get overhead(): number {
    return this.#overhead;
  }

  get irregular(): readonly string[] {
    return [...this.#irregular];
  }

  /** A request with this method is about to be sent, so the next bytes begin a response. */
  expectResponse(method: string): void {
    this.#method = method;
    this.#reads = 'head';
    this.#continues = 0;
    this.#overhead = 0;
    this.#held = Buffer.alloc(0);
    this.#head = undefined;
    this.#irregular = new Set();
  }

  /** The bytes for undici; null where there are none yet. */
  #pass(bytes: Buffer): Buffer | null {
    const passed: Buffer[] = [];
    this.#overhead += bytes.length;
    let rest = bytes;
    while (rest.length > 0) rest = this.#readOn(rest, passed);
    if (this.#overhead > MOST_OVERHEAD)
      this.#giveUp(
        new BeyondBound(`more than ${countOf(MOST_OVERHEAD, 'byte')} of a response that are no content`),
      );
    const [first = null] = passed;
    return passed.length > 1 ? Buffer.concat(passed) : first;
  }

  /** Reads on as far as these bytes are of one part. @returns those that remain. */
  #readOn(bytes: Buffer, passed: Buffer[]): Buffer {
    switch (this.#reads) {
      case 'head':
        return this.#readHead(Buffer.concat([this.#held, bytes]), passed);
      case 'bytes': {
        const part = bytes.subarray(0, this.#left);
        this.#passContent(part, passed);
        this.#left -= part.length;
        if (this.#left === 0) this.#reads = 'none';
        return bytes.subarray(part.length);
      }
      case 'chunked':
        return this.#readChunks(bytes, passed);
      case 'until close':
        this.#passContent(bytes, passed);
        return NOTHING;
      case 'none':
        this.#dropExcess(bytes);
        return NOTHING;
    }
  }

  #readHead(bytes: Buffer, passed: Buffer[]): Buffer {
    const text = bytes.toString('latin1', 0, HEAD_BYTES);
    const end = endOfHead(text);
    this.#held = end === -1 ? bytes : NOTHING;
    if (end === -1 && bytes.length <= HEAD_BYTES && mayBecomeHead(text)) return NOTHING;
    const head = end === -1 ? undefined : readHead(text.slice(0, end), this.#method);
    if (head === undefined) {
      if (end !== -1 && mayBecomeHead(text))
        return this.#giveUp(unreadableHead(text.trimStart().split('\r', 1).join()));
      // What no client reads passes unchanged, to its end.
      this.#held = NOTHING;
      this.#reads = 'until close';
      return bytes;
    }
    if (head.status === 101) return this.#giveUp(new Error(SWITCHED));
    const rest = bytes.subarray(end + 1);
    if (head.status < 200) {
      if (head.status === 100 && this.#continues < MOST_CONTINUES) this.#continues += 1;
      else passed.push(Buffer.from(`HTTP/1.1 ${head.status} \r\n\r\n`));
      return rest;
    }
    this.#head = head;
    this.#irregular = new Set(head.irregular);
    this.#left = head.length.kind === 'bytes' ? head.length.bytes : 0;
    this.#chunks = new ChunkedBody();
    this.#reads = head.length.kind === 'bytes' && this.#left === 0 ? 'none' : head.length.kind;
    passed.push(strictHead(head));
    return rest;
  }

  #readChunks(bytes: Buffer, passed: Buffer[]): Buffer {
    try {
      const { content, used } = this.#chunks.read(bytes);
      if (content.length > 0) {
        passed.push(Buffer.from(`${content.length.toString(16)}\r\n`));
        this.#passContent(content, passed);
        passed.push(CRLF);
      }
      for (const one of this.#chunks.irregular) this.#irregular.add(one);
      if (this.#chunks.ended) {
        passed.push(LAST_CHUNK);
        this.#reads = 'none';
      }
      return bytes.subarray(used);
    } catch (error) {
      if (!(error instanceof UnreadableBody)) throw error;
      return this.#giveUp(error);
    }
  }

  /** Ends the connection, once undici has read what was passed to it. */
  #giveUp(error: Error): Buffer {
    this.#reads = 'none';
    setImmediate(() => this.#socket.destroy(error));
    return NOTHING;
  }

  #passContent(content: Buffer, passed: Buffer[]): void {
    this.#overhead -= content.length;
    passed.push(content);
  }

  /** Bytes after a response belong to no request. Empty lines and a second response disturb no client that closes the connection. */
  #dropExcess(bytes: Buffer): void {
    const text = bytes.toString('latin1', 0, HEAD_BYTES);
    if (/^[\r\n]*$/.test(text)) return;
    if (!text.startsWith('HTTP/')) this.#irregular.add('bytes after the end of the response (RFC 9112 §6.3)');
    setImmediate(() => this.#socket.destroy());
  }
}

const SWITCHED = '101 (Switching Protocols), for which the request did not ask (RFC 9110 §15.2.2)';
const NOTHING = Buffer.alloc(0);
const CRLF = Buffer.from('\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

const unreadableHead = (line: string): Error =>
  Object.assign(new Error(`the status line ${quotedInFull(line)}, which no client reads (RFC 9112 §4)`), {
    code: UNREADABLE_HEAD,
  });

/** Where the LF of the empty line stands that ends a head; -1 where the head goes on. */
function endOfHead(text: string): number {
  const begins = text.search(/[^\r\n]/);
  const at = begins === -1 ? -1 : text.slice(begins).search(/\n\r?\n/);
  return at === -1 ? -1 : text.indexOf('\n', begins + at + 1);
}

/** Whether these bytes begin like a response, as far as they go. */
const mayBecomeHead = (text: string): boolean => /^[\r\n]*(?:$|H$|HT$|HTT$|HTTP$|HTTP\/)/i.test(text);

/** The head that undici gets: what decides where the response and its connection end. */
function strictHead({ status, headers, length, closes, irregular }: ResponseHead): Buffer {
  const lines = [`HTTP/1.1 ${status} `];
  if (length.kind === 'chunked') lines.push('Transfer-Encoding: chunked');
  if (length.kind === 'bytes') lines.push(`Content-Length: ${length.bytes}`);
  for (const [name, value] of headers)
    if (/^keep-alive$/i.test(name) && /^[\w=, ]*$/.test(value)) lines.push(`Keep-Alive: ${value}`);
  if (closes || irregular.length > 0 || length.kind === 'until close') lines.push('Connection: close');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}
