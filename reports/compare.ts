import type { Finding, RunRecord, Verdict } from '../kernel/findings/record.ts';
import { signText, VERDICT_SIGNS } from './outcome.ts';
import { subjectFacts } from './subject.ts';
import { bounded, bulletList, markdown, markdownTable } from './written.ts';

/**
 * How the verdict on a requirement changed from the first report to the second. `better`, `worse` and `same` compare
 * two decided verdicts; `new` was decided by the second report alone, and `lost` by the first alone.
 */
export type VerdictChange = 'better' | 'worse' | 'new' | 'lost' | 'same';

interface ComparedRequirement {
  readonly id: string;
  readonly level: Finding['level'];
  readonly sentence: string;
  /** Undefined where a report does not have the requirement. */
  readonly first: Verdict | undefined;
  readonly second: Verdict | undefined;
  readonly change: VerdictChange;
  /** What the second report states, or the first where the second has nothing. */
  readonly because: string;
}

export interface RunComparison {
  readonly schemaVersion: 1;
  /**
   * `worse` where a requirement fails or warns that did not before, `undecided` where none is worse and the second
   * report lost a verdict, else `not worse`.
   */
  readonly outcome: 'worse' | 'undecided' | 'not worse';
  /** Every requirement whose verdict differs, in the order of the register. */
  readonly changes: readonly ComparedRequirement[];
  readonly same: number;
  /** How many verdicts of the first report the second run, a partial one, left out; they are not lost. */
  readonly leftOut: number;
  /** What else differs between the runs, one sentence each. */
  readonly remarks: readonly string[];
}

/** Compares the second report with the first one, in what the second run was to test. Pure. */
export function compareRecords(first: RunRecord, second: RunRecord): RunComparison {
  const before = new Map<string, Finding>(first.requirements.map((one) => [one.id, one]));
  const after = new Map<string, Finding>(second.requirements.map((one) => [one.id, one]));
  const ids = [...new Set([...after.keys(), ...before.keys()])];
  const asked = ids.filter((id) => second.selection?.requirements.includes(id) ?? true);
  const all = asked.flatMap((id) => compared(before.get(id), after.get(id)));
  const changes = all.filter(({ change }) => change !== 'same');
  return {
    schemaVersion: 1,
    outcome: outcomeOf(changes),
    changes,
    same: all.length - changes.length,
    leftOut: ids.filter((id) => !asked.includes(id) && DECIDED.includes(before.get(id)?.verdict)).length,
    remarks: remarksOf(first, second),
  };
}

function outcomeOf(changes: readonly ComparedRequirement[]): RunComparison['outcome'] {
  const isAgainst = ({ change, second }: ComparedRequirement): boolean =>
    change === 'worse' || (change === 'new' && second === 'fail');
  if (changes.some(isAgainst)) return 'worse';
  return changes.some(({ change }) => change === 'lost') ? 'undecided' : 'not worse';
}

function compared(first: Finding | undefined, second: Finding | undefined): readonly ComparedRequirement[] {
  const stated = second ?? first;
  if (stated === undefined) return [];
  const { id, level, sentence, because } = stated;
  const change = changeOf(first?.verdict, second?.verdict);
  return [{ id, level, sentence, first: first?.verdict, second: second?.verdict, change, because }];
}

const DECIDED: readonly (Verdict | undefined)[] = ['fail', 'warn', 'pass'];

function changeOf(first: Verdict | undefined, second: Verdict | undefined): VerdictChange {
  const [before, after] = [DECIDED.indexOf(first), DECIDED.indexOf(second)];
  if (before === after) return 'same';
  if (before < 0) return 'new';
  if (after < 0) return 'lost';
  return after > before ? 'better' : 'worse';
}

function remarksOf(first: RunRecord, second: RunRecord): readonly string[] {
  const after = new Map(factsOf(second));
  return factsOf(first).flatMap(([what, before]) => {
    const then = after.get(what) ?? 'none';
    return before === then ? [] : [`The runs differ in ${what}: ${before}, then ${then}.`];
  });
}

/** What two runs may differ in besides their verdicts. */
const factsOf = (record: RunRecord): readonly (readonly [what: string, value: string])[] => [
  ...subjectFacts(record).map(([name, value]) => [name.toLowerCase(), value] as const),
  ['specifications', `${record.spec.version} (${record.spec.digest})`],
  ['versions of the suite', record.suite.version],
  ['strictness', record.strict ? 'strict' : 'not strict'],
  ['extent', extentOf(record)],
];

/** More requirements than this are counted. */
const MOST_NAMED = 8;

function extentOf({ selection }: RunRecord): string {
  if (selection === undefined) return 'complete';
  const { kind, requirements } = selection;
  const what =
    requirements.length > MOST_NAMED
      ? `${requirements.length} requirements and observations`
      : requirements.join(', ');
  return `partial (${kind}), limited to ${what}`;
}

/** What each change is called, in the order in which people see them: `new` is decided by the second report alone, `lost` by the first. */
const CHANGES: readonly VerdictChange[] = ['worse', 'new', 'lost', 'better'];

/** A comparison for a person, whatever was compared. */
export interface ComparisonTexts {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly remarks: readonly string[];
  readonly closing: string;
}

/** The changes by kind, worst first, each with its finding; one that stands right above is not repeated. */
export function comparisonTexts(comparison: RunComparison): ComparisonTexts {
  const { changes, remarks } = comparison;
  const rows = CHANGES.flatMap((kind) =>
    changes
      .filter(({ change }) => change === kind)
      .map(({ id, level, first, second, because }, at, alike) => [
        ...[id, level, verdictText(first), verdictText(second), kind],
        because === alike[at - 1]?.because ? 'as above' : because,
      ]),
  );
  const head = ['REQUIREMENT', 'LEVEL', 'FIRST', 'SECOND', 'CHANGE', 'FINDING'];
  return { head, rows, remarks, closing: closingOf(comparison) };
}

/** `✗ fail`, or a dash where a report does not have the requirement. */
const verdictText = (verdict: Verdict | undefined): string =>
  verdict === undefined ? '–' : signText(VERDICT_SIGNS[verdict]);

function closingOf({ outcome, changes, same, leftOut }: RunComparison): string {
  const counts = CHANGES.flatMap((kind) => {
    const { length } = changes.filter(({ change }) => change === kind);
    return length === 0 ? [] : [`${length} ${kind}`];
  });
  const left = leftOut === 0 ? [] : [`${leftOut} left out by a partial run`];
  const text = [...counts, `${same} the same`, ...left].join(', ');
  const start = {
    worse: '✗ The second report is worse',
    undecided: '? The second report decides less',
    'not worse': '✓ The second report is not worse',
  }[outcome];
  return `${start}: ${text}.`;
}

/** Characters of a text in a comparison; the reports have the complete one. */
const TEXT_LIMIT = 300;

const short = (text: string): string => bounded(text, TEXT_LIMIT);

/** A comparison in GitHub-flavoured Markdown. */
export function comparisonMarkdown({ head, rows, remarks, closing }: ComparisonTexts): string {
  const cells = rows.map((row) => row.map(short));
  const blocks = [
    markdown`**${closing}**`,
    ...(rows.length === 0 ? [] : [markdownTable(head, cells)]),
    ...(remarks.length === 0 ? [] : [bulletList(remarks.map(short))]),
  ];
  return `${blocks.join('\n\n')}\n`;
}
