import { definedFields } from '../../kernel/basics/defined-fields.ts';
import { k6Pin } from '../k6/pin.ts';
import { FIXED_VARIABLES, TREND_STATS } from '../k6/variables.ts';
import { recordArguments } from '../run/k6-command.ts';
import {
  HEADERS_VARIABLE,
  KEY_VARIABLES,
  KEYS_FILE_VARIABLE,
  RECORDS_VARIABLE,
} from '../script/environment.ts';
import type { Deployment, NamedKey, SecretReference } from './deployment.ts';
import { ManifestError } from './deployment.ts';
import { SAMPLES_PATH, storageFields } from './storage.ts';

/** A Kubernetes object, ready to be written as YAML. */
export type Manifest = Readonly<Record<string, unknown>>;

/** Kubernetes rejects a ConfigMap of more than 1 MiB. */
const LARGEST_BYTES = 1_000_000;
const SCRIPT = 'script.js';
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
 * @throws {ManifestError} when the script is too large.
 */
export const operatorManifests = (deployment: Deployment): readonly Manifest[] => [
  script(deployment),
  testRun(deployment),
];

function script(deployment: Deployment): Manifest {
  const { ca = '', script: text } = deployment;
  const bytes = Buffer.byteLength(text) + ca.length;
  if (bytes > LARGEST_BYTES) {
    throw new ManifestError(
      `The script and its certificate authorities take ${bytes} bytes, more than the ${LARGEST_BYTES} that fit into a ConfigMap: mount them from a volume instead.`,
    );
  }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(deployment),
    data: { [SCRIPT]: text, ...(ca === '' ? {} : { [CA]: ca }) },
  };
}

function testRun(deployment: Deployment): Manifest {
  const { runners, prometheus } = deployment;
  const outputs = prometheus === undefined ? [] : ['--out experimental-prometheus-rw'];
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: metadata(deployment),
    spec: {
      parallelism: runners,
      // Runners on one machine would compete for it.
      separate: runners > 1,
      script: { configMap: { name: nameOf(deployment), file: SCRIPT } },
      arguments: [...recordArguments(SAMPLES_PATH), ...outputs].join(' '),
      // It would pass the variables through a shell, which takes the quotation marks from their JSON.
      initializer: { disabled: true },
      runner: runner(deployment),
    },
  };
}

function runner(deployment: Deployment): Manifest {
  const { keysSecret, storage } = deployment;
  const kept = storageFields(storage);
  const keys = keysSecret === undefined ? [] : [keysVolume(keysSecret)];
  const keysMount = { name: 'keys', mountPath: KEYS_AT, readOnly: true };
  return {
    image: `grafana/k6:${k6Pin.version}`,
    env: [
      ...variables(deployment),
      ...kept.env,
      ...gatewayHeaders(deployment),
      ...Object.entries(deployment.secrets).map(([key, secret]) =>
        ofSecret(KEY_VARIABLES[key as NamedKey], secret),
      ),
    ],
    volumes: [...keys, ...kept.volumes],
    volumeMounts: [...(keysSecret === undefined ? [] : [keysMount]), ...kept.volumeMounts],
    ...(kept.initContainers.length === 0 ? {} : { initContainers: kept.initContainers }),
    securityContext: { runAsNonRoot: true, runAsUser: K6_USER, runAsGroup: K6_USER, fsGroup: K6_USER },
    containerSecurityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  };
}

const keysVolume = ({ name, entry }: SecretReference): Manifest => ({
  name: 'keys',
  secret: { secretName: name, items: [{ key: entry, path: entry }] },
});

const nameOf = ({ profile }: Deployment): string => `${PETSTORE}-${profile}`;

const metadata = (deployment: Deployment): Manifest =>
  definedFields({
    name: nameOf(deployment),
    namespace: deployment.namespace,
    labels: { 'app.kubernetes.io/name': PETSTORE, 'petstore-conformance/profile': deployment.profile },
  });

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
