import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { UserError } from '../../../kernel/basics/errors.ts';
import { PRODUCT_PARTS } from '../../../kernel/basics/product.ts';
import { COMMAND, didYouMean, nearest } from '../../../kernel/basics/text.ts';
import { fileTrouble } from '../../../kernel/basics/user-files.ts';
import type { Row } from '../row.ts';
import { OPTION_NAMES, options } from '../table.ts';

/** A configuration file that keeps its schema: the entries that are no options, and the others as they stand there. */
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

type Schema = Readonly<Record<string, unknown>>;

/** Entries of an object by their names: a schema, or further entries. */
type Entries = Map<string, Schema | Entries>;

const OWN: Readonly<Record<string, Schema>> = {
  $schema: { description: 'Address of this schema, for editors.', type: 'string' },
  target: {
    description:
      'The name of the target that is tested where --target is not given. It may be absent where there is one target.',
    type: 'string',
  },
  'targets.*.allowLoad': {
    description:
      'The host of "url" once more (staging.example.com): you confirm that you are authorized to load it, and it counts where --target names this target; or false: load must not use this target.',
    type: ['string', 'boolean'],
    not: { const: true },
    pattern: String.raw`^(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])$`,
  },
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  targets: 'The services, by names that --target takes.',
  'targets.*.keys': 'The environment variables with the keys.',
  certify: 'How certify tests.',
  load: 'How load runs a profile.',
  'certify-client': 'How certify-client tests a client.',
};

const VARIABLE: Schema = {
  description:
    'The name of an environment variable that begins with PETSTORE_, never a key itself: a file from elsewhere must not send other secrets to its target.',
  type: 'string',
  pattern: '^PETSTORE_[A-Z0-9_]+$',
};
const TEXT: Schema = { type: 'string', minLength: 1 };

/** The JSON Schema of the configuration file: its own entries, and every option at its place. */
export function configSchema(): Schema {
  const entries: Entries = new Map();
  for (const [path, schema] of Object.entries(OWN)) place(entries, path.split('.'), schema);
  for (const name of OPTION_NAMES) {
    const row = options[name];
    for (const path of row.file ?? []) place(entries, path.split('.'), schemaOf(row, path));
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of petstore-conformance',
    description:
      'The options of certify, load and certify-client in a file, petstore-conformance.json in the current folder or the file of --config. An option on the command line wins. Paths are relative to the folder of the file and stay below it. Keys are named by the environment variables that hold them, and never stand in this file.',
    ...objectOf(entries, ''),
  };
}

function place(entries: Entries, [first = '', ...rest]: readonly string[], schema: Schema): void {
  if (rest.length === 0) return void entries.set(first, schema);
  const known = entries.get(first);
  const inner: Entries = known instanceof Map ? known : new Map();
  entries.set(first, inner);
  place(inner, rest, schema);
}

function objectOf(entries: Entries, path: string): Schema {
  const described = path in DESCRIPTIONS ? { description: DESCRIPTIONS[path] } : {};
  const properties = Object.fromEntries(
    [...entries].map(([name, entry]) => [
      name,
      entry instanceof Map ? objectOf(entry, `${path}.${name}`.replace(/^\./, '')) : entry,
    ]),
  );
  const { '*': each } = properties;
  if (each !== undefined) {
    const names = { minProperties: 1, propertyNames: { pattern: '^[a-z][a-z0-9-]*$' } };
    return { ...described, type: 'object', ...names, additionalProperties: each };
  }
  const required = 'url' in properties ? { required: ['url'] } : {};
  return { ...described, type: 'object', additionalProperties: false, ...required, properties };
}

/** The schema of one option. @param path where it stands, for the words of its command. */
function schemaOf(row: Row, path: string): Schema {
  const { sentence, sentences = {} } = row;
  const description = path.startsWith('certify-client.')
    ? (sentences['certify-client'] ?? sentence)
    : sentence;
  return { description: sentenceOf(description), ...typeOf(row) };
}

function typeOf(row: Row): Schema {
  switch (row.kind) {
    case 'switch':
      return { type: 'boolean' };
    case 'number':
      return { type: 'integer', minimum: row.least ?? 1, maximum: row.most };
    case 'choice':
      return { enum: row.choices };
    case 'list':
    case 'words':
      return { type: 'array', minItems: 1, items: TEXT };
    case 'pairs':
      return { type: 'object', additionalProperties: row.between === '=' ? VARIABLE : { type: 'string' } };
    case 'variable':
      return VARIABLE;
    case 'product':
      return {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(PRODUCT_PARTS.map((part) => [part, TEXT])),
      };
    case 'file':
    case 'folder':
      return { ...(row.contents ?? TEXT) };
    default:
      return { type: 'string' };
  }
}

const sentenceOf = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

let keeps: ValidateFunction<Config> | undefined;

/**
 * Reads a configuration file.
 * @throws {UserError} when it cannot be read, is not JSON or breaks its schema. The sentence names the file, the place
 * and what to do, and repeats no value: someone may have put a key there.
 */
export function readConfig(file: string): Config {
  const value = parsed(file);
  keeps ??= new Ajv2020({ verbose: true, strictTypes: false }).compile<Config>(configSchema());
  if (keeps(value)) return value;
  throw new UserError(`${file}: ${troubleOf(keeps.errors?.[0])}`);
}

function parsed(file: string): unknown {
  const text = textOf(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = placeIn(text, error instanceof Error ? error.message : '');
    throw new UserError(
      `${file} is not JSON${place}: correct it there. Trailing commas and comments are not allowed.`,
    );
  }
}

function textOf(file: string): string {
  try {
    // Editors of Windows begin a text with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UserError(
      `The configuration file ${file} cannot be read: ${fileTrouble(error)}. "${COMMAND} init" writes one.`,
    );
  }
}

/** Line and column of a mistake, where Node's message states its position. */
function placeIn(text: string, message: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  const before = position === undefined ? text : text.slice(0, Number(position));
  const lines = before.split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
}

function troubleOf(error: ErrorObject | undefined): string {
  if (error === undefined) return 'it does not keep its schema.';
  const { keyword, params, message = 'is wrong', parentSchema = {} } = error;
  const place = placeOf(error.instancePath);
  const { description, properties } = parentSchema as { description?: string; properties?: object };
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const known = Object.keys(properties ?? {});
    const likely = nearest(name, known);
    const advice =
      likely === undefined ? `These are possible: ${known.join(', ')}.` : `Did you mean "${likely}"?`;
    return `${place} has an unknown entry "${name.slice(0, 40)}". ${advice}`;
  }
  if (keyword === 'required') {
    const missing = String(params['missingProperty']);
    return `${place} has no "${missing}": add it.`;
  }
  const rule = keyword === 'pattern' || keyword === 'not' ? 'has a form that is not allowed' : message;
  return `${place} ${rule}${description === undefined ? '' : `. It takes: ${description.replace(/\.$/, '')}`}.`;
}

/** `targets.staging.url`, as people write it. */
const placeOf = (pointer: string): string =>
  pointer === ''
    ? 'the file'
    : pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');

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
