import { join } from 'node:path';
import type { Plans } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { Product } from '../../words/product.ts';
import { readProduct } from '../../words/product.ts';
import { UserError } from '../../words/user-error.ts';
import { rejectBesideQuick } from '../inputs/beside-quick.ts';
import { readChallenge } from '../inputs/challenge.ts';
import type { InputNames } from '../inputs/input-names.ts';
import { ENVIRONMENT } from '../inputs/input-names.ts';
import { readNamePattern } from '../inputs/name-pattern.ts';
import type { OpenapiSource } from '../inputs/openapi/source.ts';
import { readOpenapiSource } from '../inputs/openapi/source.ts';
import type { TargetAccess, TargetOptions } from '../inputs/target-access.ts';
import { readTargetAccess } from '../inputs/target-access.ts';
import type { Selection } from '../model/journal.ts';
import { readSelection } from '../run/read-selection.ts';
import type { PetstoreOptions } from './options.ts';
import { environmentOptions, partsOf, present, variableValue } from './options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What options and environment say of a run. */
export interface PlaywrightSettings {
  readonly target: TargetAccess;
  readonly plan: string;
  readonly plans: Plans;
  /** The user states that no other client uses the key under test during the run. */
  readonly exclusiveKey: boolean;
  /** Whether two further windows are tested. */
  readonly thorough: boolean;
  /** Use the daily quota of the key, which must not have been used for a day. */
  readonly spendDay: boolean;
  /** The pattern for the names of created categories, where the service restricts them. */
  readonly namePattern: string | undefined;
  /** The examiner's text that the names carry. */
  readonly challenge: string | undefined;
  readonly openapi: OpenapiSource | undefined;
  /** What the user states about the product under test. */
  readonly product: Product | undefined;
  /** What options limit the run to. */
  readonly selection: Selection | undefined;
  /** What the user calls the inputs. */
  readonly names: InputNames;
}

/**
 * Reads everything that `certify` has an option for: the target, how to reach it, the plan and the keys.
 * An option counts before the environment variable that stands for it.
 * @throws {UserError | PlanFileError} when one is missing or wrong; no message repeats a key.
 */
export function readPlaywrightSettings(given: PetstoreOptions, env: Environment): PlaywrightSettings {
  const options = merged(given, env);
  const names = namesFor(given);
  const { target, namePattern, openapi, only, skip, quick } = options;
  if (target === undefined) {
    throw new UserError(
      'No target: set PETSTORE_TARGET to the base address of the service, such as https://api.example.com/v1, and PETSTORE_API_KEY to a key of it (or set PETSTORE_JOURNAL to the journal of a recorded run). In a Playwright configuration, use: { petstore: { target: … } } stands for PETSTORE_TARGET.',
    );
  }
  rejectBesideQuick(options, names);
  return {
    target: readTargetAccess(target, targetOptions(options, env), names, env),
    plan: options.plan ?? 'free',
    plans: typeof options.plans === 'object' ? options.plans : loadPlans(options.plans),
    exclusiveKey: options.exclusiveKey === true,
    thorough: options.thorough === true,
    spendDay: options.spendDay === true,
    namePattern: namePattern === undefined ? undefined : readNamePattern(namePattern, names.namePattern),
    challenge: readChallenge(options.challenge, namePattern, names),
    openapi: openapi === undefined ? undefined : readOpenapiSource(openapi, names.openapi, env),
    selection: readSelection({ only: listOf(only), skip: listOf(skip), quick }, names),
    names,
    product: statedProduct(env),
  };
}

function statedProduct(env: Environment): Product | undefined {
  const { name, vendor, version, configuration } = ENVIRONMENT.product;
  return readProduct(
    {
      name: variableValue(env, name),
      vendor: variableValue(env, vendor),
      version: variableValue(env, version),
      configuration: variableValue(env, configuration),
    },
    ENVIRONMENT.product,
  );
}

/** An option counts before every variable; the name of a variable with the key also before the file that the environment names. */
function merged(given: PetstoreOptions, env: Environment): PetstoreOptions {
  const { apiKeyFile, ...others } = environmentOptions(env);
  const file = apiKeyFile === undefined || given.apiKeyEnv !== undefined ? {} : { apiKeyFile };
  return { ...others, ...file, ...present(given) };
}

/** The inputs of this interface as the texts that every face reads. */
function targetOptions(options: PetstoreOptions, env: Environment): TargetOptions {
  const { apiKeyEnv, apiKeyFile, otherKeyEnv, exhaustedKeyEnv, disposableKeyEnv, ca, cert, certKey } =
    options;
  const named = { apiKeyEnv, apiKeyFile, otherKeyEnv, exhaustedKeyEnv, disposableKeyEnv, ca, cert, certKey };
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return {
    ...given,
    planKey: pairs(options.planKeys, '=') ?? partsOf(env, ENVIRONMENT.planKey, /[\s,]+/) ?? [],
    header: pairs(options.headers, ': ') ?? partsOf(env, ENVIRONMENT.headers, /\r?\n/) ?? [],
    headerEnv: pairs(options.headerEnv, '=') ?? partsOf(env, 'PETSTORE_HEADER_ENV', /[\s,]+/) ?? [],
  };
}

const pairs = (
  values: Readonly<Record<string, string>> | undefined,
  between: string,
): readonly string[] | undefined =>
  values === undefined
    ? undefined
    : Object.entries(values).map(([name, value]) => `${name}${between}${value}`);

const listOf = (names: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof names === 'string' ? [names] : names;

/** The inputs whose name depends on where they were given. */
const OPTION_OF = {
  target: 'target',
  certificateAuthority: 'ca',
  headers: 'headers',
  openapi: 'openapi',
  namePattern: 'namePattern',
  planKey: 'planKeys',
  spendDay: 'spendDay',
  challenge: 'challenge',
  thorough: 'thorough',
  only: 'only',
  skip: 'skip',
  quick: 'quick',
} as const satisfies Partial<Record<keyof InputNames, keyof PetstoreOptions>>;

/** The names of options where they were given, and of variables elsewhere. */
function namesFor(given: PetstoreOptions): InputNames {
  const changed = Object.entries(OPTION_OF).flatMap(([input, option]) =>
    given[option] === undefined ? [] : [[input, `petstore.${option}`]],
  );
  return { ...ENVIRONMENT, ...Object.fromEntries(changed) };
}

/** Where a run is recorded or was recorded, and how it is judged. */
export interface JudgingSettings {
  /** For the journal and the reports. */
  readonly folder: string;
  readonly journal: string;
  /** Whether the journal was recorded before: then nothing is sent. */
  readonly recorded: boolean;
  /** Whether every warning counts as a violation. */
  readonly strict: boolean;
  /** The path of a baseline, and of one to write. */
  readonly baseline: string | undefined;
  readonly baselineWrite: string | undefined;
}

/** Reads where the journal is, and how it is judged. Reads no file. */
export function readJudgingSettings(given: PetstoreOptions, env: Environment): JudgingSettings {
  const options = merged(given, env);
  const { out = join('out', 'playwright'), journal, strict, baseline, baselineWrite } = options;
  return {
    folder: out,
    journal: journal ?? join(out, JOURNAL),
    recorded: journal !== undefined,
    strict: strict === true,
    baseline,
    baselineWrite,
  };
}

/** The name of the journal in the folder of a run. */
export const JOURNAL = 'journal.ndjson';
