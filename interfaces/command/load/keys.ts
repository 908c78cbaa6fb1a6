import { UserError } from '../../../kernel/basics/user-error.ts';
import { readUserFile } from '../../../kernel/basics/user-file.ts';
import type { ListedKey } from '../../../load/model/key-list.ts';
import { parseKeyList } from '../../../load/model/key-list.ts';
import type { Profile } from '../../../load/model/profile.ts';
import { checkedKey } from '../../../suites/service/inputs/checked-keys.ts';
import type { Keys } from '../../../suites/service/wire/keyring.ts';
import type { OptionValues } from '../../options/table.ts';
import { options } from '../../options/table.ts';

type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The keys of the fleet: the key under test first, then those of a variable or file, separated by commas or white space.
 * @throws {UserError} when a key is invalid, or two are the same.
 */
export function readFleet(
  key: string,
  { fleetKeysEnv, fleetKeysFile }: OptionValues,
  env: ProcessEnvironment,
): readonly string[] {
  if (fleetKeysEnv !== undefined && fleetKeysFile !== undefined) {
    throw new UserError('--fleet-keys-env and --fleet-keys-file exclude each other: give one of them.');
  }
  const text =
    fleetKeysFile === undefined
      ? fromVariable(fleetKeysEnv, env)
      : readUserFile(fleetKeysFile, 'The fleet key file');
  const listed = text.split(/[\s,]+/).filter((one) => one !== '' && one !== key);
  const further = listed.map((one, at) => checkedKey(one, `Key ${at + 2} of the fleet`));
  const repeated = further.findIndex((one, at) => further.indexOf(one) !== at);
  if (repeated === -1) return [key, ...further];
  throw new UserError(
    `Keys ${further.indexOf(further[repeated] ?? '') + 2} and ${repeated + 2} of the fleet are the same (the key under test is key 1): remove one of them, because its limit would be exceeded.`,
  );
}

/**
 * Reads a file of keys, each with its plan, as `parseKeyList` does.
 * @throws {UserError} when a key is invalid, or two are the same. The message names lines and never repeats a key.
 */
export function readKeysFile(path: string): readonly ListedKey[] {
  const listed = parseKeyList(readUserFile(path, 'The keys file'));
  if (listed.length === 0) throw new UserError(`The keys file ${path} holds no key: write one on each line.`);
  const lineOf = new Map<string, number>();
  for (const { key, line } of listed) {
    checkedKey(key, `The key in line ${line} of ${path}`);
    const first = lineOf.get(key);
    if (first !== undefined)
      throw new UserError(
        `Lines ${first} and ${line} of ${path} hold the same key: remove one of them, because its limit would be exceeded.`,
      );
    lineOf.set(key, line);
  }
  return listed;
}

function fromVariable(name: string | undefined, env: ProcessEnvironment): string {
  if (name === undefined) return env[options.fleetKeysEnv.usual ?? ''] ?? '';
  const value = env[name];
  if (value !== undefined && value.trim() !== '') return value;
  throw new UserError(
    'The environment variable that --fleet-keys-env names is empty or not set (its name is not repeated here, in case it is a key): set it to the keys, separated by spaces or commas, and pass its name.',
  );
}

/** @throws {UserError} when the profile needs a key that was not given. */
export function checkNeeds({ id, needs }: Profile, { other, disposable }: Keys): void {
  if (needs.includes('other key') && other === undefined) {
    throw new UserError(
      `${id} needs a key of another caller: set ${options.otherKeyEnv.usual}, or name its variable with --other-key-env.`,
    );
  }
  if (needs.includes('disposable key') && disposable === undefined) {
    throw new UserError(
      `${id} needs a key of the same plan that may get banned: name its variable with --disposable-key-env.`,
    );
  }
}
