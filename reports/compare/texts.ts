import type { Verdict } from '../../kernel/findings/record.ts';
import { bounded } from '../foreign-text.ts';
import { VERDICT_SIGNS } from '../outcome.ts';
import { bulletList, markdown } from '../written.ts';
import type { ComparedRequirement, RunComparison, VerdictChange } from './compare.ts';

/** Characters of a finding in a comparison; the reports have the complete text. */
const TEXT_LIMIT = 300;

/** What each change is called, in the order in which people see them. */
const CHANGES: Readonly<Record<Exclude<VerdictChange, 'same'>, string>> = {
  worse: 'Worse',
  new: 'New: only the second report decides it',
  lost: 'Lost: only the first report decides it',
  better: 'Better',
};

const kinds = Object.keys(CHANGES) as readonly (keyof typeof CHANGES)[];

/** `✗ fail`, or a dash where a report does not have the requirement. */
export const verdictText = (verdict: Verdict | undefined): string =>
  verdict === undefined ? '–' : `${VERDICT_SIGNS[verdict].mark} ${VERDICT_SIGNS[verdict].word}`;

export function comparisonSentence({ outcome, changes, same, leftOut }: RunComparison): string {
  const counts = kinds
    .map((kind) => ({ kind, count: changes.filter(({ change }) => change === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`);
  const left = leftOut === 0 ? [] : [`${leftOut} left out by a partial run`];
  const text = [...counts, `${same} the same`, ...left].join(', ');
  const start = {
    worse: '✗ The second report is worse',
    undecided: '? The second report decides less',
    'not worse': '✓ The second report is not worse',
  }[outcome];
  return `${start}: ${text}.`;
}

/** A group of changes of one kind, with its title. */
export interface ChangeGroup {
  readonly title: string;
  readonly changes: readonly ComparedRequirement[];
}

/** Each change with its finding; one that stands right above is not repeated. */
export const withReasons = (
  changes: readonly ComparedRequirement[],
): readonly { readonly change: ComparedRequirement; readonly reason: string }[] =>
  changes.map((change, at) => ({
    change,
    reason: change.because === changes[at - 1]?.because ? 'as above' : change.because,
  }));

/** The changes by kind, worst first. */
export const changeGroups = ({ changes }: RunComparison): readonly ChangeGroup[] =>
  kinds
    .map((kind) => ({ title: CHANGES[kind], changes: changes.filter(({ change }) => change === kind) }))
    .filter((group) => group.changes.length > 0);

/** The comparison in GitHub-flavoured Markdown. */
export function renderComparison(comparison: RunComparison): string {
  const groups = changeGroups(comparison).map(
    ({ title, changes }) => markdown`### ${title}

| requirement | first | second | finding |
| --- | --- | --- | --- |${withReasons(changes).map(({ change, reason }) => markdown`\n${row(change, reason)}`)}`,
  );
  const remarks = comparison.remarks.map((remark) => bounded(remark, TEXT_LIMIT));
  const blocks = [
    markdown`**${comparisonSentence(comparison)}**`,
    ...groups,
    ...(remarks.length === 0 ? [] : [bulletList(remarks)]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const row = ({ id, level, first, second }: ComparedRequirement, reason: string) =>
  markdown`| **${id}** ${level} | ${verdictText(first)} | ${verdictText(second)} | ${bounded(reason, TEXT_LIMIT)} |`;
