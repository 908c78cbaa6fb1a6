import { area, curveStepAfter, line, stack } from 'd3-shape';
import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import type { Interval, Mark, Point, PointStatus, PointsMark, TimeScale, ValueScale } from './model.ts';
import { merged, PATH_WIDTH, rounded } from './model.ts';

/** The outline of each status around its own centre; accepted exchanges are round dots. */
const OUTLINES: Readonly<Record<Exclude<PointStatus, 'accepted'>, string>> = {
  'rate-limited': 'M0-5.5L5.5 0L0 5.5L-5.5 0Z',
  rejected: 'M0-4.5L4.5 3.5H-4.5Z',
  failed: 'M-4-4L4 4M4-4L-4 4',
  'no-response': 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0',
};

/** One exchange, centred at a position; both coordinates may be percentages. */
export function pointMark(status: PointStatus, x: string, y: number): Markup {
  if (status === 'accepted') return markup`<circle class="point ${status}" cx="${x}" cy="${y}" r="2.7"/>`;
  return markup`<svg class="at" x="${x}" y="${y}"><path class="point ${status}" d="${OUTLINES[status]}"/></svg>`;
}

/**
 * Exchanges of one status. Accepted ones are many, so they are one path of strokes without length, which
 * round ends make into dots; the others are few, and each has its own shape.
 */
function pointMarks(
  status: PointStatus,
  points: readonly Point[],
  { time, value, height }: PanelScales,
): Markup {
  if (status !== 'accepted')
    return markup`${points.map(({ x, y }) => pointMark(status, time.share(x), value.at(y)))}`;
  const d = points.map(({ x, y }) => `M${time.at(x)} ${value.at(y)}h0`).join('');
  return stretched(height, markup`<path class="dots ${status}" d="${d}"/>`);
}

interface PanelScales {
  readonly time: TimeScale;
  readonly value: ValueScale;
  readonly height: number;
}

/** Paths in the coordinates of the scales, stretched to the width of the page; strokes keep their width (style.ts). */
const stretched = (height: number, content: Markup): Markup =>
  markup`<svg class="stretched" viewBox="0 0 ${PATH_WIDTH} ${height}" preserveAspectRatio="none" width="100%" height="${height}">${content}</svg>`;

/**
 * The points of a line that are visible on `columns` columns of pixels: the first, lowest, highest
 * and last of each. The picture is the same, however many points there were.
 * @param points ascending in x.
 */
export function visiblePoints(points: readonly Point[], columns: number): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length <= columns * 4) return points;
  const width = (last.x - first.x) / columns || 1;
  const inColumns = groupedBy(points, ({ x }) => Math.floor((x - first.x) / width));
  return [...inColumns.values()].flatMap(extremes);
}

/** The first, lowest, highest and last point, each once, in their order. */
function extremes(column: readonly Point[]): readonly Point[] {
  if (column.length <= 4) return column;
  let [low, high] = [0, 0];
  for (const [i, { y }] of column.entries()) {
    if (y < (column[low]?.y ?? 0)) low = i;
    if (y > (column[high]?.y ?? 0)) high = i;
  }
  const wanted = [...new Set([0, low, high, column.length - 1])].sort((a, b) => a - b);
  return wanted.map((i) => column[i] as Point);
}

/** Columns of pixels that a line distinguishes. */
const COLUMNS = 500;

type MarkOf<Kind extends Mark['kind']> = Extract<Mark, { kind: Kind }>;

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
      return markup`<line class="level" x1="0" x2="100%" y1="${scales.value.at(mark.y)}" y2="${scales.value.at(mark.y)}"/>`;
    case 'rules':
      return rulesSvg(mark, scales);
    case 'spans':
      return spansSvg(mark, scales);
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

/** The nearest coordinate on the axis. */
const withinPath = (x: number): number => Math.min(PATH_WIDTH, Math.max(0, x));

function rulesSvg({ at }: MarkOf<'rules'>, { time, height }: PanelScales): Markup {
  const shown = at.filter(time.within).map(time.share);
  return markup`${shown.map((x) => markup`<line class="rule" x1="${x}" x2="${x}" y1="0" y2="${height}"/>`)}`;
}

function spansSvg({ spans, shade }: MarkOf<'spans'>, { time, height }: PanelScales): Markup {
  const rects = spans.map((span) => {
    const [from, to] = [withinPath(time.at(span.from)), withinPath(time.at(span.to))];
    return to > from
      ? markup`<rect class="span ${shade}" x="${from}" width="${rounded(to - from)}" y="0" height="${height}"/>`
      : undefined;
  });
  return stretched(height, markup`${rects}`);
}

