import { join } from 'node:path';
import type { Plans } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { Product } from '../../words/product.ts';
import { readProduct } from '../../words/product.ts';
import { UserError } from '../../words/user-error.ts';
import { ENVIRONMENT } from '../inputs/input-names.ts';
import { readNamePattern } from '../inputs/name-pattern.ts';
import type { OpenapiSource } from '../inputs/openapi/source.ts';
import { readOpenapiSource } from '../inputs/openapi/source.ts';
import type { TargetAccess, TargetOptions } from '../inputs/target-access.ts';
import { readTargetAccess } from '../inputs/target-access.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says of a run. Playwright has no command line of its own for this program. */
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
  readonly openapi: OpenapiSource | undefined;
  /** What the user states about the product under test. */
  readonly product: Product | undefined;
}

/**
 * Reads everything that `certify` has an option for: the target, how to reach it, the plan and the keys.
 * @throws {UserError | PlanFileError} when a variable is missing or wrong; no message repeats a key.
 */
export function readPlaywrightSettings(env: Environment): PlaywrightSettings {
  const target = variableValue(env, ENVIRONMENT.target);
  if (target === undefined) {
    throw new UserError(
      'No target: set PETSTORE_TARGET to the base address of the service, such as https://api.example.com/v1, and PETSTORE_API_KEY to a key of it (or set PETSTORE_JOURNAL to the journal of a recorded run).',
    );
  }
  const namePattern = variableValue(env, ENVIRONMENT.namePattern);
  const openapi = variableValue(env, ENVIRONMENT.openapi);
  return {
    target: readTargetAccess(target, targetOptions(env), ENVIRONMENT, env),
    plan: variableValue(env, 'PETSTORE_PLAN') ?? 'free',
    plans: loadPlans(variableValue(env, 'PETSTORE_PLANS')),
    exclusiveKey: isSet(env, 'PETSTORE_EXCLUSIVE_KEY'),
    thorough: isSet(env, 'PETSTORE_THOROUGH'),
    spendDay: isSet(env, ENVIRONMENT.spendDay),
    namePattern:
      namePattern === undefined ? undefined : readNamePattern(namePattern, ENVIRONMENT.namePattern),
    openapi: openapi === undefined ? undefined : readOpenapiSource(openapi, ENVIRONMENT.openapi, env),
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

/** The variables as the options that they stand for. */
function targetOptions(env: Environment): TargetOptions {
  const apiKeyFile = variableValue(env, 'PETSTORE_API_KEY_FILE');
  const ca = variableValue(env, ENVIRONMENT.certificateAuthority);
  return {
    ...(apiKeyFile === undefined ? {} : { apiKeyFile }),
    ...(ca === undefined ? {} : { ca }),
    header: partsOf(env, ENVIRONMENT.headers, /\r?\n/),
    planKey: partsOf(env, ENVIRONMENT.planKey, /[\s,]+/),
  };
}

/** The folder for the journal and the JUnit report. */
export const outFolder = (env: Environment): string =>
  variableValue(env, 'PETSTORE_OUT') ?? join('out', 'playwright');

/** The journal to judge, and whether it was recorded before: then nothing is sent. */
export function journalOf(env: Environment): { readonly path: string; readonly recorded: boolean } {
  const recorded = variableValue(env, 'PETSTORE_JOURNAL');
  return recorded === undefined
    ? { path: join(outFolder(env), 'journal.ndjson'), recorded: false }
    : { path: recorded, recorded: true };
}

/** Whether every warning counts as a violation. */
export const isStrict = (env: Environment): boolean => isSet(env, 'PETSTORE_STRICT');

/** Whether a variable switches something on: any value but 0, false and no does. */
const isSet = (env: Environment, name: string): boolean =>
  !['0', 'false', 'no'].includes((variableValue(env, name) ?? '0').toLowerCase());

/** The parts of a variable that holds several values. */
const partsOf = (env: Environment, name: string, separator: RegExp): readonly string[] =>
  (variableValue(env, name) ?? '').split(separator).filter((part) => part.trim() !== '');

/** Pipelines set the variable of a secret that does not exist to the empty text. */
function variableValue(env: Environment, name: string): string | undefined {
  const value = env[name] ?? '';
  return value === '' ? undefined : value;
}
