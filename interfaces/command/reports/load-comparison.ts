import type { LoadComparison } from '../../../load/compare/compare.ts';
import type { FigureChange } from '../../../load/compare/measures.ts';
import { tableOf } from '../../../reports/load/texts.ts';
import { tame } from '../../../reports/terminal.ts';
import { bulletList, markdown } from '../../../reports/written.ts';
import { columns } from '../terminal.ts';

export const loadComparisonLines = (compared: LoadComparison): readonly string[] => [
  ...columns([headOf(compared), ...rowsOf(compared)]),
  '',
  ...compared.remarks.map((remark) => `· ${tame(remark)}`),
  closingLine(compared),
];

export const loadComparisonMarkdown = (compared: LoadComparison): string =>
  [
    markdown`**${closingLine(compared)}**`,
    tableOf(headOf(compared), rowsOf(compared)),
    ...(compared.remarks.length === 0
      ? []
      : [bulletList(compared.remarks.map((remark) => markdown`${remark}`))]),
  ].join('\n\n');

function headOf({ runs }: LoadComparison): readonly string[] {
  const [first, second] = runs.map((count) => (count === 1 ? '' : ` (${count} RUNS)`));
  return ['FIGURE', `FIRST${first}`, `SECOND${second}`, 'CHANGE'];
}

const rowsOf = ({ figures }: LoadComparison): readonly (readonly string[])[] =>
  figures.map(({ figure, first, second, change, because }) => [
    figure,
    first,
    second,
    because === '' ? change : `${change}: ${because}`,
  ]);

function closingLine({ figures, outcome, tolerance, falseAlarmRate, runs }: LoadComparison): string {
  const named = (...changes: readonly FigureChange[]): string =>
    figures
      .filter(({ change }) => changes.includes(change))
      .map(({ figure }) => figure)
      .join(', ');
  const percent = `${Number((tolerance * 100).toFixed(3))} %`;
  const isSingle = Math.max(...runs) === 1;
  switch (outcome) {
    case 'not worse':
      return isSingle
        ? '✓ No verdict is worse.'
        : `✓ No regression: no figure is worse by more than ${percent} and what noise explains.`;
    case 'worse':
      return isSingle
        ? `✗ Regression: ${named('worse')}.`
        : `✗ Regression: ${named('worse')}. Sets of equal runs differ as much in at most ${falseAlarmRate * 100} of 100 comparisons.`;
    case 'undecided':
      return `? Not decided: ${named('undecided', 'inconclusive')}. No other figure is worse.`;
  }
}
