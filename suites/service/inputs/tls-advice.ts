import { X509Certificate } from 'node:crypto';
import { UserError } from '../../../kernel/basics/errors.ts';
import { readUserFile } from '../../../kernel/basics/user-files.ts';

interface AuthorityInput {
  /** Whether the user named one. */
  readonly given: boolean;
  /** What the user calls the input, such as `--ca`. */
  readonly input: string;
}

/** What Node 20 with OpenSSL, and k6 2.2 with Go, say of a TLS connection that fails, and what to do about it. */
const CAUSES: readonly (readonly [
  words: RegExp,
  advice: string | ((authority: AuthorityInput) => string),
])[] = [
  [/certificate has expired|not yet valid/i, "Renew its certificate, or correct this machine's clock."],
  [
    /does not match certificate's altnames|doesn't match hostname/i,
    'Use a host name that its certificate contains.',
  ],
  [
    /protocol version|unsupported protocol|selected unsupported|no protocols available|no supported versions/i,
    'It accepts only versions of TLS that are no longer secure: enable TLS 1.2 or 1.3 there (RFC 8996 forbids older ones).',
  ],
  [/certificate required/i, 'It asks for a certificate of the client: name one with its private key.'],
  [
    /handshake failure|no shared cipher/i,
    'It accepts none of the offered cipher suites: enable those that are usual with TLS 1.2 or 1.3 there.',
  ],
  [
    /(?:key|md|modulus) too (?:small|weak)/i,
    'Its certificate has a key or a signature that is too weak: renew it with a key of at least 2048 bits (RSA) and SHA-256.',
  ],
  [
    /self-signed certificate$/i,
    ({ input }) => `It signs its certificate itself: name that PEM file with ${input}.`,
  ],
  [
    /unable to verify the first certificate|unknown authority/i,
    (authority) =>
      `If a public authority signed it, have the server send the intermediate certificates as well (the full chain). ${unknownAuthority(authority)}`,
  ],
  [/self-signed certificate in certificate chain|unable to get (?:local )?issuer/i, unknownAuthority],
];

function unknownAuthority({ given, input }: AuthorityInput): string {
  return given
    ? `Check that the file that ${input} names holds the authority that signed its certificate.`
    : `If a private authority signed its certificate, name the authority's PEM file with ${input}.`;
}

/** What to do about a TLS connection that failed, by the words of the error; undefined where they are unknown. */
export function tlsAdvice(detail: string, authority: AuthorityInput): string | undefined {
  const advice = CAUSES.find(([words]) => words.test(detail))?.[1];
  return typeof advice === 'function' ? advice(authority) : advice;
}

/** Reads the certificate authorities in a PEM file. @throws {UserError} when it cannot be read or holds none. */
export function readCertificateAuthority(path: string): string {
  const pem = readUserFile(path, 'The CA file');
  try {
    new X509Certificate(pem);
  } catch {
    throw new UserError(
      `The CA file ${path} holds no certificate in PEM format: name a file whose text begins with -----BEGIN CERTIFICATE-----.`,
    );
  }
  return pem;
}
