import { shellWord } from '../../../kernel/basics/shell-word.ts';
import { isLoopback } from '../../../kernel/exchanges/loopback.ts';
import { isCounted } from '../layers.ts';
import type { OptionName, OptionValues } from '../table.ts';
import { OPTION_NAMES, options } from '../table.ts';
import type { ChosenTarget } from './choose-target.ts';
import type { ConfiguredTarget } from './config.ts';
import type { ConfigurableCommand } from './values.ts';
import { entryOf } from './values.ts';

/** What decides how a configuration is worded. */
interface Circumstances {
  readonly command: ConfigurableCommand;
  /** What the user gives in another way than by the file. */
  readonly given: OptionValues;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Which file and which target of it a run uses; which variables go to a target that is another machine, because the
 * file may come with a foreign repository; and what is missing where it permits load on a target that the user does not name.
 */
export function configurationSentence(
  file: string,
  chosen: ChosenTarget | undefined,
  circumstances: Circumstances,
): string {
  if (chosen === undefined) return `Configuration: ${file}.`;
  const { name, target, isNamed } = chosen;
  const hint =
    circumstances.command === 'load' && typeof target.allowLoad === 'string' && !isNamed
      ? ` (its "allowLoad" counts with --target ${shellWord(name)})`
      : '';
  return `Configuration: ${file}, target "${name}"${hint}.${receiverSentence(target, circumstances)}`;
}

function receiverSentence(target: ConfiguredTarget, { command, given, env }: Circumstances): string {
  if (!URL.canParse(target.url) || isLoopback(new URL(target.url))) return '';
  const counted = OPTION_NAMES.filter((name) => isCounted(name, given));
  const variables = counted.flatMap((name) => {
    const named = variablesIn(name, target);
    const { usual, takers } = options[name];
    const isUsual = usual !== undefined && env[usual] !== undefined && takers.includes(command);
    return named.length === 0 && isUsual ? [usual] : named;
  });
  if (variables.length === 0) return '';
  const { origin, pathname } = new URL(target.url);
  return ` ${origin}${pathname} receives the values of ${[...new Set(variables)].join(', ')}.`;
}

/** The variables that a target names for an option: one, or that of each pair. */
function variablesIn(name: OptionName, target: ConfiguredTarget): readonly string[] {
  const row = options[name];
  const entry = entryOf(name, target);
  if (row.kind === 'variable') return entry === undefined ? [] : [String(entry)];
  return row.kind === 'pairs' && row.between === '=' ? Object.values(Object(entry)).map(String) : [];
}
