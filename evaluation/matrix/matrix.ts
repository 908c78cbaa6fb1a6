import type { Fault } from '../../catalogue/index.ts';
import { describeFaults } from '../../catalogue/index.ts';
import type { Entry } from '../../spec/register.ts';
import { register } from '../../spec/register.ts';
import type { Found } from './pass.ts';

/** One fault of the catalogue, and what examining it found: a row of the kill matrix. */
export interface FaultLine {
  readonly id: string;
  /** The chapter of the register that it belongs to. */
  readonly chapter: string;
  /** How it was examined: in virtual time by its answers, or over sockets by its bytes. */
  readonly visibleIn: 'responses' | 'bytes';
  readonly red: readonly string[];
  readonly amber: readonly string[];
  readonly outcome: string;
  /** Why no sound examination can find it; absent where one can. */
  readonly undecidable?: { readonly requirement: string; readonly because: string };
}

/** One requirement, and how many faults turned it red or amber: a column. */
export interface RequirementLine {
  readonly id: string;
  readonly level: string;
  readonly red: number;
  readonly amber: number;
  /** Why no fault of a server can turn it red; absent where one can. */
  readonly exempt?: string;
}

/** The kill matrix: faults down, requirements across, what was red and what was amber. */
export interface Matrix {
  readonly schemaVersion: 1;
  readonly faults: readonly FaultLine[];
  readonly requirements: readonly RequirementLine[];
}

/** A MUST that no behaviour of a server can break, and why. */
export const EXEMPT: ReadonlyMap<string, string> = new Map([
  ['VER-1', 'It is about the address that the user gives, which no answer of a server changes.'],
  ['VER-2', 'It is about a document that the user names, which no answer of the operations changes.'],
]);

/** The matrix of a pass over these faults. */
export function matrixOf(faults: readonly Fault[], found: readonly Found[]): Matrix {
  const described = new Map(describeFaults().map((row) => [row.id, row]));
  const lines = faults.flatMap((fault): readonly FaultLine[] => {
    const [row, result] = [described.get(fault.id), found.find(({ id }) => id === fault.id)];
    if (row === undefined || result === undefined) return [];
    const { id, chapter, visibleIn } = row;
    const { red, amber, outcome } = result;
    const { undecidable } = fault;
    return [
      { id, chapter, visibleIn, red, amber, outcome, ...(undecidable === undefined ? {} : { undecidable }) },
    ];
  });
  const judged = register.filter(({ judged }) => judged === 'by certify');
  return { schemaVersion: 1, faults: lines, requirements: judged.map((entry) => columnOf(entry, lines)) };
}

function columnOf({ id, level }: Entry, lines: readonly FaultLine[]): RequirementLine {
  const count = (marks: (line: FaultLine) => readonly string[]) =>
    lines.filter((line) => marks(line).includes(id)).length;
  const exempt = EXEMPT.get(id);
  const counts = { red: count(({ red }) => red), amber: count(({ amber }) => amber) };
  return { id, level, ...counts, ...(exempt === undefined ? {} : { exempt }) };
}

/** What is wrong with a matrix, one sentence each; nothing where the examination is as good as the catalogue. */
export function weaknesses({ faults, requirements }: Matrix): readonly string[] {
  const shows = ({ red, amber }: FaultLine): boolean => red.length + amber.length > 0;
  const survivors = faults.filter((line) => !shows(line) && line.undecidable === undefined);
  const decided = faults.filter(({ red, undecidable }) => undecidable !== undefined && red.length > 0);
  const blunt = requirements.filter(
    ({ level, red, exempt }) => level === 'MUST' && red === 0 && exempt === undefined,
  );
  const mute = requirements.filter(({ level, amber }) => level === 'SHOULD' && amber === 0);
  return [
    ...survivors.map(({ id }) => `The fault ${id} survives: nothing is red or amber, and no proof says why.`),
    ...decided.map(
      ({ id, red }) => `The fault ${id} is called undecidable, and turns ${red.join(', ')} red.`,
    ),
    ...blunt.map(({ id }) => `The MUST ${id} kills nothing: no fault turns it red.`),
    ...mute.map(({ id }) => `The SHOULD ${id} kills nothing: no fault turns it amber.`),
  ];
}
