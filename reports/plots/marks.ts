import { area, curveStepAfter, line, stack } from 'd3-shape';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import type { Mark, Point, TimeMark } from './model.ts';
import { PATH_WIDTH, rounded } from './scales.ts';
import type { PanelScales } from './shapes.ts';
import { pointMarks, stretched } from './shapes.ts';
import { visiblePoints } from './thinning.ts';

/** Columns of pixels that a line distinguishes. */
const COLUMNS = 500;

type MarkOf<Kind extends Mark['kind']> = Extract<Mark, { kind: Kind }>;

/** One mark of a panel as SVG. */
export function markSvg(mark: Mark, scales: PanelScales): Markup {
  switch (mark.kind) {
    case 'line':
    case 'steps':
      return lineSvg(mark, scales);
    case 'band':
      return bandSvg(mark, scales);
    case 'stack':
      return stackSvg(mark, scales);
    case 'points':
      return pointMarks(mark.status, mark.points, scales);
    case 'level':
      return levelSvg(mark, scales);
    case 'rules':
    case 'spans':
      return timeMarkSvg(mark, scales);
  }
}

function lineSvg(
  { kind, stroke, points }: MarkOf<'line' | 'steps'>,
  { time, value, height }: PanelScales,
): Markup {
  const path = line<Point>()
    .x(({ x }) => time.at(x))
    .y(({ y }) => value.at(y))
    .defined(({ y }) => Number.isFinite(y))
    .digits(1);
  if (kind === 'steps') path.curve(curveStepAfter);
  return stretched(
    height,
    markup`<path class="line ${stroke}" d="${path(visiblePoints(points, COLUMNS)) ?? ''}"/>`,
  );
}

function bandSvg({ points }: MarkOf<'band'>, { time, value, height }: PanelScales): Markup {
  const path = area<(typeof points)[number]>()
    .x(({ x }) => time.at(x))
    .y0(({ low }) => value.at(low))
    .y1(({ high }) => value.at(high))
    .defined(({ low, high }) => Number.isFinite(low) && Number.isFinite(high))
    .digits(1);
  return stretched(height, markup`<path class="band" d="${path(points) ?? ''}"/>`);
}

/** Each bin is a step as wide as its interval; a last edge ends the last one. */
function stackSvg({ layers, bins }: MarkOf<'stack'>, { time, value, height }: PanelScales): Markup {
  const last = bins.at(-1);
  if (last === undefined) return markup``;
  const edges = [...bins, { ...last, from: last.to }];
  const stacked = stack<(typeof edges)[number], number>()
    .keys(layers.keys())
    .value(({ values }, layer) => values[layer] ?? 0)(edges);
  const path = area<(typeof stacked)[number][number]>()
    .x(({ data }) => withinPath(time.at(data.from)))
    .y0(([low]) => value.at(low))
    .y1(([, high]) => value.at(high))
    .curve(curveStepAfter)
    .digits(1);
  const filled = stacked.filter((layer) => layer.some(([low, high]) => high > low));
  return stretched(
    height,
    markup`${filled.map((layer) => markup`<path class="layer ${layers[layer.key]?.status ?? ''}" d="${path(layer) ?? ''}"/>`)}`,
  );
}

function levelSvg({ y }: MarkOf<'level'>, { value }: PanelScales): Markup {
  return markup`<line class="level" x1="0" x2="100%" y1="${value.at(y)}" y2="${value.at(y)}"/>`;
}

/** The nearest coordinate on the axis. */
const withinPath = (x: number): number => Math.min(PATH_WIDTH, Math.max(0, x));

/** A mark of time alone, over this height. */
export function timeMarkSvg(mark: TimeMark, { time, height }: Pick<PanelScales, 'time' | 'height'>): Markup {
  if (mark.kind === 'rules') {
    const shown = mark.at.filter(time.within).map(time.share);
    return markup`${shown.map((x) => markup`<line class="rule ${mark.stroke}" x1="${x}" x2="${x}" y1="0" y2="${height}"/>`)}`;
  }
  return stretched(
    height,
    markup`${mark.spans.map((span) => {
      const [from, to] = [withinPath(time.at(span.from)), withinPath(time.at(span.to))];
      return to > from
        ? markup`<rect class="span ${mark.shade}" x="${from}" width="${rounded(to - from)}" y="0" height="${height}"/>`
        : markup``;
    })}`,
  );
}
