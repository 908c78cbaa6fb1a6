import { readFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { definedFields } from '../../kernel/basics/json.ts';
import type { HeaderLine } from '../../kernel/exchanges/exchange.ts';
import { FIXED_VARIABLES, TREND_STATS } from '../k6/find.ts';
import { k6Pin } from '../k6/install.ts';
import { recordArguments } from '../run/k6-command.ts';
import {
  HEADERS_VARIABLE,
  KEY_VARIABLES,
  KEYS_FILE_VARIABLE,
  RECORDS_VARIABLE,
} from '../script/environment.ts';
import { SCRIPT } from '../script/location.ts';

export interface SecretReference {
  readonly name: string;
  readonly entry: string;
}

export interface SecretHeader {
  readonly name: string;
  readonly secret: SecretReference;
}

/** Where the runners leave their samples. */
export type SampleStorage =
  /** A volume that all runners can write to; each has a folder of its own, named after its pod. */
  | { readonly kind: 'claim'; readonly claim: string }
  /** Storage that speaks S3: a sidecar of each runner copies its samples to `bucket/prefix`, with the settings in a Secret. */
  | { readonly kind: 's3'; readonly path: string; readonly secret: string };

export type NamedKey = 'key' | 'other' | 'disposable';

export interface Deployment {
  readonly profile: string;
  /** The variables of every runner: TARGET, PROFILE, LIMITS and so on. Never a key. */
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Partial<Record<NamedKey, SecretReference>>>;
  readonly keysSecret?: SecretReference | undefined;
  /** How many runners send together; each takes its share of the keys. */
  readonly runners: number;
  readonly script: string;
  readonly storage: SampleStorage;
  /** Headers that a gateway requires on every request: with values in the manifest, and with values in a Secret. */
  readonly headers?: readonly HeaderLine[];
  readonly secretHeaders?: readonly SecretHeader[];
  /** Certificate authorities to trust besides those of the image, as PEM. */
  readonly ca?: string | undefined;
  readonly namespace?: string | undefined;
  /** The address of the Prometheus remote-write receiver for the results. */
  readonly prometheus?: string | undefined;
}

const SAMPLES_AT = '/samples';
const SAMPLES = 'samples';

export const SAMPLES_PATH = `${SAMPLES_AT}/samples.ndjson`;

/** The variable with the name of the pod, which names its folder. */
const POD = 'POD_NAME';

const COPIER = 'rclone/rclone:1.68.2';

/**
 * Copies the samples every ten seconds while the runner writes, and once more when it has ended: Kubernetes ends a
 * sidecar after the other containers, with SIGTERM. A copy that fails is tried again.
 */
export const COPY_SCRIPT = [
  `copy() { rclone copy --local-no-check-updated --retries 5 ${SAMPLES_AT} ":s3:$SAMPLES_PATH/$${POD}"; }`,
  'trap "copy; exit 0" TERM',
  'while true; do sleep 10 & wait $!; copy; done',
].join('\n');

const podName = { name: POD, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };

function storageFields(storage: SampleStorage) {
  const mount = { name: SAMPLES, mountPath: SAMPLES_AT };
  if (storage.kind === 'claim')
    return {
      volume: { name: SAMPLES, persistentVolumeClaim: { claimName: storage.claim } },
      volumeMount: { ...mount, subPathExpr: `$(${POD})` },
      env: [podName],
    };
  const sidecar = {
    name: 'copy-samples',
    image: COPIER,
    // An init container that restarts is a sidecar.
    restartPolicy: 'Always',
    command: ['sh', '-c', COPY_SCRIPT],
    env: [podName, { name: 'SAMPLES_PATH', value: storage.path }],
    envFrom: [{ secretRef: { name: storage.secret } }],
    volumeMounts: [{ ...mount, readOnly: true }],
  };
  return { volume: { name: SAMPLES, emptyDir: {} }, volumeMount: mount, env: [], initContainers: [sidecar] };
}

export type Manifest = Readonly<Record<string, unknown>>;

/** Kubernetes rejects a ConfigMap of more than 1 MiB. */
const LARGEST_BYTES = 1_000_000;
const SCRIPT_NAME = 'script.js';
const CA = 'ca.pem';

/** Where the operator mounts the ConfigMap of the script, and where the keys of a fleet are mounted. */
const SCRIPT_AT = '/test';
const KEYS_AT = '/keys';
const PETSTORE = 'petstore-load';

/** The user and the group of the image of k6. */
const K6_USER = 12_345;

/**
 * The manifests of a profile for the k6 operator: a ConfigMap with the script, and one TestRun. Of its runners, each
 * takes the keys of its execution segment, so that the requests of a key are never split. Manifests refer to keys
 * and never contain one.
 * @throws {UserError} when the script is too large.
 */
export function operatorManifests(deployment: Deployment): readonly Manifest[] {
  const { ca = '', script, profile, namespace, runners, prometheus } = deployment;
  const bytes = Buffer.byteLength(script) + ca.length;
  if (bytes > LARGEST_BYTES) {
    throw new UserError(
      `The script and its certificate authorities take ${bytes} bytes, more than the ${LARGEST_BYTES} that fit into a ConfigMap: mount them from a volume instead.`,
    );
  }
  const name = `${PETSTORE}-${profile}`;
  const labels = { 'app.kubernetes.io/name': PETSTORE, 'petstore-conformance/profile': profile };
  const metadata = definedFields({ name, namespace, labels });
  const outputs = prometheus === undefined ? [] : ['--out experimental-prometheus-rw'];
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { [SCRIPT_NAME]: script, ...(ca === '' ? {} : { [CA]: ca }) },
    },
    {
      apiVersion: 'k6.io/v1alpha1',
      kind: 'TestRun',
      metadata,
      spec: {
        parallelism: runners,
        // Runners on one machine would compete for it.
        separate: runners > 1,
        script: { configMap: { name, file: SCRIPT_NAME } },
        arguments: [...recordArguments(SAMPLES_PATH), ...outputs].join(' '),
        // It would pass the variables through a shell, which takes the quotation marks from their JSON.
        initializer: { disabled: true },
        runner: runner(deployment),
      },
    },
  ];
}

