import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentText } from './document-text.ts';

const TEXT = 'openapi: 3.0.3 # é';
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

for (const [what, bytes] of [
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
  ['UTF-16 without one', Buffer.from(TEXT, 'utf16le')],
  ['big-endian UTF-16', bigEndian(`\uFEFF${TEXT}`)],
  ['big-endian UTF-16 without a byte order mark', bigEndian(TEXT)],
] as const) {
  test(`a document in ${what}`, () => assert.equal(documentText(bytes), TEXT));
}

test('no bytes are no text', () => assert.equal(documentText(new Uint8Array()), ''));
