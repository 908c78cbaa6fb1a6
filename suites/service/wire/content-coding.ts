import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { contentCodings } from '../../../kernel/exchanges/content-coding.ts';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { JOURNAL_BODY_BYTES } from './body-recorder.ts';

type Decode = (bytes: Uint8Array) => Buffer;

/** The most codings of one body that are undone, as in curl and in Python's urllib3: each may take as long as the largest body. */
const MOST_CODINGS = 5;

const bounds = { maxOutputLength: JOURNAL_BODY_BYTES };

/** How a coding is undone (RFC 9110 §8.4.1). Clients read deflate with the zlib wrapper, which the RFC requires, and without it. */
const decoders: Readonly<Record<string, Decode>> = {
  gzip: (bytes) => gunzipSync(bytes, bounds),
  'x-gzip': (bytes) => gunzipSync(bytes, bounds),
  deflate: (bytes) => firstOf(bytes, [inflateSync, inflateRawSync]),
  br: (bytes) => brotliDecompressSync(bytes, bounds),
};

/**
 * A body without its content codings, as clients decode it: so a key in it is found, and the body can be judged.
 * Undefined where it has none, where it has too many, where one of them is not known here, and where the bytes are not what the header says.
 */
export function withoutCoding(
  headers: readonly HeaderLine[],
  body: Uint8Array,
): { readonly body: Uint8Array; readonly codings: string } | undefined {
  const codings = contentCodings(headers);
  if (codings.length === 0 || codings.length > MOST_CODINGS || body.length === 0) return undefined;
  try {
    const decoded = codings.reduceRight((bytes: Uint8Array, coding) => decoderOf(coding)(bytes), body);
    return { body: decoded, codings: codings.join(', ') };
  } catch {
    return undefined;
  }
}

function decoderOf(coding: string): Decode {
  const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
  if (decode === undefined) throw new RangeError(`no decoder for ${coding}`);
  return decode;
}

function firstOf(
  bytes: Uint8Array,
  [first, second]: readonly [typeof inflateSync, typeof inflateRawSync],
): Buffer {
  try {
    return first(bytes, bounds);
  } catch {
    return second(bytes, bounds);
  }
}
