import { PRODUCT_PARTS } from '../../../kernel/basics/product.ts';
import type { Row } from '../row.ts';
import { OPTION_NAMES, options } from '../table.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Entries of an object by their names: a schema, or further entries. */
type Entries = Map<string, Schema | Entries>;

/** What the file has besides options. */
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
