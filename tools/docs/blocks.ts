/** One block of a Markdown document that is made from code. */
export interface Generator {
  /** The name in its markers. */
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
 * The document with every block `<!-- generated:NAME -->…<!-- /generated -->` filled anew;
 * `names` are those it holds, in their order. Text outside the markers stays as it is.
 * @throws {DocsError} for a name without a generator, and for a marker without its counterpart.
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
    `${file} asks for the generated block "${name}", which nothing makes; there are: ${known}.`,
  );
}

function unpaired(file: string, marker: string): string {
  return `${file}: the marker ${marker} has no counterpart; a block is <!-- generated:NAME -->…<!-- /generated -->.`;
}

/** A Markdown table; what would end a cell or a row is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
}
