import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { UserError } from '../../kernel/basics/user-error.ts';

/**
 * The private key in this PEM text.
 * @param where the file or the variable that it came from.
 * @throws {UserError} when it is no Ed25519 private key; the message never repeats the text.
 */
export function privateKey(pem: string, where: string): KeyObject {
  return ed25519(where, 'a private key', () => createPrivateKey(pem));
}

/**
 * The public key in this PEM text.
 * @param where the file or the variable that it came from.
 * @throws {UserError} when it is no Ed25519 public key, or when it is a private one, which has to stay private.
 */
export function publicKey(pem: string, where: string): KeyObject {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw new UserError(
      `${where} holds a private key: verify with the public one (openssl pkey -in PRIVATE.pem -pubout -out PUBLIC.pem).`,
    );
  }
  return ed25519(where, 'a public key', () => createPublicKey(pem));
}

function ed25519(where: string, what: string, read: () => KeyObject): KeyObject {
  const key = readable(read);
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new UserError(
    `${where} does not hold ${what} of the kind Ed25519 in PEM form: make a pair with "openssl genpkey -algorithm ed25519 -out PRIVATE.pem" and "openssl pkey -in PRIVATE.pem -pubout -out PUBLIC.pem".`,
  );
}

function readable(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
