/** A block of Markdown that is generated from code. */
export interface Generator {
  /** The name in the markers of the block. */
  readonly name: string;
  /** The Markdown between the markers. */
  readonly render: () => string | Promise<string>;
}

/** A block cannot be filled; the message says which, where, and what to do. */
export class DocsError extends Error {
  override readonly name = 'DocsError';
}

const MARKERS = /<!-- generated:([\w-]+) -->|<!-- \/generated -->/g;

/**
 * The document with the current content in every block `<!-- generated:NAME -->…<!-- /generated -->`;
 * `names` are the names of its blocks, in order. Text outside the markers is unchanged.
 * @throws {DocsError} for a name without a generator, and for an unpaired marker.
 */
export async function fillBlocks(
  file: string,
  text: string,
  generators: readonly Generator[],
): Promise<{ readonly text: string; readonly names: readonly string[] }> {
  const names: string[] = [];
  let filled = '';
  let copied = 0;
  let open: { readonly name: string; readonly from: number } | undefined;

  for (const marker of text.matchAll(MARKERS)) {
    const name = marker[1];
    if ((name === undefined) === (open === undefined)) throw new DocsError(unpaired(file, marker[0]));
    if (name !== undefined) {
      open = { name, from: marker.index + marker[0].length };
    } else if (open !== undefined) {
      const body = await render(file, open.name, generators);
      filled += `${text.slice(copied, open.from)}\n${body.trim()}\n`;
      copied = marker.index;
      names.push(open.name);
      open = undefined;
    }
  }
  if (open !== undefined) throw new DocsError(unpaired(file, `<!-- generated:${open.name} -->`));
  return { text: filled + text.slice(copied), names };
}

async function render(file: string, name: string, generators: readonly Generator[]): Promise<string> {
  const generator = generators.find((one) => one.name === name);
  if (generator !== undefined) return generator.render();
  const known = generators.map((one) => one.name).join(', ');
  throw new DocsError(
    `${file} has the generated block "${name}", for which there is no generator. Valid names: ${known}.`,
  );
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
