import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Commands of a document that belong together. */
export interface ShellBlock {
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** The marked blocks of a document in this language, without their marks. */
export function blocksOf(root: string, document: string, language: string): readonly ShellBlock[] {
  const lines = readFileSync(join(root, document), 'utf8').split('\n');
  const blocks: ShellBlock[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at] !== `\`\`\`${language}`) continue;
    const end = lines.indexOf('```', at);
    blocks.push({ line: at + 2, text: `${lines.slice(at + 1, end).join('\n')}\n` });
    at = end;
  }
  return blocks;
}

/**
 * The text under each heading of a Markdown document, up to the next heading of any level,
 * by the slug that GitHub gives the heading (`Behaviour when the limit is exceeded` is
 * `behaviour-when-the-limit-is-exceeded`).
 */
export function sectionsOf(markdown: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  for (const part of markdown.split(/^(?=#{1,6} )/m)) {
    const [heading = '', ...text] = part.split('\n');
    const slug = heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    sections.set(slug, text.join('\n'));
  }
  return sections;
}

/** The rows of the tables in a section as cells, without the header rows and their separators. */
export function rowsOf(section: string): readonly (readonly string[])[] {
  const lines = section.split('\n');
  return lines
    .filter((line, at) => line.startsWith('|') && !line.startsWith('|-') && !lines[at + 1]?.startsWith('|-'))
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.trim()));
}
