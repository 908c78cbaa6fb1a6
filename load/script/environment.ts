import { definedFields } from '../../kernel/basics/json.ts';
import type { HeaderLine } from '../../kernel/exchanges/exchange.ts';
import { gatewayHeader } from '../../kernel/exchanges/judged-headers.ts';
import type { Limits, Plans } from '../../spec/plans.ts';
import type { KeysByAlias, ListedKey } from '../model/key-list.ts';
import { fleetPlansOf, keysByAlias, parseKeyList } from '../model/key-list.ts';
import type { CapacityInputs, KeyAlias, Profile, ProfileInputs, Scenario } from '../model/profile.ts';
import { findProfile } from '../profiles/index.ts';
import { defaultSoak } from '../profiles/over-time.ts';
import { secretsOf } from './body-reader.ts';

/** What `petstore-conformance load` sets, or a person with `-e` and `export`. */
export type ScriptEnvironment = Readonly<Record<string, string | undefined>>;

export interface Assignment {
  /** Base address without a slash at its end. */
  readonly target: string;
  readonly profile: Profile;
  readonly inputs: ProfileInputs;
  /** The scenarios of the profile. Of several runners, each sends those that its execution segment contains. */
  readonly scenarios: readonly Scenario[];
  /** Unique for each run; the names of created categories contain it. */
  readonly run: string;
  readonly keys: KeysByAlias;
  /** Headers that a gateway in front of the target requires on every request. */
  readonly headers: readonly HeaderLine[];
  /** What the run shows a target that asks for a certificate of the client, as PEM text. */
  readonly clientCertificate: { readonly cert: string; readonly key: string } | undefined;
  readonly runners: number;
}

/**
 * The variables that hold keys. They are read from the environment only, since other
 * users of the machine can read the arguments of `-e`. PETSTORE_API_KEYS holds the further keys of a
 * fleet, separated by commas or white space; the key under test is the first of the fleet.
 */
export const KEY_VARIABLES = {
  key: 'PETSTORE_API_KEY',
  other: 'PETSTORE_OTHER_KEY',
  disposable: 'PETSTORE_DISPOSABLE_KEY',
  fleet: 'PETSTORE_API_KEYS',
} as const;

/** The variables that hold a client certificate and its private key, as PEM text. Read from the environment only, like keys. */
export const CERTIFICATE_VARIABLES = {
  cert: 'PETSTORE_CLIENT_CERT',
  key: 'PETSTORE_CLIENT_CERT_KEY',
} as const;

/**
 * The variable that names a file of the keys of a fleet, as `parseKeyList` reads it: thousands of keys are more than a
 * variable can hold. PLAN_LIMITS states the limits of the plans in that file as JSON, by name.
 */
export const KEYS_FILE_VARIABLE = 'PETSTORE_KEYS_FILE';

/** The variable that says that every request and every event is to be written to the console, one JSON value on each line. */
export const RECORDS_VARIABLE = 'RECORDS';

/** The variable that holds headers for a gateway: `Name: value`, one per line. Read from the environment only, like keys. */
export const HEADERS_VARIABLE = 'PETSTORE_HEADERS';

/**
 * Reads the environment of the script.
 * @param read returns the text of a file; k6 has its own function to open files.
 * @throws {Error} with one sentence for a person when something is missing or invalid.
 */
