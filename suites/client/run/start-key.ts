import { randomBytes } from 'node:crypto';

/** Bytes of a key: it cannot be guessed, and no text contains it by chance. */
const KEY_BYTES = 24;

/** A fresh key for one start of a client. */
export const freshKey = (): string => `pk-${randomBytes(KEY_BYTES).toString('base64url')}`;

/** Bytes that no other program uses by chance. It need not be secret: another program does not look for it. */
const PREFIX_BYTES = 8;

/** What the path of the base address of one start begins with. */
export const freshPrefix = (): string => `/s-${randomBytes(PREFIX_BYTES).toString('hex')}`;

/** A text that marks the processes of one run, or of one start in it. It is no secret. */
export const freshMark = (): string => `petstore-conformance-${randomBytes(9).toString('base64url')}`;
