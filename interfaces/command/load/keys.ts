import { UserError } from '../../../kernel/basics/errors.ts';
import { COMMAND } from '../../../kernel/basics/text.ts';
import { readUserFile } from '../../../kernel/basics/user-files.ts';
import type { K6 } from '../../../load/k6/find.ts';
import { findK6 } from '../../../load/k6/find.ts';
import type { ListedKey } from '../../../load/model/key-list.ts';
import { parseKeyList } from '../../../load/model/key-list.ts';
import type { Preview } from '../../../load/preview.ts';
import { checkedKey } from '../../../suites/service/inputs/checked-keys.ts';
import type { Keys } from '../../../suites/service/wire/keyring.ts';
import type { CommandOptions, OptionValues } from '../../options/table.ts';
import { options } from '../../options/table.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

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
  requireDistinct(
    further,
    (first, second) =>
      `Keys ${first + 2} and ${second + 2} of the fleet are the same (the key under test is key 1)`,
  );
  return [key, ...further];
}

/** @param sameText how a person finds the two, by their positions. */
function requireDistinct(keys: readonly string[], sameText: (first: number, second: number) => string): void {
  const positions = new Map<string, number>();
  for (const [at, key] of keys.entries()) {
    const first = positions.get(key);
    if (first !== undefined)
      throw new UserError(`${sameText(first, at)}: remove one of them, because its limit would be exceeded.`);
    positions.set(key, at);
  }
}

/**
 * Reads a file of keys, each with its plan, as `parseKeyList` does.
 * @throws {UserError} when a key is invalid, or two are the same. The message names lines and never repeats a key.
 */
export function readKeysFile(path: string): readonly ListedKey[] {
  const listed = parseKeyList(readUserFile(path, 'The keys file'));
  if (listed.length === 0) throw new UserError(`The keys file ${path} holds no key: write one on each line.`);
  for (const { key, line } of listed) checkedKey(key, `The key in line ${line} of ${path}`);
  const keys = listed.map(({ key }) => key);
  requireDistinct(
    keys,
    (first, second) =>
      `Lines ${listed[first]?.line} and ${listed[second]?.line} of ${path} hold the same key`,
  );
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

/** @throws {UserError} when the run needs a key that was not given. */
export function checkNeeds({ profile, needs }: Preview, { other, disposable }: Keys): void {
  if (needs.includes('other key') && other === undefined) {
    throw new UserError(
      `${profile} needs a key of another caller: set ${options.otherKeyEnv.usual}, or name its variable with --other-key-env.`,
    );
  }
  if (needs.includes('disposable key') && disposable === undefined) {
    throw new UserError(
      `${profile} needs a key of the same plan that may get banned: name its variable with --disposable-key-env.`,
    );
  }
}

/** Prints which k6 a load run uses and why; unless it is a dry run, installs the pinned one where none is found. */
export async function installK6(
  { dryRun, json }: CommandOptions<'load'>,
  terminal: Terminal,
): Promise<ExitCode> {
  const k6 = await findK6({
    install: dryRun !== true,
    report: (line) => void terminal.err.write(`${line}\n`),
  });
  if (json === true) print(terminal, JSON.stringify(k6, null, 2));
  else print(terminal, ...linesOf(k6));
  return k6.kind === 'found' ? EXIT.conforms : EXIT['no-run'];
}

function linesOf(k6: K6): readonly string[] {
  if (k6.kind === 'found') {
    return columns([
      ['k6', k6.version],
      ['Path', k6.path],
      ['Found', `${k6.source}: ${k6.because}`],
    ]);
  }
  const tried = k6.tried.map(({ source, why }) => ['', `${source}: ${why}`]);
  return [
    'No usable k6 was found.',
    ...columns(tried),
    `${k6.advice} Install the pinned release with: ${COMMAND} load --install`,
  ];
}
