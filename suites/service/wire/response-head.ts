import { quotedInFull } from '../../../kernel/basics/text.ts';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';

/** Where the body of a response ends (RFC 9112 §6.3). */
export type BodyLength =
  | { readonly kind: 'none' | 'chunked' | 'until close' }
  | { readonly kind: 'bytes'; readonly bytes: number };

/** The head of a final response as lenient clients read it. */
export interface ResponseHead {
  readonly status: number;
  /** Names without white space around them, folded values in one line. */
  readonly headers: readonly HeaderLine[];
  readonly length: BodyLength;
  /** Whether the connection ends with this response. */
  readonly closes: boolean;
  /** What strict clients reject: clauses, each with its section of an RFC. */
  readonly irregular: readonly string[];
}

/** A status line as the most lenient client reads it: curl takes any case and any version. */
const STATUS_LINE = /^HTTP\/(\d(?:\.\d)?)( +)(\d{3})(?: .*)?$/is;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not stand in a value (RFC 9110 §5.5).
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/**
 * Reads the head of a response as lenient clients in wide use do (curl, Python's requests, Java), and names what strict
 * ones reject (Go's net/http, and with it k6; Node). Undefined where no client finds a status line.
 * @param text up to the LF of the empty line, every byte a character.
 */
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
  const connection = valuesOf(headers, 'connection').join(',').toLowerCase();
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

const valuesOf = (headers: readonly HeaderLine[], name: string): readonly string[] =>
  headers.flatMap(([key, value]) => (key.toLowerCase() === name ? [value.trim()] : []));

function bodyLength(headers: readonly HeaderLine[], irregular: Set<string>, isOld: boolean): BodyLength {
  const codings = valuesOf(headers, 'transfer-encoding');
  const lengths = valuesOf(headers, 'content-length');
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
