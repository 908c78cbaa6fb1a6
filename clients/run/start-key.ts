import { randomBytes } from 'node:crypto';

/** Bytes of a key: it cannot be guessed, and no text contains it by chance. */
const KEY_BYTES = 24;

/** A fresh key for one start of a client. */
export const freshKey = (): string => `pk-${randomBytes(KEY_BYTES).toString('base64url')}`;

/** A text that marks the processes of one run, or of one start in it. It is no secret. */
export const freshMark = (): string => `petstore-conformance-${randomBytes(9).toString('base64url')}`;
