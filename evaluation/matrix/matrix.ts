import { join } from 'node:path';
import type { Fault, Undecidable } from '../../reference-server/catalogue/faults/fault.ts';
import { describeFaults } from '../../reference-server/catalogue/faults/index.ts';
import type { Entry } from '../../spec/register.ts';
import { register } from '../../spec/register.ts';
import { table } from '../../tools/docs/blocks.ts';
import type { FaultResult } from './pass.ts';

/** A row of the kill matrix: the result of a run against one fault, and what is stated about the fault. */
export interface FaultLine extends Omit<FaultResult, 'because'> {
  /** The chapter of the register that it belongs to. */
  readonly chapter: string;
  /** `responses` ran in virtual time, `bytes` over sockets. */
  readonly visibleIn: 'responses' | 'bytes';
  /** The requirement that the fault is about, and why no sound test can find it without an option; absent where one can. */
  readonly undecidable?: Pick<Undecidable, 'because'> & { readonly requirement: string };
}

/** A column of the kill matrix: one requirement, and how many faults it finds. */
export interface RequirementLine {
  readonly id: string;
  readonly level: string;
  /** How many faults fail it. */
  readonly failedBy: number;
  /** How many faults it warns of. */
  readonly warnedBy: number;
  /** Why no fault of a server fails it without `--exclusive-key`; absent where one does. */
  readonly exempt?: string;
}

/** The kill matrix: faults in rows, requirements in columns. */
export interface Matrix {
  readonly faults: readonly FaultLine[];
  readonly requirements: readonly RequirementLine[];
}

/** The MUSTs that no response of a server fails in a run without `--exclusive-key`, and why. */
export const EXEMPT: ReadonlyMap<string, string> = new Map([
  [
    'BAN-2',
    'Another client may have caused a ban of the key under test. With --exclusive-key, ban-for-everybody fails it.',
  ],
  ['VER-1', 'It is about the base address, which the user gives; no response of a server changes it.'],
  ['VER-2', 'It is about a document that the user names; no response of the operations changes it.'],
]);

/** The matrix of these faults and the results of the runs against them. */
export function matrixOf(faults: readonly Fault[], results: readonly FaultResult[]): Matrix {
  const described = new Map(describeFaults().map((row) => [row.id, row]));
  const lines = faults.flatMap((fault): readonly FaultLine[] => {
    const [row, result] = [described.get(fault.id), results.find(({ id }) => id === fault.id)];
    if (row === undefined || result === undefined) return [];
    const { chapter, visibleIn } = row;
    const { undecidable } = fault;
    return [{ ...result, chapter, visibleIn, ...(undecidable === undefined ? {} : { undecidable }) }];
  });
  const judged = register.filter(({ judged }) => judged === 'by certify');
  return { faults: lines, requirements: judged.map((entry) => columnOf(entry, lines)) };
}

function columnOf({ id, level }: Entry, lines: readonly FaultLine[]): RequirementLine {
  const exempt = EXEMPT.get(id);
  const counts = {
    failedBy: lines.filter(({ fails }) => fails.includes(id)).length,
    warnedBy: lines.filter(({ warns }) => warns.includes(id)).length,
  };
  return { id, level, ...counts, ...(exempt === undefined ? {} : { exempt }) };
}

/** The weaknesses that a matrix shows, one sentence each: faults that survive, and requirements that find nothing. */
export function weaknesses({ faults, requirements }: Matrix): readonly string[] {
  const isFound = ({ fails, warns }: FaultLine): boolean => fails.length + warns.length > 0;
  const survivors = faults.filter((line) => !isFound(line) && line.undecidable === undefined);
  const contradictions = faults.filter(
    ({ fails, undecidable }) => undecidable !== undefined && fails.length > 0,
  );
  const idleMusts = requirements.filter(
    ({ level, failedBy, exempt }) => level === 'MUST' && failedBy === 0 && exempt === undefined,
  );
  const idleShoulds = requirements.filter(({ level, warnedBy }) => level === 'SHOULD' && warnedBy === 0);
  return [
    ...survivors.map(
      ({ id }) => `The fault ${id} survives: no requirement fails or warns, and no proof says why.`,
    ),
    ...contradictions.map(
      ({ id, fails }) => `The fault ${id} is declared undecidable, but it fails ${fails.join(', ')}.`,
    ),
    ...idleMusts.map(({ id }) => `The MUST ${id} finds nothing: no fault fails it.`),
    ...idleShoulds.map(({ id }) => `The SHOULD ${id} finds nothing: it warns of no fault.`),
  ];
}

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
