import { UserError } from '../../../kernel/basics/errors.ts';
import { isJsonObject } from '../../../kernel/basics/json.ts';
import { productShape } from '../../../kernel/basics/product.ts';
import type { JsonSchema, Shape } from '../../../kernel/basics/shape.ts';
import {
  about,
  closed,
  exactly,
  flag,
  leaf,
  listOf,
  mapOf,
  matching,
  maybe,
  object,
  schemaOf,
  someText,
  text,
  troubleText,
  where,
} from '../../../kernel/basics/shape.ts';
import { capitalized, didYouMean } from '../../../kernel/basics/text.ts';
import { readUserFile } from '../../../kernel/basics/user-files.ts';
import type { Row } from '../row.ts';
import { OPTION_NAMES, options } from '../table.ts';

/** A configuration file that keeps its shape: the entries that are no options, and the others as they stand there. */
export interface Config {
  readonly target?: string;
  readonly targets?: Readonly<Record<string, ConfiguredTarget>>;
  readonly [entry: string]: unknown;
}

export interface ConfiguredTarget {
  readonly url: string;
  /** The host of `url` once more, or false: load must not use this target. */
  readonly allowLoad?: string | false;
  readonly [entry: string]: unknown;
}

const VARIABLE = about(
  'The name of an environment variable that begins with PETSTORE_, never a key itself: a file from elsewhere must not send other secrets to its target.',
  matching(
    /^PETSTORE_[A-Z0-9_]+$/,
    'the name of an environment variable that begins with PETSTORE_, never a key itself',
  ),
);

const HOST = /^(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])$/;

const allowLoad = about(
  'The host of "url" once more (staging.example.com): you confirm that you are authorized to load it, and it counts where --target names this target; or false: load must not use this target.',
  leaf(
    (value) => value === false || (typeof value === 'string' && HOST.test(value)),
    'the host of "url" once more, or false',
    { type: ['string', 'boolean'], not: { const: true }, pattern: HOST.source },
  ),
);

/** Whatever reads the contents of a file checks them. */
const anyObject = leaf(isJsonObject, 'an object', { type: 'object' });

function shapeOf(row: Row): Shape<unknown> {
  if (row.contents === 'thresholds') return listOf(anyObject, 1);
  switch (row.kind) {
    case 'switch':
      return flag;
    case 'number': {
      const { least: minimum = 1, most: maximum } = row;
      return leaf(
        (value) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
        `a whole number from ${minimum} to ${maximum}`,
        { type: 'integer', minimum, maximum },
      );
    }
    case 'choice':
      return exactly(...row.choices);
    case 'list':
    case 'words':
      return listOf(someText, 1);
    case 'pairs':
      return mapOf(row.between === '=' ? VARIABLE : text);
    case 'variable':
      return VARIABLE;
    case 'product':
      return closed(object(productShape.fields));
    case 'file':
    case 'folder':
      return someText;
    default:
      return text;
  }
}

/** The options that stand in this section. @param path with its last dot; empty for the file itself. */
const optionsIn = (path: string): Readonly<Record<string, Shape<unknown>>> =>
  Object.fromEntries(
    OPTION_NAMES.flatMap((name) =>
      (options[name].file ?? []).flatMap((place) => {
        const entry = place.slice(path.length);
        if (!place.startsWith(path) || entry.includes('.')) return [];
        const { sentence, sentences } = options[name];
        const words = (path === 'certify-client.' && sentences?.['certify-client']) || sentence;
        return [[entry, maybe(about(`${capitalized(words)}.`, shapeOf(options[name])))]];
      }),
    ),
  );

const section = (description: string, path: string) => maybe(closed(object(description, optionsIn(path))));

const target = closed(
  object({
    ...optionsIn('targets.*.'),
    url: about(
      `${capitalized(options.target.sentence)}.`,
      leaf((value) => typeof value === 'string', 'the base address of the service, including /v1', {
        type: 'string',
      }),
    ),
    allowLoad: maybe(allowLoad),
    keys: section('The environment variables with the keys.', 'targets.*.keys.'),
  }),
);

