import { X509Certificate } from 'node:crypto';
import { UserError } from '../../../kernel/basics/user-error.ts';
import { readUserFile } from '../../../kernel/basics/user-file.ts';

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
