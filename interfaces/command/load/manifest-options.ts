import { UserError } from '../../../kernel/basics/user-error.ts';
import { gatewayHeader } from '../../../kernel/exchanges/gateway-headers.ts';
import type {
  NamedKey,
  SampleStorage,
  SecretHeader,
  SecretReference,
} from '../../../load/operator/deployment.ts';
import { readCertificateAuthority } from '../../../suites/service/inputs/certificate-authority.ts';
import { FLAGS } from '../../options/names.ts';
import type { CommandOptions } from '../../options/table.ts';

/** The options of `load manifest`. */
export type ManifestOptions = CommandOptions<'load manifest'>;

const ALIAS = /^(?:key|other|disposable)$/;
const SECRET = /^(?<name>[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?)(?:\/(?<entry>[-._a-zA-Z0-9]{1,253}))?$/;
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Reads `key=petstore-free-a,other=petstore-free-b/token`. The text is never quoted in an error: it may contain a key by mistake. */
export function readSecrets(text: string): Partial<Record<NamedKey, SecretReference>> {
  const secrets: Record<string, SecretReference> = {};
  for (const [at, part] of text.split(',').entries()) {
    if (part.trim() === '') continue;
    const [alias = '', reference = ''] = part.trim().split('=', 2);
    const secret = referenceIn(reference, 'api-key');
    if (!ALIAS.test(alias) || secret === undefined) {
      throw new UserError(
        `Part ${at + 1} of --keys must be NAME=SECRET: NAME is key, other or disposable, and SECRET is the name of a Kubernetes Secret that holds the key, never the key itself.`,
      );
    }
    secrets[alias] = secret;
  }
  return secrets;
}

/** The Secret with the file of the keys of a fleet. @throws {UserError} when one of the two options is missing or wrong. */
export function readKeysSecret({ keysFile, keysSecret }: ManifestOptions): SecretReference | undefined {
  if (keysFile === undefined && keysSecret === undefined) return undefined;
  const secret = referenceIn(keysSecret ?? '', 'keys.csv');
  if (keysFile !== undefined && secret !== undefined) return secret;
  throw new UserError(
    '--keys-file and --keys-secret belong together: the file says how many keys of which plan there are, and SECRET or SECRET/ENTRY is the Kubernetes Secret that holds the same file (entry: keys.csv).',
  );
}

/** Where the samples go. @throws {UserError} when no storage is named, or two. */
export function readStorage(options: ManifestOptions): SampleStorage {
  const { samplesClaim: claim, samplesS3: path, samplesS3Secret: secret } = options;
  if (claim !== undefined && path === undefined && secret === undefined && NAME.test(claim))
    return { kind: 'claim', claim };
  if (claim === undefined && path !== undefined && secret !== undefined && NAME.test(secret))
    return { kind: 's3', path: path.replace(/\/+$/, ''), secret };
  throw new UserError(
    'Name the storage for the samples: --samples-claim with a volume claim that all runners can write to, or --samples-s3 BUCKET/PREFIX and --samples-s3-secret with the Secret of its settings.',
  );
}

/** The headers and authorities for a gateway in front of the target. @throws {UserError} when an option is wrong. */
export function readGateway({ ca, headers = [], headerSecret = [] }: ManifestOptions) {
  return {
    headers: headers.map((line) => gatewayHeader(line, FLAGS.headers)),
    secretHeaders: headerSecret.map(readSecretHeader),
    ca: ca === undefined ? undefined : readCertificateAuthority(ca),
  };
}

/** Reads `X-Gateway=petstore-gateway/token`; the text is never quoted in an error. */
function readSecretHeader(text: string): SecretHeader {
  const [line = '', reference = ''] = text.split('=', 2);
  const secret = referenceIn(reference, undefined);
  if (secret === undefined) {
    throw new UserError(
      "--header-secret takes 'Name=SECRET/ENTRY': the entry of a Kubernetes Secret that holds the value, never the value itself.",
    );
  }
  const [header] = gatewayHeader(`${line}: from ${secret.name}`, '--header-secret');
  return { name: header, secret };
}

function referenceIn(text: string, usualEntry: string | undefined): SecretReference | undefined {
  const { name, entry = usualEntry } = SECRET.exec(text)?.groups ?? {};
  return name === undefined || entry === undefined ? undefined : { name, entry };
}
