import type { Row } from '../../catalogue/index.ts';
import { describeVariants, variantRows } from '../../catalogue/index.ts';
import { table } from './blocks.ts';

const idsOrDash = (ids: readonly string[]): string => ids.join(', ') || '–';

/** The table of conforming variants, and where the rows without a variant are covered. */
export function variants(): string {
  const shown = describeVariants().map(({ id, row, says, verdict, warned, open, because, seen }) => [
    row,
    `\`${id}\``,
    says,
    verdict,
    idsOrDash(warned),
    because === null ? '–' : `${idsOrDash(open)}: ${because}`,
    seen,
  ]);
  const elsewhere = Object.entries<Row>(variantRows).flatMap(([row, { what, elsewhere: where }]) =>
    where === undefined ? [] : [[row, what, where]],
  );
  return [
    table(
      ['Row', 'Variant', 'What the server does', 'Expected', 'Warn', 'Inconclusive', 'Seen in the field'],
      shown,
    ),
    'Rows without a variant:',
    table(['Row', 'What it is about', 'Where it is covered'], elsewhere),
  ].join('\n\n');
}
