import type { Markup } from './written.ts';
import { markup } from './written.ts';

export const headRow = (columns: readonly string[]): Markup =>
  markup`<thead><tr>${columns.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>`;

/** A table of figures, for every format of a report. The first cell of a row is its head. */
export interface Figures<Cell = string> {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * The same on a page. Where it is wider than the screen, it scrolls within the page, by keyboard, too.
 * @param name what it shows; differs from that of every other one on the page.
 */
export const figureTable = (
  name: string,
  { head, rows }: Figures<string | number | Markup>,
): Markup => markup`<section class="wide" aria-label="${name}" tabindex="0"><table class="figures">
${headRow(head)}
<tbody>
${rows.map(([first = '', ...cells]) => markup`<tr><th scope="row">${first}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></section>
`;

export const foldedTable = (
  figures: Figures<string | number | Markup>,
  name: string,
): Markup => markup`<details>
<summary>${name}</summary>
${figureTable(name, figures)}</details>
`;
