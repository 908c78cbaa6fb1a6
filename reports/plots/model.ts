import { scaleLinear } from 'd3-scale';
import type { Figures } from '../tables.ts';

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The same time in as few intervals as possible, ascending: those that overlap become one. */
export function merged(intervals: readonly Interval[]): readonly Interval[] {
  const found: Interval[] = [];
  for (const { from, to } of [...intervals].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last !== undefined && from <= last.to)
      found[found.length - 1] = { ...last, to: Math.max(last.to, to) };
    else found.push({ from, to });
  }
  return found;
}

/** The share of all requests in the busiest period. */
const BUSIEST_SHARE = 0.8;

/** A busiest period shorter than this share of the plot is too short to be visible in it. */
const ENLARGED_SHARE = 0.1;

/**
 * The shortest period that contains most requests and their responses, in seconds, where it is too short to be
 * visible in a plot of so many seconds; undefined where no plot of its own is needed.
 * @param requests in the order of sending.
 */
export function hiddenPeriod(
  requests: readonly { readonly sent: number; readonly received: number }[],
  seconds: number,
): Interval | undefined {
  const many = Math.ceil(requests.length * BUSIEST_SHARE);
  let found: Interval | undefined;
  for (const [i, { sent: from }] of requests.entries()) {
    const to = many > 1 ? requests[i + many - 1]?.received : undefined;
    if (to === undefined) break;
    if (found === undefined || to - from < found.to - found.from) found = { from, to };
  }
  return found !== undefined && found.to - found.from < seconds * ENLARGED_SHARE ? found : undefined;
}

/**
 * The nouns of a plot: panels beneath each other over one axis, of time as a rule. Plain data; `plot.ts` turns
 * it into SVG. Times are seconds from the start of the plotted run.
 */

export interface Plot extends Interval {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** The text alternative: what the plot shows, with the figures, in sentences. It is shown beneath the plot. */
  readonly description: string;
  readonly ticks?: readonly Tick[];
  readonly panels: readonly Panel[];
  /** The same in figures, for whoever cannot see the plot. */
  readonly table?: Figures;
}

export type Panel = ValuePanel | RowPanel;

/** Values over time. The axis begins at zero and contains every value. */
export interface ValuePanel {
  readonly kind: 'values';
  /** The quantity with its unit, such as `Latency (ms)`. */
  readonly label: string;
  /** Height in pixels; 110 where it is absent. */
  readonly height?: number;
  /** The axis reaches this value at least. */
  readonly atLeast?: number;
  readonly marks: readonly Mark[];
}

/** Rows beneath each other, such as the connections of a client; the values of marks mean nothing here. */
export interface RowPanel {
  readonly kind: 'rows';
  readonly label: string;
  readonly rows: readonly { readonly name: string; readonly marks: readonly Mark[] }[];
}

export interface Point {
  /** Seconds. */
  readonly x: number;
  readonly y: number;
}

/** How an exchange ended, for its mark: each has a colour and a shape of its own, so nothing rests on colour alone. */
export type PointStatus = 'accepted' | 'rate-limited' | 'rejected' | 'failed' | 'no-response';

/** How a line is drawn. Several in one panel differ in this, and not only in colour. */
export type Stroke = 'strong' | 'dashed' | 'dotted' | 'quiet';

/** What can be drawn into a panel of values. `name` is shown in the legend; marks with the same name share an entry. */
export type Mark =
  /** A line through values with a gap where `y` is NaN, or as steps, of values that hold until the next one. */
  | {
      readonly kind: 'line' | 'steps';
      readonly name: string;
      readonly stroke: Stroke;
      readonly points: readonly Point[];
      /** Its name also stands at its end. */
      readonly isNamed?: true;
    }
  /** The range between two values, such as two percentiles. */
  | {
      readonly kind: 'band';
      readonly name: string;
      readonly points: readonly { readonly x: number; readonly low: number; readonly high: number }[];
    }
  /** Counts in intervals, one on top of the other. */
  | {
      readonly kind: 'stack';
      readonly layers: readonly { readonly name: string; readonly status: PointStatus }[];
      /** A value for each layer, in their order. */
      readonly bins: readonly (Interval & { readonly values: readonly number[] })[];
    }
  | PointsMark
  /** A horizontal line: a limit or a threshold. */
  | { readonly kind: 'level'; readonly name: string; readonly y: number }
  /** Moments, over the height of a panel or row. */
  | { readonly kind: 'rules'; readonly name: string; readonly at: readonly number[] }
  /** Intervals, over the height of a panel or row. `shade` differs where a panel shows two kinds. */
  | {
      readonly kind: 'spans';
      readonly name: string;
      readonly shade: 'plain' | 'striking';
      readonly spans: readonly Interval[];
    };

