import { describeFaults } from '../../reference-server/index.ts';
import { register } from '../../spec/register.ts';
import type { Generator } from './blocks.ts';
import { table } from './blocks.ts';

/** Every generated block of the documents. A document takes one by its markers, wherever it likes. */
export const generators: readonly Generator[] = [
  { name: 'requirements', render: requirements },
  { name: 'faults', render: faults },
];

function requirements(): string {
  const chapters = [...new Set(register.map(({ chapter }) => chapter))];
  return chapters.map(chapterOfRequirements).join('\n\n');
}

function chapterOfRequirements(chapter: string): string {
  const rows = register
    .filter((one) => one.chapter === chapter)
    .map(({ id, level, sentence, from, judged }) => [
      id,
      judged === 'elsewhere' ? `${level}, judged elsewhere` : level,
      sentence,
      `[${from.section}](interface-specification.md#${from.section})${'rfc' in from ? `, ${from.rfc}` : ''}`,
    ]);
  return `### ${chapter}\n\n${table(['Id', 'Level', 'Requirement', 'Rests on'], rows)}`;
}

function faults(): string {
  const rows = describeFaults().map(({ id, chapter, says, breaks, warns, seen }) => [
    `\`${id}\``,
    chapter,
    says,
    breaks.join(', ') || '–',
    warns.join(', ') || '–',
    seen,
  ]);
  return table(['Fault', 'Chapter', 'What the server does', 'Turns red', 'Warns', 'Seen in the field'], rows);
}
