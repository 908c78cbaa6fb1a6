import type { Answer, HeaderLine } from './exchange.ts';
import { headerValues } from './headers.ts';

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

/**
 * What is wrong with the coding of a body, where every request accepts identity alone. RFC 9110 §12.5.3 permits a server
 * to send a coding all the same.
 */
export type CodingProblem =
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