/** The words of a legend for each status. */
export const STATUS_NAMES: Readonly<Record<PointStatus, string>> = {
  accepted: '2xx, accepted',
  'rate-limited': '429, rate-limited',
  rejected: 'other 4xx',
  failed: 'other status',
  'no-response': 'no response',
};

/** Every status, in the order of legends and stacks. */
export const STATUSES = Object.keys(STATUS_NAMES) as readonly PointStatus[];

/** The status of an exchange for its mark. @param code the HTTP status; undefined where no response came. */
export function pointStatusOf(code: number | undefined): PointStatus {
  if (code === undefined) return 'no-response';
  if (code === 429) return 'rate-limited';
  if (code >= 200 && code < 300) return 'accepted';
  return code >= 400 && code < 500 ? 'rejected' : 'failed';
}

export const pointsByStatus = <Exchange extends { readonly status: PointStatus }>(
  exchanges: readonly Exchange[],
  pointOf: (exchange: Exchange) => Point,
): readonly PointsMark[] =>
  STATUSES.map((status) => ({
    kind: 'points',
    name: STATUS_NAMES[status],
    status,
    points: exchanges.filter((one) => one.status === status).map(pointOf),
  }));

/** How many exchanges have each status: `60 × 2xx, accepted; 1 × 429, rate-limited`. */
export const statusCounts = (exchanges: readonly { readonly status: PointStatus }[]): string =>
  STATUSES.map((status) => ({ status, count: exchanges.filter((one) => one.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} × ${STATUS_NAMES[status]}`)
    .join('; ') || 'none';

/** With more window ends than this, the limiter has no windows; it is a bucket, for example. */
export const MOST_WINDOW_ENDS = 24;

/** What an exchange shows of the quota of its key. Times in seconds from the first request of the run. */
export interface QuotaReading {
  readonly sent: number;
  readonly received: number;
  readonly status: PointStatus;
  readonly remaining: number | undefined;
  /** The advertised end of the window, on the clock of this machine. */
  readonly reset: number | undefined;
  /** The announced end of the wait, where a 429 announces one. */
  readonly waitUntil: number | undefined;
}

/** Values of Reset this close to each other state the same moment; clocks are read in whole seconds, in seconds. */
const SAME_MOMENT = 1;

/** The different ends of windows that responses advertise within a section, ascending. */
export function windowEndsIn({ from, to }: Interval, readings: readonly QuotaReading[]): readonly number[] {
  const ends: number[] = [];
  for (const at of readings.flatMap(({ reset }) => reset ?? []).sort((a, b) => a - b))
    if (at >= from && at <= to && at - (ends.at(-1) ?? Number.NEGATIVE_INFINITY) > SAME_MOMENT) ends.push(at);
  return ends;
}

/** The quota of a key in a section of a run, for the panel on which its exchanges are drawn, behind these. @param pauses when the run did not send, and how the legend explains it. */
export function quotaMarks(
  section: Interval,
  readings: readonly QuotaReading[],
  pauses: { readonly name: string; readonly spans: readonly Interval[] },
): readonly Mark[] {
  const windowEnds = windowEndsIn(section, readings);
  const shown = (spans: readonly Interval[]): readonly Interval[] =>
    merged(spans).filter(({ from, to }) => to > section.from && from < section.to);
  const announced = readings.flatMap(({ received, waitUntil }) =>
    waitUntil === undefined ? [] : [{ from: received, to: waitUntil }],
  );
  return [
    { kind: 'spans', name: pauses.name, shade: 'plain', spans: shown(pauses.spans) },
    { kind: 'spans', name: 'announced Retry-After', shade: 'striking', spans: shown(announced) },
    { kind: 'rules', name: 'Reset', at: windowEnds.length > MOST_WINDOW_ENDS ? [] : windowEnds },
    {
      kind: 'steps',
      name: 'Remaining',
      stroke: 'quiet',
      points: readings.flatMap(({ sent, remaining }) =>
        remaining === undefined ? [] : [{ x: sent, y: remaining }],
      ),
    },
  ];
}

/** Exchanges by their send time and the Remaining of their responses; without one, at zero. */
export const quotaPoints = (readings: readonly QuotaReading[]): readonly PointsMark[] =>
  pointsByStatus(readings, ({ sent, remaining }) => ({ x: sent, y: remaining ?? 0 }));
