import type { Names } from '../../../interfaces/options/names.ts';
import type { OptionValues } from '../../../interfaces/options/table.ts';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { gatewayHeaderLines, secretGatewayHeaders } from '../../../kernel/exchanges/gateway-headers.ts';
import type { ClientCertificate } from '../wire/http-wire.ts';
import type { Keys } from '../wire/keyring.ts';
import { readBaseUrl, usesProxy } from './base-url.ts';
import { readCertificateAuthority } from './certificate-authority.ts';
import { readClientCertificate } from './client-certificate.ts';
import { readKeys } from './keys.ts';

/** How a target is reached, and with which keys. */
export interface TargetAccess {
  /** Without a slash at its end. */
  readonly baseUrl: URL;
  readonly keys: Keys;
  /** PEM text of a certificate authority to trust besides the built-in ones. */
  readonly certificateAuthority: string | undefined;
  /** What the run shows a target or gateway that asks for a certificate of the client. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Header lines that a gateway in front of the target wants on every request. */
  readonly headers: readonly HeaderLine[];
  /** Whether `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply. */
  readonly proxied: boolean;
  /** The server that comes with this program, which a certificate must not be about. */
  readonly bundled?: true;
}

/**
 * Reads how to reach a target. Reads files and the environment; sends nothing.
 * @param names what the user calls the inputs.
 * @throws {UserError} when one of them is missing or wrong; no message repeats a key or the value of a header.
 */
export function readTargetAccess(
  target: string,
  options: OptionValues,
  names: Names,
  env: NodeJS.ProcessEnv,
): TargetAccess {
  const { ca, headers = [], headerEnv = [] } = options;
  const baseUrl = readBaseUrl(target, names.target);
  return {
    baseUrl,
    keys: readKeys(options, names, env),
    certificateAuthority: ca === undefined ? undefined : readCertificateAuthority(ca),
    clientCertificate: readClientCertificate(options, names),
    headers: [
      ...gatewayHeaderLines(headers, names.headers),
      ...secretGatewayHeaders(headerEnv, names.headerEnv, env),
    ],
    proxied: usesProxy(baseUrl, env),
  };
}