function runner(deployment: Deployment): Manifest {
  const kept = storageFields(deployment.storage);
  const keys = keysFields(deployment.keysSecret);
  return definedFields({
    image: `grafana/k6:${k6Pin.version}`,
    env: [
      ...variables(deployment),
      ...kept.env,
      ...gatewayHeaders(deployment),
      ...Object.entries(deployment.secrets).map(([key, secret]) =>
        ofSecret(KEY_VARIABLES[key as NamedKey], secret),
      ),
    ],
    volumes: [...keys.volumes, kept.volume],
    volumeMounts: [...keys.volumeMounts, kept.volumeMount],
    initContainers: kept.initContainers,
    securityContext: { runAsNonRoot: true, runAsUser: K6_USER, runAsGroup: K6_USER, fsGroup: K6_USER },
    containerSecurityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  });
}

function keysFields(secret: SecretReference | undefined) {
  if (secret === undefined) return { volumes: [], volumeMounts: [] };
  const { name, entry } = secret;
  return {
    volumes: [{ name: 'keys', secret: { secretName: name, items: [{ key: entry, path: entry }] } }],
    volumeMounts: [{ name: 'keys', mountPath: KEYS_AT, readOnly: true }],
  };
}

/** The variables of a runner: its task, the file of its keys, and where its results go. */
function variables({ environment, prometheus, ca, keysSecret, runners }: Deployment): readonly Manifest[] {
  const all = definedFields({
    ...environment,
    RUNNERS: String(runners),
    [RECORDS_VARIABLE]: 'console',
    [KEYS_FILE_VARIABLE]: keysSecret && `${KEYS_AT}/${keysSecret.entry}`,
    SSL_CERT_FILE: ca && `${SCRIPT_AT}/${CA}`,
    K6_PROMETHEUS_RW_SERVER_URL: prometheus,
    K6_PROMETHEUS_RW_TREND_STATS: prometheus && TREND_STATS,
    ...FIXED_VARIABLES,
  });
  return Object.entries(all).map(([name, value]) => ({ name, value }));
}

/** Kubernetes replaces $(NAME) with the value of an earlier variable, and $$ with $. */
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

/**
 * The script and everything that it imports as one file of JavaScript. `k6 archive` would store the options, which
 * follow from the keys, and every file that the script opens, the keys among them.
 */
export async function bundleScript(): Promise<string> {
  // `npm run build` has bundled the script of the package.
  if (extname(SCRIPT) === '.js') return readFile(SCRIPT, 'utf8');
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [SCRIPT],
    // The folder of this process may be gone since the first bundle.
    absWorkingDir: dirname(SCRIPT),
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['k6', 'k6/*'],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
