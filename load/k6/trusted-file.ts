import { resolve } from 'node:path';
import { UserError } from '../../kernel/basics/user-error.ts';

/** Systems on which Go, and so k6, reads certificate authorities from the system's store only. */
const SYSTEM_STORE: Readonly<Partial<Record<string, string>>> = {
  darwin: 'the keychain of macOS (security add-trusted-cert)',
  win32: 'the certificate store of Windows (certutil -user -addstore Root)',
};

/**
 * The absolute path of the file with authorities that k6 trusts besides those of the system. k6 has no
 * option for it; the file is named in SSL_CERT_FILE, which Go reads on all systems except macOS and Windows.
 * @param platform in the words of Node.
 * @throws {UserError} on these two, because k6 would ignore the file.
 */
export function trustedFile(ca: string | undefined, platform: string): string | undefined {
  if (ca === undefined) return undefined;
  const store = SYSTEM_STORE[platform];
  if (store === undefined) return resolve(ca);
  throw new UserError(
    `load cannot use --ca on this system: k6 trusts only ${store}. Add the authority in ${ca} there and omit --ca.`,
  );
}
