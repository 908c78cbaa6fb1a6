import { UserError } from '../../kernel/basics/errors.ts';

/** What renders the Markdown of each block that is generated from code, by the name in its markers. */
export type Generators = Readonly<Record<string, () => string>>;

const BLOCK = /(<!-- generated:([\w-]+) -->).*?(<!-- \/generated -->)/gs;

/**
 * The document with the current content in every block `<!-- generated:NAME -->…<!-- /generated -->`;
 * `names` are the names of its blocks, in order. Text outside the markers is unchanged.
 * @throws {UserError} for a name without a generator.
 */
export function fillBlocks(
  file: string,
  text: string,
  generators: Generators,
): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const filled = text.replaceAll(BLOCK, (_, begin: string, name: string, end: string) => {
    names.push(name);
    const render = generators[name];
    if (render !== undefined) return `${begin}\n${render().trim()}\n${end}`;
    throw new UserError(
      `${file} has the generated block "${name}", for which there is no generator. Valid names: ${Object.keys(generators).join(', ')}.`,
    );
  });
  return { text: filled, names };
}

/** A Markdown table. Characters that would end a cell or a row are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
}
