import type { HeaderLine } from '../../exchanges/exchange.ts';
import { UserError } from '../../words/user-error.ts';
import { k6Pin } from '../k6/pin.ts';
import { HTTP_1, QUIET_K6 } from '../k6/quiet.ts';
import type { KeyAlias, ProfileId, Scenario } from '../model/profile.ts';
import { TREND_STATS } from '../run/trend-stats.ts';
import { HEADERS_VARIABLE } from '../script/environment.ts';

/** An entry of a Kubernetes Secret. */
export interface SecretReference {
  readonly name: string;
  readonly entry: string;
}

/** A header for a gateway, with its value in a Secret. */
export interface SecretHeader {
  readonly name: string;
  readonly secret: SecretReference;
}

/** A profile to run on Kubernetes. */
export interface Deployment {
  readonly profile: ProfileId;
  readonly scenarios: readonly Scenario[];
  /** The variables of every runner: TARGET, PROFILE, LIMITS, and FLEET for a fleet. Never a key. */
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Partial<Record<KeyAlias, SecretReference>>>;
  /** The output of `k6 archive` for each key: an archive contains the options, which differ for each key. */
  readonly archives: Readonly<Partial<Record<KeyAlias, Uint8Array>>>;
  /** Headers that a gateway requires on every request: with values in the manifest, and with values in a Secret. */
  readonly headers?: readonly HeaderLine[];
  readonly secretHeaders?: readonly SecretHeader[];
  /** Certificate authorities to trust besides those of the image, as PEM. */
  readonly ca?: string;
  readonly namespace?: string;
  /** The address of the Prometheus remote-write receiver for the results. */
  readonly prometheus?: string;
}

/** A profile that cannot be written as manifests; the message is one sentence for the user. */
export class ManifestError extends UserError {
  override readonly name = 'ManifestError';
}

/** A Kubernetes object, ready to be written as YAML. */
export type Manifest = Readonly<Record<string, unknown>>;

/** Kubernetes rejects a ConfigMap of more than 1 MiB; base64 adds a third. */
const LARGEST_BYTES = 700_000;
const ARCHIVE = 'archive.tar';
const CA = 'ca.pem';

/** Where the operator mounts the ConfigMap of the script. */
const MOUNTED_AT = '/test';
const PETSTORE = 'petstore-load';

/**
 * The manifests of a profile for the k6 operator: for each key a ConfigMap with its script
 * and a TestRun with one runner, because the requests of a key must not be split
 * between runners. Manifests refer to keys and never contain one.
 * @throws {ManifestError} when a key has no Secret, or its archive is too large
 */
export const operatorManifests = (deployment: Deployment): readonly Manifest[] =>
  deployment.scenarios.flatMap(({ key }) => [script(deployment, key), testRun(deployment, key)]);

function script(deployment: Deployment, key: KeyAlias): Manifest {
  const { ca = '' } = deployment;
  const archive = deployment.archives[key] ?? new Uint8Array();
  const bytes = archive.length + ca.length;
  if (bytes > LARGEST_BYTES) {
    throw new ManifestError(
      `The script and its certificate authorities take ${bytes} bytes, more than the ${LARGEST_BYTES} that fit into a ConfigMap: mount them from a volume instead.`,
    );
  }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(deployment, key),
    binaryData: { [ARCHIVE]: Buffer.from(archive).toString('base64') },
    ...(ca === '' ? {} : { data: { [CA]: ca } }),
  };
}

function testRun(deployment: Deployment, key: KeyAlias): Manifest {
  const { profile, prometheus } = deployment;
  const secret = deployment.secrets[key];
  if (secret === undefined) {
    throw new ManifestError(
      `The profile ${profile} uses the key ${key}, but --keys names no Secret for it: add ${key}=SECRET to --keys.`,
    );
  }
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: metadata(deployment, key),
    spec: {
      parallelism: 1,
      script: { configMap: { name: nameOf(profile, key), file: ARCHIVE } },
      ...(prometheus === undefined ? {} : { arguments: '--out experimental-prometheus-rw' }),
      runner: {
        image: `grafana/k6:${k6Pin.version}`,
        env: [
          ...environment(deployment, key),
          ...gatewayHeaders(deployment),
          ofSecret('PETSTORE_API_KEY', secret),
        ],
        securityContext: { runAsNonRoot: true, runAsUser: 12_345, runAsGroup: 12_345 },
        containerSecurityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
      },
    },
  };
}

const nameOf = (profile: ProfileId, key: KeyAlias): string => `${PETSTORE}-${profile}-${key}`;

const metadata = ({ profile, namespace }: Deployment, key: KeyAlias): Manifest => ({
  name: nameOf(profile, key),
  ...(namespace === undefined ? {} : { namespace }),
  labels: { 'app.kubernetes.io/name': PETSTORE, 'petstore-conformance/profile': profile },
});

/** The variables of a runner: those of all runners, its key, and where its results go. */
function environment(
  { environment: shared, prometheus, ca }: Deployment,
  key: KeyAlias,
): readonly Manifest[] {
  const all = {
    ...shared,
    SHARD: key,
    ...(ca === undefined ? {} : { SSL_CERT_FILE: `${MOUNTED_AT}/${CA}` }),
    ...(prometheus === undefined
      ? {}
      : { K6_PROMETHEUS_RW_SERVER_URL: prometheus, K6_PROMETHEUS_RW_TREND_STATS: TREND_STATS }),
    ...QUIET_K6,
    ...HTTP_1,
  };
  return Object.entries(all).map(([name, value]) => ({ name, value }));
}

/**
 * The headers for a gateway. Kubernetes replaces $(NAME) with the value of an earlier
 * variable, and $$ with $.
 */
function gatewayHeaders({ headers = [], secretHeaders = [] }: Deployment): readonly Manifest[] {
  const secrets = secretHeaders.map(({ secret }, at) => ofSecret(secretVariable(at), secret));
  const lines = [
    ...headers.map(([name, value]) => `${name}: ${value}`.replaceAll('$', () => '$$')),
    ...secretHeaders.map(({ name }, at) => `${name}: $(${secretVariable(at)})`),
  ];
  return lines.length === 0 ? [] : [...secrets, { name: HEADERS_VARIABLE, value: lines.join('\n') }];
}

const secretVariable = (at: number): string => `PETSTORE_HEADER_${at + 1}`;

const ofSecret = (variable: string, { name, entry }: SecretReference): Manifest => ({
  name: variable,
  valueFrom: { secretKeyRef: { name, key: entry } },
});
