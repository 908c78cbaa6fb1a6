/** Maps values to an axis of a chart. */
export interface AxisScale {
  /** The coordinate of a value. */
  readonly at: (value: number) => number;
  /** The values that get a mark. */
  readonly ticks: readonly number[];
}

/** The approximate number of marks on an axis. */
const TICKS = 6;

/** A linear scale from 0 to `to`, with marks in steps of 1, 2 or 5 times a power of ten; `start` and `end` are coordinates. */
export function linearScale(to: number, start: number, end: number): AxisScale {
  const last = to > 0 ? to : 1;
  const step = evenStep(last / TICKS);
  const count = Math.floor(last / step + 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
  return { at: (value) => start + (value / last) * (end - start), ticks };
}

/** The smallest 1, 2 or 5 times a power of ten that is not below this. */
function evenStep(least: number): number {
  if (!(least > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * unit >= least * (1 - 1e-9)) ?? 10;
  return factor * unit;
}

/** A coordinate as text, rounded to a tenth of a pixel. */
export const coordinate = (value: number): string => String(Math.round(value * 10) / 10);
