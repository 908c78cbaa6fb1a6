import type { KeyObject } from 'node:crypto';
import { createPublicKey, sign } from 'node:crypto';
import { crypto, dsse } from '@sigstore/core';
import { sha256 } from './statement.ts';

/** The media type of an in-toto statement in an envelope. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A DSSE envelope: a payload, and the signatures over it (https://github.com/secure-systems-lab/dsse). */
export interface Envelope {
  readonly payloadType: string;
  /** In base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** An envelope around this text, without a signature. */
export const envelopeOf = (text: string): Envelope => ({
  payloadType: PAYLOAD_TYPE,
  payload: Buffer.from(text).toString('base64'),
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
