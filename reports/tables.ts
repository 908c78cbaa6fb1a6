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

/** A table of figures, for every format of a report. The first cell of a row is its head. */
export interface Figures<Cell = string> {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** The same on a page, where it may be wide. */
export const figureTable = (name: string, { head, rows }: Figures<string | number | Markup>): Markup =>
  wide(
    name,
    markup`<table class="figures">
${headRow(head)}
<tbody>
${rows.map(([first = '', ...cells]) => markup`<tr><th scope="row">${first}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>`,
  );

export const foldedTable = (
  figures: Figures<string | number | Markup>,
  name: string,
): Markup => markup`<details>
<summary>${name}</summary>
${figureTable(name, figures)}</details>
`;
