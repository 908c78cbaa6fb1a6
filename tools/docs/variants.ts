import type { Row } from '../../catalogue/index.ts';
import { describeVariants, variantRows } from '../../catalogue/index.ts';
import { table } from './blocks.ts';

const list = (ids: readonly string[]): string => ids.join(', ') || '–';

/** The catalogue of conforming variants, and where the rows are shown that have none. */
export function variants(): string {
  const shown = describeVariants().map(({ id, row, says, verdict, warned, open, because, seen }) => [
    row,
    `\`${id}\``,
    says,
    verdict,
    list(warned),
    because === null ? '–' : `${list(open)}: ${because}`,
    seen,
  ]);
  const elsewhere = Object.entries<Row>(variantRows).flatMap(([row, { what, elsewhere: where }]) =>
    where === undefined ? [] : [[row, what, where]],
  );
  return [
    table(
      ['Row', 'Variant', 'What the server does', 'Deserves', 'Warned of', 'Left open', 'Seen in the field'],
      shown,
    ),
    'Rows that no variant shows:',
    table(['Row', 'What it is about', 'Where it is shown'], elsewhere),
  ].join('\n\n');
}
