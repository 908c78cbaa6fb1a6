import { configSchema } from '../../interfaces/options/config-file/schema.ts';
import { FLAGS, VARIABLES } from '../../interfaces/options/names.ts';
import type { Taker } from '../../interfaces/options/row.ts';
import { placeholderOf } from '../../interfaces/options/row.ts';
import type { OptionName } from '../../interfaces/options/table.ts';
import { options, optionsOf } from '../../interfaces/options/table.ts';
import type { Generator } from './blocks.ts';
import { table } from './blocks.ts';

/** The options of the commands that read a configuration file, and of Playwright. */
export const optionTables: readonly Generator[] = [
  ...(['certify', 'load', 'certify-client'] as const).map((taker) => ({
    name: `options-${taker}`,
    render: () => commandTable(taker),
  })),
  { name: 'options-playwright', render: playwrightTable },
];

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
