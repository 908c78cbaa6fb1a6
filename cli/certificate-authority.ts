import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileTrouble } from '../words/file-trouble.ts';
import { UserError } from '../words/user-error.ts';

/**
 * The certificate authorities of a PEM file.
 * @throws {UserError} when it cannot be read or holds no certificate.
 */
export function readCa(path: string): string {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(`The CA file ${path} cannot be read: ${fileTrouble(error)}.`);
  }
  try {
    new X509Certificate(pem);
  } catch {
    throw new UserError(
      `The CA file ${path} holds no certificate in PEM form: its text begins with -----BEGIN CERTIFICATE-----.`,
    );
  }
  return pem;
}

/** What to do about a certificate that nobody known has signed. @param given whether there was a `--ca`. */
export const unknownAuthority = (given: boolean): string =>
  given
    ? 'Check that the file of --ca holds the authority that signed its certificate.'
    : "If its certificate comes from an authority of your own, name that authority's PEM file with --ca FILE.";
