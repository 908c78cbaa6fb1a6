import type { Fault, RunOption } from '../../reference-server/catalogue/faults/fault.ts';
import { describeFaults } from '../../reference-server/catalogue/faults/index.ts';
import type { Entry } from '../../spec/register.ts';
import { register } from '../../spec/register.ts';
import type { FaultResult } from './pass.ts';

/** A row of the kill matrix: one fault of the catalogue, and the result of a run against it. */
export interface FaultLine {
  readonly id: string;
  /** The chapter of the register that it belongs to. */
  readonly chapter: string;
  /** `responses` ran in virtual time, `bytes` over sockets. */
  readonly visibleIn: 'responses' | 'bytes';
  /** The requirements that failed, sorted. */
  readonly fails: readonly string[];
  /** The requirements and observations that warned, sorted. */
  readonly warns: readonly string[];
  /** Every other verdict that a conforming server does not get: `LIMIT-4 inconclusive`. */
  readonly others: readonly string[];
  readonly outcome: string;
  /** The requirement that the fault is about, and why no sound test can find it without an option; absent where one can. */
  readonly undecidable?: { readonly requirement: string; readonly because: string };
  /** The requirements that failed with an option of the run; absent where no option changes what fails. */
  readonly failsWith?: Readonly<Partial<Record<RunOption, readonly string[]>>>;
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
    const { id, chapter, visibleIn } = row;
    const { fails, warns, others, outcome, failsWith } = result;
    const { undecidable } = fault;
    return [
      {
        id,
        chapter,
        visibleIn,
        fails,
        warns,
        others,
        outcome,
        ...(undecidable === undefined ? {} : { undecidable }),
        ...(failsWith === undefined ? {} : { failsWith }),
      },
    ];
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
