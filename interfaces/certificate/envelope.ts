import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { crypto, dsse } from '@sigstore/core';
import { orNone, UserError } from '../../kernel/basics/errors.ts';
import { unambiguousJson } from '../../kernel/basics/json.ts';
import { exactly, listOf, object, text } from '../../kernel/basics/shape.ts';
import type { Statement } from './statement.ts';
import { sha256, statementShape } from './statement.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A DSSE envelope: a payload, and the signatures over it (https://github.com/secure-systems-lab/dsse). */
export interface Envelope {
  readonly payloadType: string;
  /** In base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

export const envelopeOf = (statement: string): Envelope => ({
  payloadType: PAYLOAD_TYPE,
  payload: Buffer.from(statement).toString('base64'),
  signatures: [],
});

/** The envelope with one signature more; a signature by the same key is replaced. */
export function signed(envelope: Envelope, key: KeyObject): Envelope {
  const keyid = keyIdOf(createPublicKey(key));
  const others = envelope.signatures.filter((one) => one.keyid !== keyid);
  const sig = sign(null, signedBytes(envelope), key).toString('base64');
  return { ...envelope, signatures: [...others, { keyid, sig }] };
}

/** Whether this key signed the envelope as it is. The key id is a hint alone, so every signature is tried. */
export const isSignedBy = (envelope: Envelope, key: KeyObject): boolean =>
  envelope.signatures.some(({ sig }) =>
    crypto.verify(signedBytes(envelope), key, Buffer.from(sig, 'base64')),
  );

export const payloadText = ({ payload }: Envelope): string => Buffer.from(payload, 'base64').toString('utf8');

/** The SHA-256 of a public key in its DER form (SubjectPublicKeyInfo), as hexadecimal digits. */
export const keyIdOf = (key: KeyObject): string => sha256(key.export({ type: 'spki', format: 'der' }));

const signedBytes = ({ payloadType, payload }: Envelope): Buffer =>
  dsse.preAuthEncoding(payloadType, Buffer.from(payload, 'base64'));

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
  const key = orNone(read);
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new UserError(
    `${where} does not hold ${what} of the kind Ed25519 in PEM form: make a pair with "openssl genpkey -algorithm ed25519 -out PRIVATE.pem" and "openssl pkey -in PRIVATE.pem -pubout -out PUBLIC.pem".`,
  );
}

/** More people than this sign no run. */
const MOST_SIGNATURES = 100;

/** An envelope of an in-toto statement. Each of its signatures is tried with each key. */
const storedEnvelope = object({
  payloadType: exactly(PAYLOAD_TYPE),
  payload: text,
  signatures: listOf(object({ keyid: text, sig: text }), 0, MOST_SIGNATURES),
});

/** The envelope in this text; undefined where it holds none of an in-toto statement. */
export function readEnvelope(source: string): Envelope | undefined {
  const value = unambiguousJson(source);
  if (!storedEnvelope.is(value)) return undefined;
  const { payloadType, payload, signatures } = value;
  return { payloadType, payload, signatures };
}

/** The statement in an envelope; undefined where it is none about a test result. */
export function statementIn(envelope: Envelope): Statement | undefined {
  const value = unambiguousJson(payloadText(envelope));
  return statementShape.is(value) ? value : undefined;
}
