import { createPrivateKey, X509Certificate } from 'node:crypto';
import { UserError } from '../../../kernel/basics/user-error.ts';
import { readUserFile } from '../../../kernel/basics/user-file.ts';
import type { ClientCertificate } from '../../../suites/service/wire/http-wire.ts';
import type { Names } from '../names.ts';
import type { OptionValues } from '../table.ts';

/**
 * Reads a client certificate and its private key; undefined where neither file is named.
 * @param names what the user calls the two.
 * @throws {UserError} when only one is named, a file cannot be read, or they do not belong together. No message repeats the key.
 */
export function readClientCertificate(
  { cert, certKey }: Pick<OptionValues, 'cert' | 'certKey'>,
  names: Names,
): ClientCertificate | undefined {
  if (cert === undefined && certKey === undefined) return undefined;
  if (cert === undefined)
    throw new UserError(`The private key ${certKey} needs its certificate: name it with ${names.cert}.`);
  if (certKey === undefined)
    throw new UserError(
      `The client certificate ${cert} needs its private key: name the file with ${names.certKey}.`,
    );
  const pair = {
    cert: readUserFile(cert, 'The client certificate'),
    key: readUserFile(certKey, 'The private key'),
  };
  const certificate = parsed(() => new X509Certificate(pair.cert));
  if (certificate === undefined)
    throw new UserError(
      `The client certificate ${cert} is not in PEM format, which begins with -----BEGIN CERTIFICATE-----.`,
    );
  const key = parsed(() => createPrivateKey(pair.key));
  if (key === undefined)
    throw new UserError(
      `The private key ${certKey} is not in PEM format, or a passphrase protects it; name one without a passphrase.`,
    );
  if (!certificate.checkPrivateKey(key))
    throw new UserError(`The private key ${certKey} does not belong to the client certificate ${cert}.`);
  return pair;
}

function parsed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
