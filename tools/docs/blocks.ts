/** What renders the Markdown of each block that is generated from code, by the name in its markers. */
export type Generators = Readonly<Record<string, () => string>>;

/** A block cannot be filled; the message says which, where, and what to do. */
export class DocsError extends Error {
  override readonly name = 'DocsError';
}

const MARKER = /<!-- (?:generated:[\w-]+|\/generated) -->/;
const BLOCK = /(<!-- generated:([\w-]+) -->)(.*?)(<!-- \/generated -->)/gs;

/**
 * The document with the current content in every block `<!-- generated:NAME -->…<!-- /generated -->`;
 * `names` are the names of its blocks, in order. Text outside the markers is unchanged.
 * @throws {DocsError} for a name without a generator, and for an unpaired marker.
 */
export function fillBlocks(
  file: string,
  text: string,
  generators: Generators,
): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const assertPaired = (part: string): void => {
    const marker = MARKER.exec(part)?.[0];
    if (marker !== undefined) throw new DocsError(unpaired(file, marker));
  };
  assertPaired(text.replaceAll(BLOCK, ''));
  const filled = text.replaceAll(BLOCK, (_, begin: string, name: string, before: string, end: string) => {
    assertPaired(before);
    names.push(name);
    const render = generators[name];
    if (render !== undefined) return `${begin}\n${render().trim()}\n${end}`;
    throw new DocsError(
      `${file} has the generated block "${name}", for which there is no generator. Valid names: ${Object.keys(generators).join(', ')}.`,
    );
  });
  return { text: filled, names };
}

function unpaired(file: string, marker: string): string {
  return `${file}: the marker ${marker} is unpaired; a block is <!-- generated:NAME -->…<!-- /generated -->.`;
}

/** A Markdown table. Characters that would end a cell or a row are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
}
