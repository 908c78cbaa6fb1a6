import { pageOf } from '../../interfaces/handbook/page.ts';
import { FLAGS, VARIABLES } from '../../interfaces/options/command-line.ts';
import { configSchema } from '../../interfaces/options/config-file/read-config.ts';
import type { Taker } from '../../interfaces/options/row.ts';
import { placeholderOf } from '../../interfaces/options/row.ts';
import type { OptionName } from '../../interfaces/options/table.ts';
import { options, optionsOf } from '../../interfaces/options/table.ts';
import { register } from '../../spec/register.ts';
import type { Generators } from './blocks.ts';
import { table } from './blocks.ts';

const FOLDER = 'docs/requirements';

/** The pages of the requirements, those of a chapter in one file below their list, with links that work in the repository. */
export const requirementPages = (): readonly (readonly [file: string, text: string])[] => [
  ...chapters().map((chapter) => {
    const own = entriesOf(chapter);
    const list = own.map(
      ({ id, level, sentence }) => `- [${id}](#${id.toLowerCase()}) (${level}): ${sentence}`,
    );
    const pages = own.map(({ id }) => pageOf(id).replaceAll(/^#/gm, '##').trimEnd());
    const text = [`# ${chapter}`, list.join('\n'), ...pages].join('\n\n');
    return [`${FOLDER}/${fileOf(chapter)}`, linked(`${text}\n`)] as const;
  }),
];

/** The chapters, each with the beginnings of its ids, so that a reader finds the page of an id. */
export function chapterList(): string {
  const items = chapters().map((chapter) => {
    const prefixes = new Set(entriesOf(chapter).map(({ id }) => id.replace(/-[0-9]+$/, '')));
    return `- [${chapter}](${fileOf(chapter)}): ${[...prefixes].join(', ')}`;
  });
  return items.join('\n');
}

const entriesOf = (chapter: string) => register.filter((one) => one.chapter === chapter);

const chapters = (): readonly string[] => [...new Set(register.map(({ chapter }) => chapter))];

/** `Media and HTTP` is in `media-and-http.md`. */
const fileOf = (chapter: string): string => `${chapter.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.md`;

/** The places that a page names as links. */
const linked = (text: string): string =>
  text
    .replaceAll(/\((interface-specification\.md#[\w-]+)\)/g, '([$1](../../spec/$1))')
    .replaceAll(/^- (.+) \((kernel\/rate-limits\/BOUNDS\.md#[\w-]+)\)$/gm, '- [$1](../../$2)');

/** The options of the commands that read a configuration file, and of Playwright. */
export const optionTables: Generators = {
  'options-certify': () => commandTable('certify'),
  'options-load': () => commandTable('load'),
  'options-certify-client': () => commandTable('certify-client'),
  'options-playwright': playwrightTable,
};

/** The schema of the configuration file for editors: its path in the project and its text. */
export const configurationSchema = (): readonly [path: string, text: string] => [
  'interfaces/options/config-file/config.schema.json',
  `${JSON.stringify(configSchema(), null, 2)}\n`,
];

function commandTable(taker: Taker): string {
  const rows = optionsOf(taker)
    .filter((name) => options[name].kind !== 'words')
    .map((name) => [flagOf(name), placesOf(name, taker), sentenceOf(name, taker)]);
  return table(['Option', 'In the configuration file', 'What it does'], rows);
}

function playwrightTable(): string {
  const rows = optionsOf('playwright').map((name) => [
    `\`${name}\``,
    options[name].kind === 'product' ? '' : `\`${VARIABLES[name]}\``,
    optionsOf('certify').includes(name) ? flagOf(name) : '',
    sentenceOf(name, 'playwright'),
  ]);
  return table(['Option', 'Variable', 'Option of `certify`', 'What it does'], rows);
}

function flagOf(name: OptionName): string {
  const row = options[name];
  if (row.kind === 'product') return '';
  const placeholder = placeholderOf(row);
  const takes = placeholder === undefined ? '' : ` ${placeholder.toUpperCase().replaceAll('|', ' or ')}`;
  return `\`${FLAGS[name]}${takes}\`${row.off === undefined ? '' : `, \`${FLAGS[name].replace('--', '--no-')}\``}`;
}

const placesOf = (name: OptionName, taker: Taker): string =>
  (options[name].file ?? [])
    .filter((path) => path.startsWith('targets.') || path.startsWith(`${taker}.`) || !path.includes('.'))
    .map((path) => `\`${path.replace('targets.*.', 'targets.NAME.')}\``)
    .join(', ');

function sentenceOf(name: OptionName, taker: Taker): string {
  const { sentence, sentences, usual, preset } = options[name];
  const standard = preset ?? usual;
  return `${sentences?.[taker] ?? sentence}${standard === undefined ? '' : ` (default: \`${standard}\`)`}`;
}
