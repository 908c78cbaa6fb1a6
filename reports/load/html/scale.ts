/** Places a value on an axis of a picture, and says where its marks belong. */
export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

/** So many marks are aimed at on an axis. */
const TICKS = 6;

/** From 0 to `to`, with marks in even steps of 1, 2 or 5; `start` and `end` are places in the picture. */
export function linear(to: number, start: number, end: number): Scale {
  const last = to > 0 ? to : 1;
  const step = evenStep(last / TICKS);
  const count = Math.floor(last / step + 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
  return { at: (value) => start + (value / last) * (end - start), ticks };
}

/** The smallest 1, 2 or 5 with zeros that is not below this. */
function evenStep(least: number): number {
  if (!(least > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * unit >= least * (1 - 1e-9)) ?? 10;
  return factor * unit;
}

/** A place in a picture with as many digits as anybody can see. */
export const place = (value: number): string => String(Math.round(value * 10) / 10);