const TARGET_NAME = /^[a-z][a-z0-9-]*$/;

const configShape = closed(
  object(
    'The options of certify, load and certify-client in a file, petstore-conformance.json in the current folder or the file of --config. An option on the command line wins. Paths are relative to the folder of the file and stay below it. Keys are named by the environment variables that hold them, and never stand in this file.',
    {
      $schema: maybe(about('Address of this schema, for editors.', text)),
      target: maybe(
        about(
          'The name of the target that is tested where --target is not given. It may be absent where there is one target.',
          text,
        ),
      ),
      targets: maybe(
        about(
          'The services, by names that --target takes.',
          where(
            mapOf(target),
            (targets) =>
              Object.keys(targets).length > 0 && Object.keys(targets).every((name) => TARGET_NAME.test(name)),
            'must have at least one target, each named by a small letter and then also digits and -',
            { minProperties: 1, propertyNames: { pattern: TARGET_NAME.source } },
          ),
        ),
      ),
      certify: section('How certify tests.', 'certify.'),
      load: section('How load runs a profile.', 'load.'),
      'certify-client': section('How certify-client tests a client.', 'certify-client.'),
      ...optionsIn(''),
    },
  ),
);

/** The JSON Schema of the configuration file: its own entries, and every option at its place. */
export const configSchema = (): JsonSchema => schemaOf('Configuration of petstore-conformance', configShape);

/**
 * Reads a configuration file.
 * @throws {UserError} when it cannot be read, is not JSON or has another shape. The sentence names the file, the place
 * and what to do, and repeats no value: someone may have put a key there.
 */
export function readConfig(file: string): Config {
  const value = parsed(file);
  if (configShape.is(value)) return value as Config;
  throw new UserError(`${file}: ${troubleText(value, configShape)}.`);
}

function parsed(file: string): unknown {
  // Editors of Windows begin a text with a byte order mark.
  const source = readUserFile(file, 'The configuration file').replace(/^\uFEFF/, '');
  try {
    return JSON.parse(source);
  } catch (error) {
    const place = placeIn(source, error instanceof Error ? error.message : '');
    throw new UserError(
      `${file} is not JSON${place}: correct it there. Trailing commas and comments are not allowed.`,
    );
  }
}

/** Line and column of a mistake, where Node's message states its position. */
function placeIn(source: string, message: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  const before = position === undefined ? source : source.slice(0, Number(position));
  const lines = before.split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
}

/** A target of a configuration file, and whether the user names it or the file does. */
export interface ChosenTarget {
  readonly name: string;
  readonly target: ConfiguredTarget;
  readonly isNamed: boolean;
}

/**
 * The target that the user names, or the one that the file prefers; none for an address.
 * @param asked a name or an address.
 * @throws {UserError} where there is no such target, or several and no choice.
 */
export function chooseTarget(
  asked: string | undefined,
  config: Config,
  file: string,
): ChosenTarget | undefined {
  if (asked !== undefined) {
    return asked.includes('/') ? undefined : { ...targetNamed(asked, config, file), isNamed: true };
  }
  const names = Object.keys(config.targets ?? {});
  if (names.length === 0) return undefined;
  const [only] = names.length === 1 ? names : [];
  const preferred = config.target ?? only;
  if (preferred !== undefined) return { ...targetNamed(preferred, config, file), isNamed: false };
  throw new UserError(
    `${file} has several targets (${names.join(', ')}): choose one with --target NAME, or name one in "target".`,
  );
}

function targetNamed(name: string, { targets = {} }: Config, file: string): Omit<ChosenTarget, 'isNamed'> {
  const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (target !== undefined) return { name, target };
  const names = Object.keys(targets);
  throw new UserError(
    `${file}: there is no target "${name.slice(0, 60)}": targets has ${names.join(', ') || 'no entry'}.${didYouMean(name, names)}`,
  );
}
