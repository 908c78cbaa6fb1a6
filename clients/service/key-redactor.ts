import type { Redact } from '../../recording/redaction/redact.ts';
import { redactor } from '../../recording/redaction/redact.ts';
import type { Secret } from '../../recording/redaction/secret.ts';
import { KEY } from '../model/sender.ts';

/**
 * Makes the function that replaces a client's key by its name, in whatever form the client sends it: `[key]` where it
 * is exactly the key, `[key, escaped]` where it is percent-encoded or in JSON escapes, and `[key in base64]`. A judge
 * can so tell the key from what is merely meant to be the key.
 */
export function keyRedactor(key: string): Redact {
  const escaped = redactor([
    ...base64Forms(key).map((value): Secret => ({ value, name: 'key in base64' })),
    { value: key.toUpperCase(), name: 'key in another case' },
    { value: key.toLowerCase(), name: 'key in another case' },
    { value: key, name: 'key, escaped' },
  ]);
  return (text) => text.split(key).map(escaped).join(KEY);
}

const BITS_OF_BYTE = 8;
const BITS_OF_DIGIT = 6;

/**
 * The digits of base64 that depend on the key alone, for each of the three places at which it may begin in a group of
 * three bytes (RFC 4648 §4): so the key is found in the credentials of Basic, whatever user name stands before it.
 */
function base64Forms(key: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const digits = Buffer.from(`${' '.repeat(before)}${key}`).toString('base64');
    const first = Math.ceil((before * BITS_OF_BYTE) / BITS_OF_DIGIT);
    const end = Math.floor(((before + Buffer.byteLength(key)) * BITS_OF_BYTE) / BITS_OF_DIGIT);
    return digits.slice(first, end);
  });
}
