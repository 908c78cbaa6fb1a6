import { greatest } from '../../kernel/exchanges/collections.ts';
import { colours } from '../badge.ts';
import { foldedTable } from '../tables.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { markSvg, pointMark } from './marks.ts';
import type { Mark, Panel, Plot, RowPanel, TimeScale, ValuePanel, ValueScale } from './model.ts';
import { rounded, timeScale, valueScale } from './model.ts';

/** Pixels. */
const LABEL_HEIGHT = 20;
const PANEL_HEIGHT = 110;
const ROW_HEIGHT = 34;
const ROW_NAME_HEIGHT = 14;
const GAP = 14;

/** SVG without a frame, and how many pixels it takes from the top. */
interface Drawn {
  readonly svg: Markup;
  readonly height: number;
}

const labelSvg = (label: string, top: number): Markup =>
  markup`<text class="label" x="0" y="${top + 13}">${label}</text>`;

function drawValues(panel: ValuePanel, time: TimeScale, top: number): Drawn {
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

function drawRows({ label, rows }: RowPanel, time: TimeScale, top: number): Drawn {
  const height = ROW_HEIGHT - ROW_NAME_HEIGHT;
  const scales = { time, value: { at: () => height / 2, ticks: [] }, height };
  const drawn = rows.map(({ name, marks }, i) => {
    const y = top + LABEL_HEIGHT + i * ROW_HEIGHT;
    return markup`<text class="tick" x="0" y="${y + 11}">${name}</text><svg class="panel" y="${y + ROW_NAME_HEIGHT}" width="100%" height="${height}"><line class="grid" x1="0" x2="100%" y1="10" y2="10"/>${marks.map((mark) => markSvg(mark, scales))}</svg>`;
  });
  return {
    svg: markup`${labelSvg(label, top)}${drawn}\n`,
    height: LABEL_HEIGHT + rows.length * ROW_HEIGHT + GAP,
  };
}

function highestOf(mark: Mark): number {
  if (mark.kind === 'band') return greatest(mark.points.map(({ high }) => high));
  if (mark.kind === 'stack')
    return greatest(mark.bins.map(({ values }) => values.reduce((sum, one) => sum + one, 0)));
  if ('points' in mark) return greatest(mark.points.map(({ y }) => y));
  return mark.kind === 'level' ? mark.y : 0;
}

/** What the marks of a plot mean: each name once with its last sign, in the order in which they appear; exchanges stand below stacks, and their shapes say more. */
function legendEntries({ panels }: Plot): readonly (readonly [name: string, sign: Markup])[] {
  const entries = new Map<string, Markup>();
  for (const mark of panels.flatMap(marksOf))
    for (const [name, sign] of entriesOf(mark)) entries.set(name, sign);
  return [...entries];
}

const legend = (plot: Plot): Markup => markup`<ul class="legend">
${legendEntries(plot).map(([name, sign]) => markup`<li><svg class="sign" width="22" height="14" aria-hidden="true">${sign}</svg>${name}</li>\n`)}</ul>
`;

const marksOf = (panel: Panel): readonly Mark[] =>
  panel.kind === 'values' ? panel.marks : panel.rows.flatMap(({ marks }) => marks);

/** The entries of a mark; what has nothing to show has none. */
function entriesOf(mark: Mark): readonly (readonly [name: string, sign: Markup])[] {
  switch (mark.kind) {
    case 'line':
    case 'steps':
      return mark.points.length === 0
        ? []
        : [[mark.name, markup`<path class="line ${mark.stroke}" d="M0 7H22"/>`]];
    case 'band':
      return [[mark.name, markup`<rect class="band" width="22" height="14"/>`]];
    case 'stack':
      return mark.layers
        .filter((_, i) => mark.bins.some(({ values }) => (values[i] ?? 0) > 0))
        .map(({ name, status }) => [
          name,
          markup`<rect class="layer ${status}" x="4" y="1" width="14" height="12"/>`,
        ]);
    case 'points':
      return mark.points.length === 0 ? [] : [[mark.name, pointMark(mark.status, '11', 7)]];
    case 'level':
      return [[mark.name, markup`<line class="level" x1="0" x2="22" y1="7" y2="7"/>`]];
    case 'rules':
      return mark.at.length === 0
        ? []
        : [[mark.name, markup`<line class="rule" x1="11" x2="11" y1="0" y2="14"/>`]];
    case 'spans':
      return mark.spans.length === 0
        ? []
        : [[mark.name, markup`<rect class="span ${mark.shade}" width="22" height="14"/>`]];
  }
}

/** Height of the axis of time, in pixels. */
const AXIS_HEIGHT = 18;

/**
 * A plot as a figure of a page: SVG, what its marks mean, and its text alternative beside it. It takes the width of
 * the page: positions are shares of it, while text, dots and strokes keep their size (`plotStyle`), so
 * the plot can be read on a telephone. The same plot gives the same bytes.
 */
export function plotFigure(plot: Plot): Markup {
  const { svg, height } = drawing(plot);
  const { id } = plot;
  return markup`<div class="plot"><figure>
<svg class="canvas" height="${height}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"><title id="${id}-title">${plot.title}</title>
${svg}</svg>
${legend(plot)}<figcaption id="${id}-text">${plot.description}</figcaption>
</figure>
${plot.table && foldedTable(plot.table, `${plot.title}: the figures`)}</div>
`;
}

function drawing({ from, to, ticks, panels }: Plot): Drawn {
  const time = timeScale(from, to, ticks);
  let top = 0;
  const drawn = panels.map((panel): Drawn => {
    const one = panel.kind === 'values' ? drawValues(panel, time, top) : drawRows(panel, time, top);
    top += one.height;
    return one;
  });
  return {
    svg: markup`${gridOf(time, top)}${drawn.map(({ svg }) => svg)}${axis(time, top)}`,
    height: top + AXIS_HEIGHT,
  };
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

/** The style rules of marks; they use the colours of reports (`colours`), so they follow the scheme. */
const markStyle: Markup = markup`
.canvas, .panel, .stretched, .at { overflow: visible; }
.stretched * { vector-effect: non-scaling-stroke; }
.canvas text, .legend { font: 12px/1.3 system-ui, sans-serif; }
.canvas .tick { fill: var(--quiet); font-variant-numeric: tabular-nums; }
.canvas .label { fill: var(--text); font-weight: 600; }
.grid { stroke: var(--line); stroke-width: 1; } .grid.faint { opacity: 0.45; }
.line { fill: none; stroke: var(--link); stroke-width: 1.6; stroke-linejoin: round; }
.line.strong { stroke-width: 2.4; } .line.dashed { stroke: var(--warn); stroke-dasharray: 6 4; } .line.dotted { stroke: var(--inconclusive); stroke-width: 2.2; stroke-dasharray: 1.5 3.5; stroke-linecap: round; }
.line.quiet { stroke: var(--quiet); stroke-width: 1.1; }
.canvas .end { fill: var(--link); font-weight: 600; } .canvas .end.dashed { fill: var(--warn); } .canvas .end.dotted { fill: var(--inconclusive); }
.band { fill: var(--link); opacity: 0.18; }
.level { stroke: var(--fail); stroke-width: 1.4; stroke-dasharray: 2 3; }
.rule { stroke: var(--inconclusive); stroke-width: 1.3; stroke-dasharray: 4 3; }
.span { fill: var(--quiet); opacity: 0.16; } .span.striking { fill: var(--warn); opacity: 0.28; }
.accepted { --mark: var(--pass); } .rate-limited { --mark: var(--warn); } .rejected { --mark: var(--link); }
.failed { --mark: var(--fail); } .no-response { --mark: var(--inconclusive); }
.point { fill: var(--mark); } .dots { fill: none; stroke: var(--mark); stroke-width: 5.4; stroke-linecap: round; }
.point.failed { fill: none; stroke: var(--mark); stroke-width: 2.4; } .point.no-response { fill: none; stroke: var(--mark); stroke-width: 2; }
.layer { fill: var(--mark); opacity: 0.7; }
`;

export const plotStyle: Markup = markup`${markStyle}
.plot { margin: 1rem 0 1.75rem; } .plot figure { margin: 0; }
.canvas { display: block; margin: 0 32px 0 46px; width: calc(100% - 78px); }
.plot .legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; list-style: none; margin: 0.6rem 0 0.4rem; padding: 0; color: var(--text); }
.plot .legend li { display: flex; align-items: center; gap: 0.4rem; }
.plot figcaption { font-size: 0.9rem; max-width: 48rem; }
.plot details { margin-top: 0.3rem; font-size: 0.9rem; } .plot summary { color: var(--quiet); }
@media print { .plot details { display: none; } }
`;

/** Pixels. */
const WIDTH = 900;
const MARGIN = { left: 60, right: 28, top: 14, bottom: 12 };

/** An entry of the legend takes so many pixels besides its text, and so many for a letter. */
const ENTRY = { width: 44, letter: 6.8, height: 22 };

/** A plot as an SVG file of its own, for an attachment: it brings its colours, follows the scheme of its viewer and loads nothing. */
export function plotFile(plot: Plot): string {
  const { svg, height } = drawing(plot);
  const { entries, lines } = placedLegend(plot);
  const full = height + MARGIN.top + MARGIN.bottom + lines * ENTRY.height;
  const file = markup`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${full}" role="img" aria-labelledby="title text">
<title id="title">${plot.title}</title><desc id="text">${plot.description}</desc>
<style>${colours}${markStyle}.ground { fill: var(--ground); }</style>
<rect class="ground" width="100%" height="100%"/>
<svg class="canvas" x="${MARGIN.left}" y="${MARGIN.top}" width="${WIDTH - MARGIN.left - MARGIN.right}" height="${height}">
${svg}</svg>
<svg class="canvas" x="${MARGIN.left}" y="${height + MARGIN.top + 10}">${entries}</svg>
</svg>
`;
  return file.toString();
}

/** The entries of the legend in lines, and how many lines they take. */
function placedLegend(plot: Plot): { readonly entries: readonly Markup[]; readonly lines: number } {
  let [x, line] = [0, 0];
  const entries = legendEntries(plot).map(([name, sign]) => {
    const width = ENTRY.width + name.length * ENTRY.letter;
    if (x > 0 && x + width > WIDTH - MARGIN.left - MARGIN.right) [x, line] = [0, line + 1];
    const at = rounded(x);
    x += width;
    return markup`<svg x="${at}" y="${line * ENTRY.height}">${sign}<text class="tick" x="28" y="11">${name}</text></svg>\n`;
  });
  return { entries, lines: line + 1 };
}
