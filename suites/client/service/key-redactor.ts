import { encodedForms } from '../../../kernel/recording/redaction/encodings.ts';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import { redactor } from '../../../kernel/recording/redaction/redact.ts';

/**
 * Makes the function that replaces a client's key by its name, in whatever form the client sends it: `[key]` where it
 * is exactly the key, `[key, escaped]` where it is percent-encoded or in JSON escapes, and `[key in base64]`. A judge
 * can so tell the key from what is merely meant to be the key.
 */
export function keyRedactor(key: string): Redact {
  const own = { value: key, name: 'key', escapedName: 'key, escaped' };
  return redactor([own, ...encodedForms(own)].sort((a, b) => b.value.length - a.value.length));
}
