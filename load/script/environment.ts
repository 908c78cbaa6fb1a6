import type { HeaderLine } from '../../exchanges/exchange.ts';
import { gatewayHeader } from '../../exchanges/gateway-headers.ts';
import type { Limits, Plans } from '../../spec/plans.ts';
import type { CapacityInputs, KeyAlias, Profile, ProfileInputs, Scenario } from '../model/profile.ts';
import { findProfile } from '../profiles/index.ts';
import { defaultSoak } from '../profiles/soak.ts';

/**
 * The environment of the script: what `petstore-conformance load` sets, or a
 * person with `-e` and `export`. SHARD (the name of one key) and FLEET (the
 * total number of keys) split a profile over several machines by key.
 */
export type ScriptEnvironment = Readonly<Record<string, string | undefined>>;

/** What one run of the script does. */
export interface Assignment {
  /** Base address without a slash at its end. */
  readonly target: string;
  readonly profile: Profile;
  readonly inputs: ProfileInputs;
  /** The scenarios of the profile that this run of k6 sends: all of them, or the one of its shard. */
  readonly scenarios: readonly Scenario[];
  /** Unique for each run; the names of created categories contain it. */
  readonly run: string;
  /** The key of each scenario. */
  readonly keys: Readonly<Partial<Record<KeyAlias, string>>>;
  /** Headers that a gateway in front of the target requires on every request. */
  readonly headers: readonly HeaderLine[];
  /** What the run shows a target that asks for a certificate of the client, as PEM text. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string };
}

/**
 * The variables that hold keys. They are read from the environment only, since other
 * users of the machine can read the arguments of `-e`. PETSTORE_API_KEYS holds the further keys of a
 * fleet, separated by commas or white space; the key under test is the first of the fleet.
 */
export const KEY_VARIABLES = {
  key: 'PETSTORE_API_KEY',
  other: 'PETSTORE_OTHER_KEY',
  disposable: 'PETSTORE_SACRIFICIAL_KEY',
  fleet: 'PETSTORE_API_KEYS',
} as const;

/** The variables that hold a client certificate and its private key, as PEM text. Read from the environment only, like keys. */
export const CERTIFICATE_VARIABLES = {
  cert: 'PETSTORE_CLIENT_CERT',
  key: 'PETSTORE_CLIENT_CERT_KEY',
} as const;

/** The variable that holds headers for a gateway: `Name: value`, one per line. Read from the environment only, like keys. */
export const HEADERS_VARIABLE = 'PETSTORE_HEADERS';

/**
 * Reads the environment of the script.
 * @param readPlans returns the text of a plan file; k6 has its own function to open files.
 * @throws {Error} with one sentence for a person when something is missing or invalid.
 */
export function assignmentOf(env: ScriptEnvironment, readPlans: (path: string) => string): Assignment {
  const target = required(env, 'TARGET', 'the base address, such as http://127.0.0.1:8080/v1');
  if (!/^https?:\/\//.test(target)) throw new Error('TARGET must begin with http:// or https://.');
  const profile = findProfile(required(env, 'PROFILE', 'the name of a load profile, such as at-limit'));
  const limits = limitsIn(env, readPlans);
  const shard = env['SHARD'];
  const further = (env[KEY_VARIABLES.fleet] ?? '').split(/[\s,]+/);
  const fleet = [...new Set([env[KEY_VARIABLES.key] ?? '', ...further])].filter((key) => key !== '');
  const minutes = env['MINUTES'] === undefined ? defaultSoak(limits) : Number(env['MINUTES']);
  if (!(minutes > 0)) throw new Error('MINUTES must be a number of windows greater than 0.');
  const inputs: ProfileInputs = {
    limits,
    fleet: fleetSize(env) ?? Math.max(1, fleet.length),
    minutes,
    // Only `petstore-conformance load` sets it, after it has checked that the keys allow the rate.
    ...(env['CAPACITY'] === undefined ? {} : { capacity: JSON.parse(env['CAPACITY']) as CapacityInputs }),
  };
  const keys: Record<string, string | undefined> = {
    key: env[KEY_VARIABLES.key],
    other: env[KEY_VARIABLES.other],
    disposable: env[KEY_VARIABLES.disposable],
    ...Object.fromEntries(fleet.map((key, at) => [`fleet-${at + 1}`, key])),
    // A shard receives only its own key.
    ...(shard === undefined ? {} : { [shard]: env[KEY_VARIABLES.key] }),
  };
  const scenarios = profile.scenarios(inputs).filter(({ key }) => shard === undefined || key === shard);
  if (scenarios.length === 0)
    throw new Error(`The profile ${profile.id} has no scenario for the SHARD "${shard}".`);
  for (const { key } of scenarios) {
    if ((keys[key] ?? '') === '') throw new Error(missingKey(profile, key));
  }
  return {
    target: target.replace(/\/+$/, ''),
    profile,
    inputs,
    scenarios,
    run: env['RUN'] ?? Date.now().toString(36),
    keys,
    ...clientCertificateIn(env),
    headers: (env[HEADERS_VARIABLE] ?? '')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => gatewayHeader(line, HEADERS_VARIABLE)),
  };
}

function clientCertificateIn(env: ScriptEnvironment): Pick<Assignment, 'clientCertificate'> {
  const [cert, key] = [env[CERTIFICATE_VARIABLES.cert], env[CERTIFICATE_VARIABLES.key]];
  return cert === undefined || key === undefined ? {} : { clientCertificate: { cert, key } };
}

/** How many keys the fleet has in total, where a shard receives only one of them. */
function fleetSize({ FLEET }: ScriptEnvironment): number | undefined {
  if (FLEET === undefined) return undefined;
  if (/^[1-9][0-9]{0,4}$/.test(FLEET)) return Number(FLEET);
  throw new Error('FLEET must be a whole number of keys, at least 1.');
}

function required(env: ScriptEnvironment, name: string, meaning: string): string {
  const value = env[name] ?? '';
  if (value === '') throw new Error(`${name} is missing: k6 run -e ${name}=… with ${meaning}.`);
  return value;
}

/** LIMITS states the numbers as JSON; otherwise PLAN names a plan in the file that PLANS names. */
function limitsIn(env: ScriptEnvironment, readPlans: (path: string) => string): Limits {
  if (env['LIMITS'] !== undefined) return JSON.parse(env['LIMITS']) as Limits;
  const { plans, minuteSeconds, daySeconds } = JSON.parse(
    readPlans(env['PLANS'] ?? '../../spec/plans.json'),
  ) as Plans;
  const name = env['PLAN'] ?? 'free';
  const plan = plans[name];
  if (plan === undefined) {
    throw new Error(`There is no plan "${name}"; the plan file has ${Object.keys(plans).join(', ')}.`);
  }
  if (plan === null) {
    throw new Error(
      `The limits of plan "${name}" are set by agreement: state them in a plan file and name it in PLANS.`,
    );
  }
  return { ...plan, minuteSeconds, daySeconds };
}

function missingKey({ id }: Profile, key: KeyAlias): string {
  const variable = key.startsWith('fleet') ? KEY_VARIABLES.fleet : KEY_VARIABLES[key as 'key'];
  return `The profile ${id} needs the environment variable ${variable}: export it. Other users of this machine can read a key passed with -e.`;
}
