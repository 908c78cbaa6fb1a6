import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { definedFields } from '../../kernel/basics/json.ts';
import type { HeaderLine } from '../../kernel/exchanges/exchange.ts';
import { FIXED_VARIABLES, TREND_STATS } from '../k6/find.ts';
import type { KeysByAlias } from '../model/key-list.ts';
import { fleetOf } from '../model/key-list.ts';
import type { Profile, ProfileInputs } from '../model/profile.ts';
import {
  CERTIFICATE_VARIABLES,
  HEADERS_VARIABLE,
  inputVariables,
  KEY_VARIABLES,
  KEYS_FILE_VARIABLE,
  RECORDS_VARIABLE,
} from '../script/environment.ts';
import { SCRIPT } from '../script/location.ts';
import { SAMPLES_FILE } from './samples.ts';

type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

export interface LoadJob {
  /** Base address without a slash at its end. */
  readonly baseUrl: string;
  readonly profile: Profile;
  readonly inputs: ProfileInputs;
  /** A fleet includes the key under test as its first key. */
  readonly keys: KeysByAlias;
  /** The file that holds the keys of the fleet, and the plan of those for which it names none: thousands of keys are more than a variable can hold. */
  readonly keysFile?: { readonly path: string; readonly plan: string } | undefined;
  /** Headers that a gateway in front of the target requires on every request; the values may be secrets. */
  readonly headers: readonly HeaderLine[];
  /** A PEM file of certificate authorities to trust besides those of the system. */
  readonly caFile?: string | undefined;
  /** A client certificate and its private key, as PEM text, for a target that asks for one. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string } | undefined;
  /** Unique for each run; the names of created categories contain it. */
  readonly tag: string;
  /** Folder for all files of the run; exists. */
  readonly folder: string;
  /** Further outputs of k6, as its `--out` takes them. */
  readonly outputs: readonly string[];
  /** The port of this machine on which k6 shows its dashboard during the run; none where it is absent. */
  readonly dashboardPort?: number | undefined;
}

/** The files of k6 in the folder of a run, besides the samples. */
export const K6_FILES = {
  summary: 'k6-summary.json',
  dashboard: 'k6-dashboard.html',
  log: 'k6.log',
} as const;

/** The statistics that go to Prometheus: those of the panels, and those that the user wants besides. */
function trendStats(env: ProcessEnvironment): string {
  const wanted = (env['K6_PROMETHEUS_RW_TREND_STATS'] ?? '').split(',').filter((one) => one !== '');
  return [...new Set([...TREND_STATS.split(','), ...wanted])].join(',');
}

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * The arguments of k6. They contain no secret, since other users of the machine can read them; the user's own
 * configuration of k6 is not used, because it could change what is sent.
 */
export const k6Arguments = ({ folder, outputs }: LoadJob): readonly string[] => [
  'run',
  '--no-color',
  `--config=${file('k6-config.json')}`,
  ...recordArguments(join(folder, SAMPLES_FILE)),
  ...outputs.map((output) => `--out=${output}`),
  '--new-machine-readable-summary',
  `--summary-export=${join(folder, K6_FILES.summary)}`,
  SCRIPT,
];

/** What makes k6 write the records of the script, and nothing else, into a file, each line at once. */
export const recordArguments = (path: string): readonly string[] => [
  '--log-format=raw',
  `--console-output=${path}`,
];

function fleetVariables({ keysFile, keys }: LoadJob): Readonly<Record<string, string>> {
  if (keysFile !== undefined) return { [KEYS_FILE_VARIABLE]: keysFile.path, PLAN: keysFile.plan };
  const fleet = fleetOf(keys);
  return fleet.length === 0 ? {} : { [KEY_VARIABLES.fleet]: fleet.join(',') };
}

/** Variables that any program needs on its machine, and those for reaching and trusting the target. */
const MACHINE_VARIABLES =
  /^(?:PATH|HOME|USERPROFILE|SYSTEMROOT|TMPDIR|TEMP|TMP|TZ|SSL_CERT_FILE|SSL_CERT_DIR|HTTPS?_PROXY|NO_PROXY)$/i;

/** Variables that configure outputs of k6. Other variables with the prefix K6_ could change the run. */
const OUTPUT_VARIABLES =
  /^(?:K6_(?:PROMETHEUS_RW|OTEL|INFLUXDB|STATSD|CSV|ELASTICSEARCH|TIMESCALEDB|KAFKA|DATADOG)_|OTEL_)/;

/** The environment of k6: the job, its secrets, and settings so that k6 contacts no host but the target. */
export function k6Environment(job: LoadJob, env: ProcessEnvironment): Readonly<Record<string, string>> {
  const { baseUrl, profile, inputs, keys, headers, clientCertificate, outputs } = job;
  const passedOn = Object.entries(env).filter(
    ([name]) => MACHINE_VARIABLES.test(name) || (outputs.length > 0 && OUTPUT_VARIABLES.test(name)),
  );
  const variables: ProcessEnvironment = {
    ...Object.fromEntries(passedOn),
    [CERTIFICATE_VARIABLES.cert]: clientCertificate?.cert,
    [CERTIFICATE_VARIABLES.key]: clientCertificate?.key,
    TARGET: baseUrl,
    PROFILE: profile.id,
    ...inputVariables(inputs),
    RUN: job.tag,
    [RECORDS_VARIABLE]: 'console',
    [KEY_VARIABLES.key]: keys.key,
    [KEY_VARIABLES.other]: keys.other,
    [KEY_VARIABLES.disposable]: keys.disposable,
    ...fleetVariables(job),
    [HEADERS_VARIABLE]: headers.length === 0 ? undefined : headers.map((line) => line.join(': ')).join('\n'),
    ...(job.caFile === undefined ? {} : { SSL_CERT_FILE: job.caFile }),
    ...(outputs.some((output) => output.startsWith('experimental-prometheus-rw'))
      ? { K6_PROMETHEUS_RW_TREND_STATS: trendStats(env) }
      : {}),
    ...FIXED_VARIABLES,
    K6_WEB_DASHBOARD: 'true',
    K6_WEB_DASHBOARD_HOST: '127.0.0.1',
    // Without a port, only the exported file is written.
    K6_WEB_DASHBOARD_PORT: String(job.dashboardPort ?? -1),
    K6_WEB_DASHBOARD_PERIOD: '1s',
    K6_WEB_DASHBOARD_EXPORT: join(job.folder, K6_FILES.dashboard),
  };
  return definedFields(variables);
}
