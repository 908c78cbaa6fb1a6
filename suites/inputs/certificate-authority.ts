import { X509Certificate } from 'node:crypto';
import { UserError } from '../../words/user-error.ts';
import { readUserFile } from '../../words/user-file.ts';

/**
 * Reads the certificate authorities in a PEM file.
 * @throws {UserError} when the file cannot be read or holds no certificate.
 */
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

/**
 * What to do about a certificate of an unknown authority.
 * @param given whether the user named an authority.
 * @param input what the user calls that input, such as `--ca`.
 */
export const unknownAuthorityAdvice = (given: boolean, input: string): string =>
  given
    ? `Check that the file that ${input} names holds the authority that signed its certificate.`
    : `If a private authority signed its certificate, name the authority's PEM file with ${input}.`;