export function assignmentOf(env: ScriptEnvironment, read: (path: string) => string): Assignment {
  const target = required(env, 'TARGET', 'the base address, such as http://127.0.0.1:8080/v1');
  if (!/^https?:\/\//.test(target)) throw new Error('TARGET must begin with http:// or https://.');
  const profile = findProfile(required(env, 'PROFILE', 'the name of a load profile, such as at-limit'));
  const fleet = fleetKeys(env, read);
  const named = {
    key: env[KEY_VARIABLES.key],
    other: env[KEY_VARIABLES.other],
    disposable: env[KEY_VARIABLES.disposable],
  };
  const keys = keysByAlias(
    named,
    fleet.map(({ key }) => key),
  );
  const [cert, key] = [env[CERTIFICATE_VARIABLES.cert], env[CERTIFICATE_VARIABLES.key]];
  const inputs = inputsOf(env, fleet, read);
  const scenarios = profile.scenarios(inputs);
  const unset = scenarios.find((one) => (keys[one.key] ?? '') === '');
  if (unset !== undefined) throw new Error(missingKey(profile, unset.key));
  return {
    ...commonOf(env),
    ...{ profile, inputs, scenarios, keys },
    clientCertificate: cert === undefined || key === undefined ? undefined : { cert, key },
    runners: Number(env['RUNNERS'] ?? 1),
  };
}

/** The variables from which `inputsOf` reads these inputs. */
export const inputVariables = ({ limits, minutes, capacity, fleetPlans }: ProfileInputs) =>
  definedFields({
    LIMITS: JSON.stringify(limits),
    MINUTES: String(minutes),
    CAPACITY: capacity && JSON.stringify(capacity),
    PLAN_LIMITS:
      fleetPlans && JSON.stringify(Object.fromEntries(fleetPlans.map((one) => [one.plan, one.limits]))),
  });

function inputsOf(
  env: ScriptEnvironment,
  fleet: readonly ListedKey[],
  read: (path: string) => string,
): ProfileInputs {
  const limits = limitsIn(env, read);
  const fleetPlans = fleetPlansOf(fleet, env['PLAN'] ?? 'free', (plan) => planLimits(env, plan, read));
  const minutes = env['MINUTES'] === undefined ? defaultSoak(limits, fleetPlans) : Number(env['MINUTES']);
  if (!(minutes > 0)) throw new Error('MINUTES must be a number of windows greater than 0.');
  // Only `petstore-conformance load` sets it, after it has checked that the keys allow the rate.
  const capacity =
    env['CAPACITY'] === undefined ? undefined : (JSON.parse(env['CAPACITY']) as CapacityInputs);
  return definedFields({ limits, fleet: Math.max(1, fleet.length), minutes, fleetPlans, capacity });
}

/** The base address, the run and the headers: what every virtual user needs, however many keys there are. */
export const commonOf = (env: ScriptEnvironment): Pick<Assignment, 'target' | 'run' | 'headers'> => ({
  target: (env['TARGET'] ?? '').replace(/\/+$/, ''),
  run: env['RUN'] ?? Date.now().toString(36),
  headers: (env[HEADERS_VARIABLE] ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => gatewayHeader(line, HEADERS_VARIABLE)),
});

/** With more keys than this, each virtual user would spend its time on looking for keys of others in its responses. */
const MOST_SECRETS = 100;

/** One scenario with all that one virtual user needs for it. */
export type Place = ReturnType<typeof placesOf>[number];

export function placesOf({ scenarios, keys, headers }: Assignment) {
  const all = scenarios.length > MOST_SECRETS ? undefined : secretsOf(Object.values(keys), headers);
  return scenarios.map((scenario) => {
    const secret = keys[scenario.key] ?? '';
    /** The keys of the run that no sample of this scenario may contain. */
    const secrets = all ?? secretsOf([secret], headers);
    return { scenario, secret, secrets };
  });
}

function fleetKeys(env: ScriptEnvironment, read: (path: string) => string): readonly ListedKey[] {
  const file = env[KEYS_FILE_VARIABLE];
  if (file !== undefined) return parseKeyList(read(file));
  const further = (env[KEY_VARIABLES.fleet] ?? '').split(/[\s,]+/);
  const distinct = [...new Set([env[KEY_VARIABLES.key] ?? '', ...further])];
  return distinct.flatMap((key) => (key === '' ? [] : { key }));
}

function required(env: ScriptEnvironment, name: string, meaning: string): string {
  const value = env[name] ?? '';
  if (value === '') throw new Error(`${name} is missing: k6 run -e ${name}=… with ${meaning}.`);
  return value;
}

/** LIMITS states the numbers as JSON; otherwise PLAN names a plan in the file that PLANS names. */
function limitsIn(env: ScriptEnvironment, read: (path: string) => string): Limits {
  if (env['LIMITS'] !== undefined) return JSON.parse(env['LIMITS']) as Limits;
  return planInFile(env, env['PLAN'] ?? 'free', read);
}

function planLimits(env: ScriptEnvironment, name: string, read: (path: string) => string): Limits {
  const stated = JSON.parse(env['PLAN_LIMITS'] ?? '{}') as Readonly<Record<string, Limits>>;
  return stated[name] ?? planInFile(env, name, read);
}

function planInFile(env: ScriptEnvironment, name: string, read: (path: string) => string): Limits {
  const { plans, minuteSeconds, daySeconds } = JSON.parse(
    read(env['PLANS'] ?? '../../spec/plans.json'),
  ) as Plans;
  const plan = plans[name];
  if (plan === undefined) {
    throw new Error(`There is no plan "${name}"; the plans are ${Object.keys(plans).join(', ')}.`);
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
