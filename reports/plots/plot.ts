import { figureTable } from '../tables.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { legend } from './legend.ts';
import type { Plot, PlotTable } from './model.ts';
import type { DrawnPanel } from './panels.ts';
import { drawPanel } from './panels.ts';
import type { TimeScale } from './scales.ts';
import { timeScale } from './scales.ts';

/** Height of the axis of time, in pixels. */
const AXIS_HEIGHT = 18;

/**
 * A plot as a figure of a page: SVG, what its marks mean, and its text alternative beside it. It takes the width of
 * the page: positions are shares of it, while text, dots and strokes keep their size (`plotStyle`), so
 * the plot can be read on a telephone. The same plot gives the same bytes.
 */
export function plotFigure(plot: Plot): Markup {
  const { content, height } = drawing(plot);
  const { id } = plot;
  return markup`<div class="plot"><figure>
<svg class="canvas" height="${height}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"><title id="${id}-title">${plot.title}</title>
${content}</svg>
${legend(plot)}<figcaption id="${id}-text">${plot.description}</figcaption>
</figure>
${plot.table === undefined ? markup`` : tableOf(plot.table, plot.title)}</div>
`;
}

/** The panels of a plot and its axis, and the height of both together in pixels. */
export function drawing({ from, to, ticks, panels }: Plot): DrawnPlot {
  const time = timeScale(from, to, ticks);
  let top = 0;
  const drawn = panels.map((panel): DrawnPanel => {
    const one = drawPanel(panel, time, top);
    top += one.height;
    return one;
  });
  return {
    content: markup`${gridOf(time, top)}${drawn.map(({ svg }) => svg)}${axis(time, top)}`,
    height: top + AXIS_HEIGHT,
  };
}

/** What a plot consists of, without a frame. */
interface DrawnPlot {
  readonly content: Markup;
  readonly height: number;
}

const gridOf = (time: TimeScale, height: number): Markup =>
  markup`${time.ticks.map(({ value }) => {
    const x = time.share(value);
    return markup`<line class="grid faint" x1="${x}" x2="${x}" y1="20" y2="${height - 8}"/>`;
  })}\n`;

const axis = (time: TimeScale, top: number): Markup =>
  markup`${time.ticks.map(
    ({ value, text }) =>
      markup`<text class="tick" x="${time.share(value)}" y="${top + 8}" text-anchor="middle">${text}</text>`,
  )}\n`;

/** The figures of a plot, folded up. */
const tableOf = ({ head, rows }: PlotTable, title: string): Markup => markup`<details>
<summary>${title}: the figures</summary>
${figureTable(`${title}: the figures`, head, rows)}</details>
`;
