import type { Markup } from './written.ts';
import { markup } from './written.ts';

/**
 * A table that may be wider than a narrow screen: it then scrolls within the page, by keyboard, too.
 * @param name what it shows; differs from that of every other one on the page.
 */
export const wide = (name: string, table: Markup): Markup =>
  markup`<section class="wide" aria-label="${name}" tabindex="0">${table}</section>
`;

export const headRow = (columns: readonly string[]): Markup =>
  markup`<thead><tr>${columns.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>`;

/** A table of figures, which may be wide. The first cell of a row is its head. */
export const figureTable = (
  name: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | Markup)[])[],
): Markup =>
  wide(
    name,
    markup`<table class="figures">
${headRow(columns)}
<tbody>
${rows.map(([head = '', ...cells]) => markup`<tr><th scope="row">${head}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>`,
  );
