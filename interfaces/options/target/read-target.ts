import { gatewayHeaderLines, secretGatewayHeaders } from '../../../kernel/exchanges/gateway-headers.ts';
import { readBaseUrl, usesProxy } from '../../../suites/service/inputs/base-url.ts';
import { readCertificateAuthority } from '../../../suites/service/inputs/certificate-authority.ts';
import type { TargetAccess } from '../../../suites/service/run/target-access.ts';
import type { Names } from '../names.ts';
import type { OptionValues } from '../table.ts';
import { readClientCertificate } from './client-certificate.ts';
import { readKeys } from './keys.ts';

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