export interface PointsMark {
  readonly kind: 'points';
  readonly name: string;
  readonly status: PointStatus;
  readonly points: readonly Point[];
}

/** The width of the coordinates of paths; a browser stretches them to the width of the page. */
export const PATH_WIDTH = 1000;

/** Marks on the horizontal axis at most; six labels fit on a telephone. */
const TIME_TICKS = 6;
/** Approximate number of marks on a vertical axis. */
const VALUE_TICKS = 4;

export interface TimeScale {
  /** Units of a path, 0 to `PATH_WIDTH`. */
  readonly at: (seconds: number) => number;
  /** Position as a percentage of the width, such as `37.5%`. */
  readonly share: (seconds: number) => string;
  readonly within: (seconds: number) => boolean;
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly value: number;
  readonly text: string;
}

export interface ValueScale {
  /** Pixels from the top of the panel. */
  readonly at: (value: number) => number;
  readonly ticks: readonly Tick[];
}

const MINUTE = 60;
const HOUR = 3600;

/** Distances between marks, in seconds, from 10 s on; below, powers of ten divide time evenly. */
const TIME_STEPS = [
  ...[10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR],
];

/** The scale of time from `from` to `to`, in seconds; with marks of its own, of another quantity. */
export function timeScale(from: number, to: number, ticks = timeTicks(from, to)): TimeScale {
  const end = to > from ? to : from + 1;
  const scale = scaleLinear([from, end], [0, PATH_WIDTH]);
  return {
    at: (seconds) => rounded(scale(seconds)),
    share: (seconds) => `${rounded((scale(seconds) / PATH_WIDTH) * 100, 2)}%`,
    within: (seconds) => seconds >= from && seconds <= end,
    ticks,
  };
}

function timeTicks(from: number, to: number): readonly Tick[] {
  const end = to > from ? to : from + 1;
  const span = end - from;
  const step = TIME_STEPS.find((one) => span / one < TIME_TICKS);
  const few = span / 10 < TIME_TICKS - 2 || step === undefined;
  const values = few ? scaleLinear([from, end], [0, 1]).ticks(TIME_TICKS - 1) : multiples(step, from, end);
  const { seconds: unit, name } = unitOf(span);
  return values.map((value) => ({ value, text: `${rounded(value / unit, 6)} ${name}` }));
}

function unitOf(span: number): { readonly seconds: number; readonly name: string } {
  if (span <= 3 * MINUTE) return { seconds: 1, name: 's' };
  return span <= 3 * HOUR ? { seconds: MINUTE, name: 'min' } : { seconds: HOUR, name: 'h' };
}

function multiples(step: number, from: number, to: number): readonly number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => (first + i) * step);
}

export function valueScale(highest: number, height: number): ValueScale {
  const scale = scaleLinear([0, highest > 0 ? highest : 1], [height, 0]).nice(VALUE_TICKS);
  const text = scale.tickFormat(VALUE_TICKS, (scale.domain()[1] ?? 0) >= 10_000 ? '~s' : undefined);
  return {
    at: (value) => rounded(scale(value)),
    ticks: scale.ticks(VALUE_TICKS).map((value) => ({ value, text: text(value) })),
  };
}

/** Rounded to so many decimals, so that the same data always give the same bytes. */
export function rounded(value: number, decimals = 1): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor + 0;
}
