import { join } from 'node:path';
import { register } from '../../spec/register.ts';
import { table } from '../../tools/docs/blocks.ts';
import type { FaultLine, Matrix, RequirementLine } from './matrix.ts';

const FAIL = '●';
const WARN = '○';
const UNDECIDABLE = '?';

/** The committed page of the kill matrix. */
export const MATRIX_PAGE = join(import.meta.dirname, '..', 'MATRIX.md');

/** The kill matrix in Markdown; `npm run evaluate -- matrix` writes it. */
export function renderMatrix(matrix: Matrix): string {
  const chapters = [...new Set(register.map(({ chapter }) => chapter))];
  const parts = [
    INTRODUCTION,
    totals(matrix),
    ...chapters.flatMap((chapter) => chapterPart(chapter, matrix.faults)),
    '## Faults that each requirement finds',
    requirementTable(matrix.requirements),
    OTHERS,
    table(
      ['Fault', 'Verdicts'],
      matrix.faults.flatMap(({ id, others }) =>
        others.length === 0 ? [] : [[`\`${id}\``, others.join(', ')]],
      ),
    ),
    '## Undecidable faults, and why',
    undecidableTable(matrix.faults),
    OUTSIDE,
  ];
  return `${parts.join('\n\n')}\n`;
}

const INTRODUCTION = `# The kill matrix

All faults of the catalogue (inject one with \`petstore-conformance serve --fault ID\`), and the requirements that find
each of them. \`npm run evaluate -- matrix\` writes this page. \`evaluation/catalogue.test.ts\` repeats every run; it
fails where a result differs from this page, where a MUST finds no fault, and where a fault survives.

- ${FAIL} the requirement failed
- ${WARN} the requirement or observation warned
- ${UNDECIDABLE} the requirement is about this fault, but a conforming service can behave the same: see the proof below

The table of a chapter shows only columns with a mark. Faults marked *(bytes)* run over
sockets with a window of six seconds, all others in virtual time with the windows of the specification.`;

const OTHERS = `## What else a fault changes

Every verdict besides ${FAIL} and ${WARN} that the server without the fault does not get in the same run. A requirement that is
inconclusive or not tested because of a fault is no mistake; one that changes unseen is.`;

const OUTSIDE = `## Out of scope

- *Pipelined requests.* Four popular limiters read a shared record after an \`await\` and rate-limit all of them. The
  suites never pipeline, because no common client does, so the catalogue has no such fault.
- *Responses to HEAD, OPTIONS and unknown paths with the key.* The specification has no such operations. Without a valid
  key they must not serve what it protects (AUTH-1).
- *The second daily window.* It would take two days. LIMIT-9 is tested with an exhausted key, or by using a day (--spend-day).

Every fault here is built into the reference server. [OUTSIDERS.md](OUTSIDERS.md) counts what is caught, and what is missed,
in services of other languages and frameworks.`;

function totals({ faults, requirements }: Matrix): string {
  const failed = faults.filter((line) => line.fails.length > 0).length;
  const warned = faults.filter((line) => line.fails.length === 0 && line.warns.length > 0).length;
  const undecided = faults.filter(({ undecidable }) => undecidable !== undefined).length;
  const musts = requirements.filter(({ level, exempt }) => level === 'MUST' && exempt === undefined);
  const withOption = faults.filter(({ failsWith }) => failsWith !== undefined).length;
  const effective = musts.filter((one) => one.failedBy > 0).length;
  return `${faults.length} faults: ${failed} fail at least one requirement, ${warned} only cause warnings, and ${undecided} are proven undecidable; an option of the run changes what fails for ${withOption}. Of the ${musts.length} MUSTs that a response can violate beyond doubt without --exclusive-key, ${effective} find at least one fault.`;
}

function chapterPart(chapter: string, all: readonly FaultLine[]): readonly string[] {
  const faults = all.filter((line) => line.chapter === chapter);
  if (faults.length === 0) return [];
  const marked = new Set(faults.flatMap((line) => [...line.fails, ...line.warns, ...undecidableIds(line)]));
  const columns = register.map(({ id }) => id as string).filter((id) => marked.has(id));
  const rows = faults.map((line) => [
    `\`${line.id}\`${line.visibleIn === 'bytes' ? ' (bytes)' : ''}`,
    ...columns.map((id) => markOf(line, id)),
    line.outcome,
  ]);
  return [`## ${chapter}`, table(['Fault', ...columns, 'Outcome'], rows)];
}

const undecidableIds = ({ undecidable }: FaultLine): readonly string[] =>
  undecidable === undefined ? [] : [undecidable.requirement];

function markOf(line: FaultLine, id: string): string {
  if (line.fails.includes(id)) return FAIL;
  if (line.warns.includes(id)) return WARN;
  return undecidableIds(line).includes(id) ? UNDECIDABLE : '';
}

function requirementTable(requirements: readonly RequirementLine[]): string {
  const rows = requirements.map(({ id, level, failedBy, warnedBy, exempt }) => [
    id,
    level,
    level === 'MUST' ? String(failedBy) : '',
    level === 'MUST' && warnedBy === 0 ? '' : String(warnedBy),
    exempt ?? '',
  ]);
  return table(
    ['Requirement', 'Level', 'Faults that fail it', 'Faults it warns of', 'Why none can fail it'],
    rows,
  );
}

function undecidableTable(faults: readonly FaultLine[]): string {
  const rows = faults.flatMap(({ id, undecidable, outcome, failsWith = {} }) => {
    const decided = Object.entries(failsWith).map(([option, ids]) => `${option}: ${ids.join(', ')}`);
    return undecidable === undefined
      ? []
      : [[`\`${id}\``, undecidable.requirement, undecidable.because, outcome, decided.join('; ')]];
  });
  return table(['Fault', 'Requirement', 'Proof', 'Outcome', 'What fails with an option'], rows);
}
