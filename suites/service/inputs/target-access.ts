import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { gatewayHeaderLines, secretGatewayHeaders } from '../../../kernel/exchanges/gateway-headers.ts';
import type { ClientCertificate } from '../wire/http-wire.ts';
import type { Keys } from '../wire/keyring.ts';
import { readBaseUrl, usesProxy } from './base-url.ts';
import { readCertificateAuthority } from './certificate-authority.ts';
import type { ClientCertificateFiles } from './client-certificate.ts';
import { readClientCertificate } from './client-certificate.ts';
import type { NamesWithKeys } from './input-names.ts';
import type { KeySources } from './keys.ts';
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

/** The inputs that say how to reach a target, as text that is not yet checked. */
export interface TargetOptions extends KeySources, ClientCertificateFiles {
  readonly ca?: string;
  /** Each `Name: value`. */
  readonly header?: readonly string[];
  /** Each `Name=VAR`, where VAR is the name of an environment variable. */
  readonly headerEnv?: readonly string[];
}

/**
 * Reads how to reach a target. Reads files and the environment; sends nothing.
 * @param names what the user calls the inputs.
 * @throws {UserError} when one of them is missing or wrong; no message repeats a key or the value of a header.
 */
export function readTargetAccess(
  target: string,
  options: TargetOptions,
  names: NamesWithKeys,
  env: NodeJS.ProcessEnv,
): TargetAccess {
  const { ca, header = [], headerEnv = [] } = options;
  const baseUrl = readBaseUrl(target, names.target);
  return {
    baseUrl,
    keys: readKeys(options, names, env),
    certificateAuthority: ca === undefined ? undefined : readCertificateAuthority(ca),
    clientCertificate: readClientCertificate(options, names),
    headers: [
      ...gatewayHeaderLines(header, names.headers),
      ...secretGatewayHeaders(headerEnv, names.headerEnv, env),
    ],
    proxied: usesProxy(baseUrl, env),
  };
}
