import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HeaderLine } from '../../exchanges/exchange.ts';
import { QUIET_K6 } from '../k6/quiet.ts';
import type { Profile, ProfileInputs } from '../model/profile.ts';
import { HEADERS_VARIABLE, KEY_VARIABLES } from '../script/environment.ts';
import { SAMPLES_FILE } from './sample-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The keys of a load run. The key under test is the first of a fleet, which may be empty where there is none. */
export interface LoadKeys {
  readonly key: string;
  readonly other?: string;
  readonly disposable?: string;
  readonly fleet: readonly string[];
}

/** What k6 is to be started for. */
export interface LoadOrder {
  /** Base address without a slash at its end. */
  readonly baseUrl: string;
  readonly profile: Profile;
  readonly inputs: ProfileInputs;
  readonly keys: LoadKeys;
  /** What a gateway in front of the target wants on every request; the values may be secrets. */
  readonly headers: readonly HeaderLine[];
  /** A PEM file of authorities to trust besides those of the system, where its Go looks for one. */
  readonly caFile?: string;
  /** A word that no other run has; names of creations begin with it. */
  readonly tag: string;
  /** Where everything is written; exists. */
  readonly folder: string;
  /** Further outputs of k6, as its `--out` takes them. */
  readonly outputs: readonly string[];
}

/** What k6 writes into the folder of a run, besides the samples. */
export const K6_FILES = {
  summary: 'k6-summary.json',
  dashboard: 'k6-dashboard.html',
  log: 'k6.log',
} as const;

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * The arguments of k6. Nothing secret stands in them, since everybody on the
 * machine can read them; the user's own configuration of k6 is left out,
 * because it could change what is sent.
 */
export function k6Arguments({ folder, outputs }: LoadOrder): readonly string[] {
  return [
    'run',
    '--no-color',
    `--config=${file('k6-config.json')}`,
    `--out=json=${join(folder, SAMPLES_FILE)}`,
    ...outputs.map((output) => `--out=${output}`),
    '--new-machine-readable-summary',
    `--summary-export=${join(folder, K6_FILES.summary)}`,
    file('../script/main.ts'),
  ];
}

/** What a program needs of its machine, and how it reaches and trusts the target. */
const OF_THE_MACHINE =
  /^(?:PATH|HOME|USERPROFILE|SYSTEMROOT|TMPDIR|TEMP|TMP|TZ|SSL_CERT_FILE|SSL_CERT_DIR|HTTPS?_PROXY|NO_PROXY)$/i;

/** How outputs of k6 are set up. What else begins with K6_ could change the run. */
const OF_OUTPUTS =
  /^(?:K6_(?:PROMETHEUS_RW|OTEL|INFLUXDB|STATSD|CSV|ELASTICSEARCH|TIMESCALEDB|KAFKA|DATADOG)_|OTEL_)/;

/**
 * The environment of k6: the order, its secrets, and nothing that makes it call
 * anybody but the target: no report of its use, no extensions fetched.
 * @param env the environment of this program.
 */
export function k6Environment(order: LoadOrder, env: Environment): Readonly<Record<string, string>> {
  const { baseUrl, profile, inputs, keys, headers, caFile, tag, folder, outputs } = order;
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (OF_THE_MACHINE.test(entry[0]) || (outputs.length > 0 && OF_OUTPUTS.test(entry[0]))),
  );
  return {
    ...Object.fromEntries(kept),
    TARGET: baseUrl,
    PROFILE: profile.id,
    LIMITS: JSON.stringify(inputs.limits),
    MINUTES: String(inputs.minutes),
    RUN: tag,
    [KEY_VARIABLES.key]: keys.key,
    ...(keys.other === undefined ? {} : { [KEY_VARIABLES.other]: keys.other }),
    ...(keys.disposable === undefined ? {} : { [KEY_VARIABLES.disposable]: keys.disposable }),
    ...(keys.fleet.length === 0 ? {} : { [KEY_VARIABLES.fleet]: keys.fleet.join(',') }),
    ...(headers.length === 0
      ? {}
      : { [HEADERS_VARIABLE]: headers.map((line) => line.join(': ')).join('\n') }),
    ...(caFile === undefined ? {} : { SSL_CERT_FILE: caFile }),
    ...QUIET_K6,
    K6_WEB_DASHBOARD: 'true',
    // No port: only the file that it exports is wanted.
    K6_WEB_DASHBOARD_PORT: '-1',
    K6_WEB_DASHBOARD_PERIOD: '1s',
    K6_WEB_DASHBOARD_EXPORT: join(folder, K6_FILES.dashboard),
  };
}
