import type { ScaleLinear } from 'd3-scale';
import { scaleLinear } from 'd3-scale';

/** The width of the coordinates of paths; a browser stretches them to the width of the page. */
export const PATH_WIDTH = 1000;

/** Marks on the horizontal axis at most; six labels fit on a telephone. */
const TIME_TICKS = 6;
/** Approximate number of marks on a vertical axis. */
const VALUE_TICKS = 4;

/** The horizontal axis of a plot. */
export interface TimeScale {
  /** Units of a path, 0 to `PATH_WIDTH`. */
  readonly at: (seconds: number) => number;
  /** Position as a percentage of the width, such as `37.5%`. */
  readonly share: (seconds: number) => string;
  readonly within: (seconds: number) => boolean;
  readonly ticks: readonly Tick[];
}

/** A mark on an axis. */
export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** The vertical axis of a panel. */
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

/** The unit of the marks of a section of time. */
function unitOf(span: number): { readonly seconds: number; readonly name: string } {
  if (span <= 3 * MINUTE) return { seconds: 1, name: 's' };
  return span <= 3 * HOUR ? { seconds: MINUTE, name: 'min' } : { seconds: HOUR, name: 'h' };
}

function multiples(step: number, from: number, to: number): readonly number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => (first + i) * step);
}

/** The scale of values from 0 to at least `highest`, over `height` pixels. */
export function valueScale(highest: number, height: number): ValueScale {
  const scale = scaleLinear([0, highest > 0 ? highest : 1], [height, 0]).nice(VALUE_TICKS);
  return {
    at: (value) => rounded(scale(value)),
    ticks: scale.ticks(VALUE_TICKS).map((value) => ({ value, text: valueText(value, scale) })),
  };
}

const valueText = (value: number, scale: ScaleLinear<number, number>): string =>
  scale.tickFormat(VALUE_TICKS, (scale.domain()[1] ?? 0) >= 10_000 ? '~s' : undefined)(value);

/** Rounded to so many decimals, so that the same data always give the same bytes. */
export function rounded(value: number, decimals = 1): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor + 0;
}
