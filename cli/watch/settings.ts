import { join } from 'node:path';
import { timeStamp } from '../../reports/earlier-files.ts';
import { readBaseUrl } from '../../suites/inputs/base-url.ts';
import { readCertificateAuthority } from '../../suites/inputs/certificate-authority.ts';
import type { ClientHost } from '../../suites/model/client.ts';
import type { ListenAddress } from '../clients/listen-address.ts';
import { listenAddress } from '../clients/listen-address.ts';

/** The options of `watch`, as commander hands them over. */
export interface WatchOptions {
  readonly target: string;
  readonly listen?: string;
  readonly remote?: boolean;
  readonly strict?: boolean;
  readonly out?: string;
  readonly ca?: string;
}

/** A run that watches, settled before anything listens. */
export interface WatchedRun {
  readonly target: URL;
  readonly certificateAuthority: string | undefined;
  readonly where: ClientHost;
  readonly address: ListenAddress;
  readonly folder: string;
  readonly strict: boolean;
  /** Keys that are known beforehand. */
  readonly keys: readonly string[];
}

/** Settles a run from the command line. @throws {UserError} when an option is wrong. */
export function settleWatch(options: WatchOptions, env: NodeJS.ProcessEnv, now: Date): WatchedRun {
  const remote = options.remote === true;
  const key = env['PETSTORE_API_KEY'] ?? '';
  return {
    target: readBaseUrl(options.target, '--target'),
    certificateAuthority: options.ca === undefined ? undefined : readCertificateAuthority(options.ca),
    where: remote ? 'another host' : 'this host',
    address: listenAddress(options.listen, remote),
    folder: options.out ?? join('out', `${timeStamp(now)}-watch`),
    strict: options.strict === true,
    keys: key === '' ? [] : [key],
  };
}
