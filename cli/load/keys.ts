import { readFileSync } from 'node:fs';
import type { KeyAlias, Profile, Scenario } from '../../load/model/profile.ts';
import type { Keys } from '../../suites/index.ts';
import { checkedKey } from '../../suites/inputs/checked-keys.ts';
import { OTHER_KEY_VARIABLE } from '../../suites/inputs/input-names.ts';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';

/** Where the keys of a fleet are to be found. Names only, never a key. */
export interface FleetSources {
  readonly fleetKeysEnv?: string;
  readonly fleetKeysFile?: string;
}

/** The key of each lane. */
export type ScenarioKeys = Readonly<Partial<Record<KeyAlias, string>>>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable with a fleet's keys that is read where no other is named. */
const FLEET_VARIABLE = 'PETSTORE_API_KEYS';

/**
 * The fleet: the key itself first, then those of a variable or a file, apart by commas or white space.
 * @throws {UserError} when one cannot be sent, or two are the same.
 */
export function readFleet(
  key: string,
  { fleetKeysEnv, fleetKeysFile }: FleetSources,
  env: Environment,
): readonly string[] {
  if (fleetKeysEnv !== undefined && fleetKeysFile !== undefined) {
    throw new UserError('--fleet-keys-env and --fleet-keys-file both name keys: give one of them.');
  }
  const text = fleetKeysFile === undefined ? variable(fleetKeysEnv, env) : contents(fleetKeysFile);
  const given = text.split(/[\s,]+/).filter((one) => one !== '' && one !== key);
  const further = given.map((one, at) => checkedKey(one, `Key ${at + 2} of the fleet`));
  const repeated = further.findIndex((one, at) => further.indexOf(one) !== at);
  if (repeated === -1) return [key, ...further];
  throw new UserError(
    `A key stands twice among those of the fleet (at ${further.indexOf(further[repeated] ?? '') + 2} and ${repeated + 2}, the key itself being the first): its limit would be used twice.`,
  );
}

function variable(name: string | undefined, env: Environment): string {
  if (name === undefined) return env[FLEET_VARIABLE] ?? '';
  const value = env[name];
  if (value !== undefined && value.trim() !== '') return value;
  throw new UserError(
    'The environment variable that --fleet-keys-env names is not set, or empty (its name is not repeated here, in case it was a key itself): put the keys there, apart by spaces or commas, then pass its name.',
  );
}

function contents(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(`The file of the fleet's keys, ${path}, cannot be read: ${fileTrouble(error)}.`);
  }
}

/** @throws {UserError} when the profile needs a key that was not given. */
export function checkNeeds({ id, needs }: Profile, { other, disposable }: Keys): void {
  if (needs.includes('other key') && other === undefined) {
    throw new UserError(
      `${id} needs a key of another caller: put it into ${OTHER_KEY_VARIABLE}, or name its variable with --other-key-env.`,
    );
  }
  if (needs.includes('disposable key') && disposable === undefined) {
    throw new UserError(
      `${id} needs a key of the same plan that may be banned: name its variable with --disposable-key-env.`,
    );
  }
}

/** The keys of these lanes, by their names. */
export function scenarioKeys(
  scenarios: readonly Scenario[],
  keys: Keys,
  fleet: readonly string[],
): ScenarioKeys {
  const named: Readonly<Record<string, string | undefined>> = {
    key: keys.key,
    other: keys.other,
    disposable: keys.disposable,
    ...Object.fromEntries(fleet.map((one, at) => [`fleet-${at + 1}`, one])),
  };
  return Object.fromEntries(
    scenarios.flatMap(({ key }) => {
      const value = named[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
