import { register } from '../../spec/register.ts';
import { table } from '../../tools/docs/blocks.ts';
import type { FaultLine, Matrix, RequirementLine } from './matrix.ts';

const RED = '●';
const AMBER = '○';
const UNSEEN = '?';

/** The kill matrix as a document for people; `npm run matrix` writes it. */
export function renderMatrix(matrix: Matrix): string {
  const chapters = [...new Set(register.map(({ chapter }) => chapter))];
  const parts = [
    INTRODUCTION,
    totals(matrix),
    ...chapters.flatMap((chapter) => chapterPart(chapter, matrix.faults)),
    '## What each requirement kills',
    requirementTable(matrix.requirements),
    '## What cannot be found soundly, and why',
    unseenTable(matrix.faults),
    OUTSIDE,
  ];
  return `${parts.join('\n\n')}\n`;
}

const INTRODUCTION = `# The kill matrix

Every fault that the reference server can be told to have (\`petstore-conformance serve --fault ID\`), and what an
examination of it found. \`npm run matrix\` makes this page and \`matrix.json\`; \`evaluation/catalogue.test.ts\` examines every
fault again and fails where something else is found than stands here, where a MUST kills nothing, and where a fault survives.

- ${RED} the requirement failed
- ${AMBER} the examination warned
- ${UNSEEN} the requirement would speak of it, and no sound examination can: the proof stands below

Columns without a mark are left out of a chapter's table; \`matrix.json\` has them all. Faults of bytes are examined over
sockets in a window of four seconds, all others in virtual time in real windows.`;

const OUTSIDE = `## What stays outside

- *Pipelined requests.* Four popular limiters read a shared record after an \`await\` and refuse all of them. The
  examination never pipelines, because no common client does, so no fault of this kind is in the catalogue.
- *Answers to HEAD, OPTIONS and unknown paths.* The specification has no such operations.
- *What a second window of a day brings.* It would take two days; LIMIT-9 is examined with a key whose day is spent.`;

function totals({ faults, requirements }: Matrix): string {
  const red = faults.filter((line) => line.red.length > 0).length;
  const amber = faults.filter((line) => line.red.length === 0 && line.amber.length > 0).length;
  const unseen = faults.filter(({ undecidable }) => undecidable !== undefined).length;
  const musts = requirements.filter(({ level, exempt }) => level === 'MUST' && exempt === undefined);
  const sharp = musts.filter((one) => one.red > 0).length;
  return `${faults.length} faults: ${red} turn at least one requirement red, ${amber} are warned of, and of ${unseen} it is proven that no sound examination can decide. Of the ${musts.length} MUSTs that a server can break ${sharp} kill at least one.`;
}

function chapterPart(chapter: string, all: readonly FaultLine[]): readonly string[] {
  const faults = all.filter((line) => line.chapter === chapter);
  if (faults.length === 0) return [];
  const marked = new Set(faults.flatMap((line) => [...line.red, ...line.amber, ...about(line)]));
  const columns = register.map(({ id }) => id as string).filter((id) => marked.has(id));
  const rows = faults.map((line) => [
    `\`${line.id}\`${line.visibleIn === 'bytes' ? ' (bytes)' : ''}`,
    ...columns.map((id) => markOf(line, id)),
    line.outcome,
  ]);
  return [`## ${chapter}`, table(['Fault', ...columns, 'Outcome'], rows)];
}

const about = ({ undecidable }: FaultLine): readonly string[] =>
  undecidable === undefined ? [] : [undecidable.requirement];

function markOf(line: FaultLine, id: string): string {
  if (line.red.includes(id)) return RED;
  if (line.amber.includes(id)) return AMBER;
  return about(line).includes(id) ? UNSEEN : '';
}

function requirementTable(requirements: readonly RequirementLine[]): string {
  const rows = requirements.map(({ id, level, red, amber, exempt }) => [
    id,
    level,
    level === 'MUST' ? String(red) : '',
    level === 'MUST' && amber === 0 ? '' : String(amber),
    exempt ?? '',
  ]);
  return table(['Requirement', 'Level', 'Turned red by', 'Warned of', 'Why by none'], rows);
}

function unseenTable(faults: readonly FaultLine[]): string {
  const rows = faults.flatMap(({ id, undecidable, outcome }) =>
    undecidable === undefined ? [] : [[`\`${id}\``, undecidable.requirement, undecidable.because, outcome]],
  );
  return table(['Fault', 'About', 'Proof', 'Outcome'], rows);
}
