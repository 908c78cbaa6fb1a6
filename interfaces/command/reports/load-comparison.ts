import type { LoadComparison } from '../../../load/compare/compare.ts';
import type { FigureChange } from '../../../load/compare/measures.ts';
import type { ComparisonTexts } from '../../../reports/compare.ts';

export function loadComparisonTexts(compared: LoadComparison): ComparisonTexts {
  const { runs, figures, remarks } = compared;
  const [first, second] = runs.map((count) => (count === 1 ? '' : ` (${count} RUNS)`));
  const rows = figures.map((one) => [
    one.figure,
    one.first,
    one.second,
    one.because === '' ? one.change : `${one.change}: ${one.because}`,
  ]);
  const head = ['FIGURE', `FIRST${first}`, `SECOND${second}`, 'CHANGE'];
  return { head, rows, remarks, closing: closingLine(compared) };
}

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
