import { greatest } from '../../kernel/exchanges/collections.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { markSvg, pointMark, timeMarkSvg } from './marks.ts';
import type { Mark, Panel, RowMark, RowPanel, TimeScale, ValuePanel, ValueScale } from './model.ts';
import { valueScale } from './model.ts';

/** Pixels. */
const LABEL_HEIGHT = 20;
const PANEL_HEIGHT = 110;
const ROW_HEIGHT = 34;
const GAP = 14;

/** A panel as SVG, with the pixels that it takes from the top of the plot. */
export interface DrawnPanel {
  readonly svg: Markup;
  readonly height: number;
}

/** Draws a panel whose top is at `top` pixels. */
export const drawPanel = (panel: Panel, time: TimeScale, top: number): DrawnPanel =>
  panel.kind === 'values' ? drawValues(panel, time, top) : drawRows(panel, time, top);

const labelSvg = (label: string, top: number): Markup =>
  markup`<text class="label" x="0" y="${top + 13}">${label}</text>`;

function drawValues(panel: ValuePanel, time: TimeScale, top: number): DrawnPanel {
  const height = panel.height ?? PANEL_HEIGHT;
  const highest = Math.max(panel.atLeast ?? 0, ...panel.marks.map(highestOf));
  const value = valueScale(highest, height);
  const grid = value.ticks.map(({ value: tick, text }) => {
    const y = value.at(tick);
    return markup`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/><text class="tick" x="-8" y="${y}" dy="0.32em" text-anchor="end">${text}</text>`;
  });
  const marks = panel.marks.map((mark) => markSvg(mark, { time, value, height }));
  return {
    svg: markup`${labelSvg(panel.label, top)}<svg class="panel" y="${top + LABEL_HEIGHT}" width="100%" height="${height}">${grid}${marks}${endNames(panel.marks, value, height)}</svg>\n`,
    height: LABEL_HEIGHT + height + GAP,
  };
}

/** Pixels from one name to the next. */
const NAME_HEIGHT = 13;

/** The names of lines at their ends, none on top of another. */
function endNames(marks: readonly Mark[], { at }: ValueScale, height: number): readonly Markup[] {
  const ends = marks.toReversed().flatMap((mark) => {
    const last =
      mark.kind === 'line' && mark.isNamed ? mark.points.findLast(({ y }) => Number.isFinite(y)) : undefined;
    return last === undefined || mark.kind !== 'line' ? [] : [{ ...mark, y: at(last.y) }];
  });
  let lowest = height;
  return ends
    .sort((one, other) => other.y - one.y)
    .map(({ name, stroke, y }) => {
      const place = Math.min(y, lowest);
      lowest = place - NAME_HEIGHT;
      return markup`<text class="end ${stroke}" x="100%" y="${place}" dx="5" dy="0.32em">${name}</text>`;
    });
}

function drawRows({ label, rows }: RowPanel, time: TimeScale, top: number): DrawnPanel {
  const drawn = rows.map(({ name, marks }, i) => {
    const y = top + LABEL_HEIGHT + i * ROW_HEIGHT;
    return markup`<text class="tick" x="0" y="${y + 11}">${name}</text><svg class="panel" y="${y + 14}" width="100%" height="${ROW_HEIGHT - 14}"><line class="grid" x1="0" x2="100%" y1="10" y2="10"/>${marks.map((mark) => rowMarkSvg(mark, time))}</svg>`;
  });
  return {
    svg: markup`${labelSvg(label, top)}${drawn}\n`,
    height: LABEL_HEIGHT + rows.length * ROW_HEIGHT + GAP,
  };
}

function rowMarkSvg(mark: RowMark, time: TimeScale): Markup {
  if (mark.kind !== 'points') return timeMarkSvg(mark, { time, height: ROW_HEIGHT - 14 });
  return markup`${mark.at.filter(time.within).map((x) => pointMark(mark.status, time.share(x), 10))}`;
}

function highestOf(mark: Mark): number {
  switch (mark.kind) {
    case 'line':
    case 'steps':
    case 'points':
      return greatest(mark.points.map(({ y }) => y));
    case 'band':
      return greatest(mark.points.map(({ high }) => high));
    case 'stack':
      return greatest(mark.bins.map(({ values }) => values.reduce((sum, one) => sum + one, 0)));
    case 'level':
      return mark.y;
    case 'rules':
    case 'spans':
      return 0;
  }
}
