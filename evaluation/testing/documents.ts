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
