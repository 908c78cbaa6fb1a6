import { join } from 'node:path';
import type { Product } from '../../kernel/basics/product.ts';
import { readProduct } from '../../kernel/basics/product.ts';
import { UserError } from '../../kernel/basics/user-error.ts';
import { JOURNAL } from '../../reports/run-folder.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { InputNames, NamesWithKeys } from '../../suites/service/inputs/input-names.ts';
import { ENVIRONMENT } from '../../suites/service/inputs/input-names.ts';
import type { TargetAccess, TargetOptions } from '../../suites/service/inputs/target-access.ts';
import { readTargetAccess } from '../../suites/service/inputs/target-access.ts';
import type { Probe } from '../../suites/service/probes/probe.ts';
import type { SettledRun } from '../../suites/service/run/run-settings.ts';
import { settleRun } from '../../suites/service/run/run-settings.ts';
import { furtherKeysIn } from '../../suites/service/wire/keyring.ts';
import type { PetstoreOptions } from './options.ts';
import { environmentOptions, partsOf, present, variableValue } from './options.ts';
import { selectedIds } from './selection.ts';

/** A run, settled before anything is sent. */
export interface PlaywrightRun {
  readonly target: TargetAccess;
  readonly run: SettledRun;
  /** What the user calls the inputs. */
  readonly names: InputNames;
}

/**
 * Settles a run by options and environment: the probes that the selected tests need, or all where nothing limits it. An
 * option counts before the environment variable that stands for it.
 * @param wrapProbe how each probe is run; as it is by default.
 * @throws {UserError | PlanFileError} when an input is missing or wrong; no message repeats a key.
 */
export function settlePlaywrightRun(
  given: PetstoreOptions,
  env: NodeJS.ProcessEnv,
  wrapProbe?: (probe: Probe) => Probe,
): PlaywrightRun {
  const options = merged(given, env);
  const names = namesFor(given);
  if (options.target === undefined) {
    throw new UserError(
      'No target: set PETSTORE_TARGET to the base address of the service, such as https://api.example.com/v1, and PETSTORE_API_KEY to a key of it (or set PETSTORE_JOURNAL to the journal of a recorded run). In a Playwright configuration, use: { petstore: { target: … } } stands for PETSTORE_TARGET.',
    );
  }
  const target = readTargetAccess(options.target, targetOptions(options, env), names, env);
  const run = settleRun(options, {
    plans: typeof options.plans === 'object' ? options.plans : loadPlans(options.plans),
    furtherKeys: furtherKeysIn(target.keys),
    names,
    env,
    product: statedProduct(env),
    selected: selectedIds(env),
    wrapProbe,
  });
  return { target, run, names };
}

function statedProduct(env: NodeJS.ProcessEnv): Product | undefined {
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
function merged(given: PetstoreOptions, env: NodeJS.ProcessEnv): PetstoreOptions {
  const { apiKeyFile, ...others } = environmentOptions(env);
  const file = apiKeyFile === undefined || given.apiKeyEnv !== undefined ? {} : { apiKeyFile };
  return { ...others, ...file, ...present(given) };
}

/** The inputs of this interface as the texts that every face reads. */
function targetOptions(options: PetstoreOptions, env: NodeJS.ProcessEnv): TargetOptions {
  return {
    ...options,
    planKey: pairs(options.planKeys, '=') ?? partsOf(env, ENVIRONMENT.planKey, /[\s,]+/) ?? [],
    header: pairs(options.headers, ': ') ?? partsOf(env, ENVIRONMENT.headers, /\r?\n/) ?? [],
    headerEnv: pairs(options.headerEnv, '=') ?? partsOf(env, ENVIRONMENT.headerEnv, /[\s,]+/) ?? [],
  };
}

const pairs = (
  values: Readonly<Record<string, string>> | undefined,
  between: string,
): readonly string[] | undefined =>
  values === undefined
    ? undefined
    : Object.entries(values).map(([name, value]) => `${name}${between}${value}`);

/** The inputs whose name depends on where they were given. */
const OPTION_OF = {
  target: 'target',
  certificateAuthority: 'ca',
  cert: 'cert',
  certKey: 'certKey',
  headers: 'headers',
  headerEnv: 'headerEnv',
  openapi: 'openapi',
  namePattern: 'namePattern',
  planKey: 'planKeys',
  spendDay: 'spendDay',
  thorough: 'thorough',
  only: 'only',
  skip: 'skip',
  quick: 'quick',
} as const satisfies Partial<Record<keyof NamesWithKeys, keyof PetstoreOptions>>;

/** The names of options where they were given, and of variables elsewhere. */
function namesFor(given: PetstoreOptions): NamesWithKeys {
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
export function readJudgingSettings(given: PetstoreOptions, env: NodeJS.ProcessEnv): JudgingSettings {
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
