import type { Plans } from '../../spec/plans.ts';

/**
 * The options of `conformance()` and of `use: { petstore: … }` in a Playwright configuration: those of the command
 * `certify` that concern a target. Keys are given by the names of environment variables, because Playwright shows a
 * configuration in its reports. An option that is missing is read from an environment variable, which the README lists.
 */
export interface PetstoreOptions {
  /**
   * Configuration file; `petstore-conformance.json` in the current folder by default, where it exists, and none where
   * this is false. Its targets and its section `certify` count after every option and variable.
   */
  readonly config?: string | false;
  /** Base address of the service, including `/v1`, or the name of a target in the configuration file. */
  readonly target?: string;
  /** Name of the environment variable with the key under test; `PETSTORE_API_KEY` by default. */
  readonly apiKeyEnv?: string;
  /** File that holds the key under test. */
  readonly apiKeyFile?: string;
  /** Name of the variable with the key of another caller (LIMIT-7); `PETSTORE_OTHER_KEY` by default. */
  readonly otherKeyEnv?: string;
  /** Name of the variable with a key whose daily quota is exhausted (LIMIT-9). */
  readonly exhaustedKeyEnv?: string;
  /** Name of the variable with a key that may get banned (BAN-1, BAN-2). */
  readonly disposableKeyEnv?: string;
  /** For each further plan, the name of the variable with a key of it (RATE-5). */
  readonly planKeys?: Readonly<Record<string, string>>;
  /** Plan of the key; `free` by default. */
  readonly plan?: string;
  /** Limits and window lengths of the target: a plan file, or its contents. */
  readonly plans?: string | Plans;
  /** PEM file of a certificate authority to trust. */
  readonly ca?: string;
  /** PEM file of a client certificate. */
  readonly cert?: string;
  /** PEM file of the private key of `cert`. */
  readonly certKey?: string;
  /** Headers for a gateway whose values are no secrets, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For each header with a secret value, the name of the variable that holds it. */
  readonly headerEnv?: Readonly<Record<string, string>>;
  /** Address or file of the target's OpenAPI document (VER-2). */
  readonly openapi?: string;
  /** Pattern for the names of created categories, such as `Category {id}`. */
  readonly namePattern?: string;
  /** State that no other client uses the key during the run. */
  readonly exclusiveKey?: boolean;
  /** Test three windows in place of one. */
  readonly thorough?: boolean;
  /** Use the whole daily quota of the key, which must not have been used for a day (LIMIT-9). */
  readonly spendDay?: boolean;
  /** Test these requirements alone: ids, chapters and levels. */
  readonly only?: string | readonly string[];
  /** Leave these requirements out. */
  readonly skip?: string | readonly string[];
  /** Test what needs no 429, with few requests. */
  readonly quick?: boolean;
  /** Count every warning as a violation. */
  readonly strict?: boolean;
  /** File of known violations, each with reason, owner and expiry. */
  readonly baseline?: string;
  /** Write the violations of the run as a baseline to this file (by the reporter). */
  readonly baselineWrite?: string;
  /** Folder for the journal and the reports; `out/playwright` by default. */
  readonly out?: string;
  /** Journal of a recorded run to judge: nothing is sent. */
  readonly journal?: string;
}

/** What this package adds to `use` in a Playwright configuration: `defineConfig<PetstoreUse>({ … })`. */
export interface PetstoreUse {
  petstore: PetstoreOptions;
}

/** The options that the environment gives. */
export function environmentOptions(env: NodeJS.ProcessEnv): PetstoreOptions {
  const text = (name: string): string | undefined => variableValue(env, name);
  const parts = (name: string, separator: RegExp) => partsOf(env, name, separator);
  return present({
    config: isSet(env, 'PETSTORE_CONFIG') === false ? false : text('PETSTORE_CONFIG'),
    target: text('PETSTORE_TARGET'),
    apiKeyFile: text('PETSTORE_API_KEY_FILE'),
    plan: text('PETSTORE_PLAN'),
    plans: text('PETSTORE_PLANS'),
    ca: text('PETSTORE_CA_FILE'),
    cert: text('PETSTORE_CERT_FILE'),
    certKey: text('PETSTORE_CERT_KEY_FILE'),
    openapi: text('PETSTORE_OPENAPI'),
    namePattern: text('PETSTORE_NAME_PATTERN'),
    exclusiveKey: isSet(env, 'PETSTORE_EXCLUSIVE_KEY'),
    thorough: isSet(env, 'PETSTORE_THOROUGH'),
    spendDay: isSet(env, 'PETSTORE_SPEND_DAY'),
    only: parts('PETSTORE_ONLY', /,/),
    skip: parts('PETSTORE_SKIP', /,/),
    quick: isSet(env, 'PETSTORE_QUICK'),
    strict: isSet(env, 'PETSTORE_STRICT'),
    baseline: text('PETSTORE_BASELINE'),
    baselineWrite: text('PETSTORE_BASELINE_WRITE'),
    out: text('PETSTORE_OUT'),
    journal: text('PETSTORE_JOURNAL'),
  });
}

/** The options without those that are undefined, so that they hide no others. */
export const present = (
  options: {
    readonly [Name in keyof PetstoreOptions]: PetstoreOptions[Name] | undefined;
  },
): PetstoreOptions => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** Whether a variable switches something on or off: any value but 0, false and no switches on; undefined where it is not set. */
function isSet(env: NodeJS.ProcessEnv, name: string): boolean | undefined {
  const value = variableValue(env, name);
  return value === undefined ? undefined : !['0', 'false', 'no'].includes(value.toLowerCase());
}

/** The parts of a variable that holds several values; undefined where it holds none. */
export function partsOf(
  env: NodeJS.ProcessEnv,
  name: string,
  separator: RegExp,
): readonly string[] | undefined {
  const parts = (variableValue(env, name) ?? '').split(separator).filter((part) => part.trim() !== '');
  return parts.length === 0 ? undefined : parts;
}

/** Pipelines set the variable of a secret that does not exist to the empty text. */
export function variableValue(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name] ?? '';
  return value === '' ? undefined : value;
}
