import { resolve } from 'node:path';
import { UserError } from '../../words/user-error.ts';

/** Systems whose own store of certificates is the only one that Go, and so k6, looks into. */
const OWN_STORE: Readonly<Partial<Record<string, string>>> = {
  darwin: 'the keychain of macOS (security add-trusted-cert)',
  win32: 'the certificate store of Windows (certutil -user -addstore Root)',
};

/**
 * The file of the authority that k6 is to trust besides those of the system, absolute. k6 has no such
 * option: it is named in SSL_CERT_FILE, which Go reads on every system but two.
 * @param platform in the words of Node.
 * @throws {UserError} on those two, because k6 would pass over it in silence.
 */
export function trustedFile(ca: string | undefined, platform: string): string | undefined {
  if (ca === undefined) return undefined;
  const store = OWN_STORE[platform];
  if (store === undefined) return resolve(ca);
  throw new UserError(
    `--ca is not possible for load here: k6 trusts only ${store} on this system; put the authority of ${ca} there and leave --ca out.`,
  );
}
