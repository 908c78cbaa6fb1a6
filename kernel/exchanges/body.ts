import type { Answer, Body, CompleteBody, Exchange, HeaderLine } from './exchange.ts';
import { answerOf, headerValues } from './headers.ts';

/** Undefined unless the body is complete and UTF-8, which nothing compressed is: nothing is judged by a part of a body. */
export function completeText(exchange: Pick<Exchange, 'outcome'>): string | undefined {
  const body = answerOf(exchange)?.body;
  return body?.cut === false && body.encoding === 'utf8' ? body.text : undefined;
}

/** A text that was sent from its first byte to its last. */
export const completeBody = (text: string): CompleteBody => ({
  text,
  encoding: 'utf8',
  bytes: new TextEncoder().encode(text).length,
  cut: false,
});

/** What is recorded, in base64, of bytes that are no text: one that is not UTF-8 either. */
export const LEFT_OUT_BODY = '/w==';

/** Whether nothing of a body was recorded but that it is not UTF-8. */
export const isLeftOut = (body: Body): boolean =>
  body.encoding === 'base64' && body.bytes > 1 && [LEFT_OUT_BODY, ''].includes(bodyTextForPeople(body));

/** What was kept of a body, for a person to look at; never to be judged. */
export const bodyTextForPeople = (body: Body): string => (body.cut ? body.excerpt : body.text);

/** Bytes of memory that one value takes in parsed JSON, and what an item of a list takes beside that while it is judged; both measured. */
const VALUE_BYTES = 64;
const ITEM_BYTES = 320;

/** Bytes of memory that a text takes, with its values parsed as JSON and its items judged. Strings mean nothing here. */
export function judgedBytesOf(text: string): number {
  let [values, items, depth] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) at = endOfString(text, at);
    else if (c === COMMA) {
      values += 1;
      if (depth === 1) items += 1;
    } else if (c === BRACKET || c === BRACE) {
      values += 1;
      depth += 1;
    } else if (c === BRACKET_END || c === BRACE_END) depth -= 1;
  }
  return text.length + values * VALUE_BYTES + items * ITEM_BYTES;
}

const [QUOTE, COMMA, BRACKET, BRACE, BRACKET_END, BRACE_END] = [0x22, 0x2c, 0x5b, 0x7b, 0x5d, 0x7d];

export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, place: number): boolean {
  let before = place;
  while (text.charAt(before - 1) === '\\') before -= 1;
  return (place - before) % 2 === 1;
}

/** The codings that clients decode by the header alone: the registered ones (RFC 9110 §8.4.1), with RFC 7932 and RFC 8878. */
const REGISTERED: ReadonlySet<string> = new Set([
  'gzip',
  'x-gzip',
  'deflate',
  'br',
  'zstd',
  'compress',
  'x-compress',
]);

/** What Content-Encoding states besides `identity`, in lower case and in the order in which it was applied. */
export const contentCodings = (headers: readonly HeaderLine[]): readonly string[] =>
  headerValues(headers, 'Content-Encoding')
    .flatMap((line) => line.toLowerCase().split(','))
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity');

/** What is wrong with the coding of a body: every request accepts identity alone, and RFC 9110 §12.5.3 permits another. */
type CodingProblem =
  /** The body has the coding; `decoded` where it was kept without it. */
  | { readonly kind: 'coded'; readonly decoded: boolean }
  /** The header names a coding that clients decode, and the body does not have it: no client that decodes reads it. */
  | { readonly kind: 'false' }
  /** The header names something that is no coding. Clients read the body as it is. */
  | { readonly kind: 'no coding' };

/** Undefined where the body has no coding, and says so or says nothing. */
export function codingProblem({ headers, body, decoded }: Answer): CodingProblem | undefined {
  const codings = contentCodings(headers);
  if (codings.length === 0 || body.bytes === 0) return undefined;
  if (decoded !== undefined) return { kind: 'coded', decoded: true };
  if (!codings.every((one) => REGISTERED.has(one))) return { kind: 'no coding' };
  // Nothing that is compressed is UTF-8. What is neither was kept before codings were undone, or is damaged.
  return !body.cut && body.encoding === 'utf8' ? { kind: 'false' } : { kind: 'coded', decoded: false };
}
