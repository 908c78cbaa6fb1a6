import { UnreadableBody } from './unreadable-body.ts';

/** The longest size line or trailer, in bytes. */
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
