import type { HeaderLine } from '../../exchanges/exchange.ts';
import type { Limits, Plans } from '../../spec/plans.ts';
import { gatewayHeader } from '../../suites/inputs/gateway-headers.ts';
import type { KeyAlias, Profile, ProfileInputs, Scenario } from '../model/profile.ts';
import { findProfile } from '../profiles/index.ts';
import { usualSoak } from '../profiles/soak.ts';

/**
 * The environment of the script: what `petstore-conformance load` sets, or a
 * person with `-e` and `export`. SHARD (the name of one lane) and FLEET (how
 * many keys there are in all) split a profile over several machines by key.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the script is told to do. */
export interface Assignment {
  /** Base address without a slash at its end. */
  readonly target: string;
  readonly profile: Profile;
  readonly inputs: ProfileInputs;
  /** The lanes of the profile that this run of k6 sends: all of them, or the one of its shard. */
  readonly scenarios: readonly Scenario[];
  /** A word that no other run has; names of creations begin with it. */
  readonly run: string;
  /** The key of every lane. */
  readonly keys: Readonly<Partial<Record<KeyAlias, string>>>;
  /** What a gateway wants on every request. */
  readonly headers: readonly HeaderLine[];
}

/**
 * Where keys come from: the environment alone, since `-e` would show them to
 * everybody on the machine. PETSTORE_API_KEYS holds further keys of a
 * fleet, apart by commas or white space; the key itself is the first of it.
 */
export const KEY_VARIABLES = {
  key: 'PETSTORE_API_KEY',
  other: 'PETSTORE_OTHER_KEY',
  disposable: 'PETSTORE_SACRIFICIAL_KEY',
  fleet: 'PETSTORE_API_KEYS',
} as const;

/** Where headers for a gateway come from: `Name: value`, one a line. From the environment alone, as keys do. */
export const HEADERS_VARIABLE = 'PETSTORE_HEADERS';

/**
 * Reads what the script is to do.
 * @param readPlans the text of a plan file by its path; k6 opens it in its own way.
 * @throws {Error} with one sentence for a person when something is missing or makes no sense.
 */
export function assignmentOf(env: Environment, readPlans: (path: string) => string): Assignment {
  const target = required(env, 'TARGET', 'the base address, such as http://127.0.0.1:8080/v1');
  if (!/^https?:\/\//.test(target)) throw new Error('TARGET must begin with http:// or https://.');
  const profile = findProfile(required(env, 'PROFILE', 'the name of a load profile, such as at-limit'));
  const limits = limitsIn(env, readPlans);
  const shard = env['SHARD'];
  const further = (env[KEY_VARIABLES.fleet] ?? '').split(/[\s,]+/);
  const fleet = [...new Set([env[KEY_VARIABLES.key] ?? '', ...further])].filter((key) => key !== '');
  const minutes = env['MINUTES'] === undefined ? usualSoak(limits) : Number(env['MINUTES']);
  if (!(minutes > 0)) throw new Error('MINUTES must be a number of windows greater than 0.');
  const inputs = { limits, fleet: fleetSize(env) ?? Math.max(1, fleet.length), minutes };
  const keys: Record<string, string | undefined> = {
    key: env[KEY_VARIABLES.key],
    other: env[KEY_VARIABLES.other],
    disposable: env[KEY_VARIABLES.disposable],
    ...Object.fromEntries(fleet.map((key, at) => [`fleet-${at + 1}`, key])),
    // One key, one runner: a shard is given its own key and no other.
    ...(shard === undefined ? {} : { [shard]: env[KEY_VARIABLES.key] }),
  };
  const scenarios = profile.scenarios(inputs).filter(({ key }) => shard === undefined || key === shard);
  if (scenarios.length === 0)
    throw new Error(`The profile ${profile.id} has no lane for the SHARD "${shard}".`);
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
    headers: (env[HEADERS_VARIABLE] ?? '')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => gatewayHeader(line, HEADERS_VARIABLE)),
  };
}

/** How many keys a fleet has in all, where a shard is given only one of them. */
function fleetSize({ FLEET }: Environment): number | undefined {
  if (FLEET === undefined) return undefined;
  if (/^[1-9][0-9]{0,4}$/.test(FLEET)) return Number(FLEET);
  throw new Error('FLEET must be a whole number of keys, at least 1.');
}

function required(env: Environment, name: string, what: string): string {
  const value = env[name] ?? '';
  if (value === '') throw new Error(`${name} is missing: k6 run -e ${name}=… with ${what}.`);
  return value;
}

/** LIMITS states the numbers themselves; otherwise PLAN names a plan of the file that PLANS names. */
function limitsIn(env: Environment, readPlans: (path: string) => string): Limits {
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
      `The numbers of plan "${name}" are set by agreement: state them in a file that PLANS names.`,
    );
  }
  return { ...plan, minuteSeconds, daySeconds };
}

function missingKey({ id }: Profile, key: KeyAlias): string {
  const variable = key.startsWith('fleet') ? KEY_VARIABLES.fleet : KEY_VARIABLES[key as 'key'];
  return `The profile ${id} needs the environment variable ${variable}: export it; a key that is passed with -e can be read by everybody on this machine.`;
}
