/**
 * A ratio of two figures that were measured side by side in one run, and its aim. Absolute
 * times differ by a factor of two between machines, so no aim rests on them.
 */
export interface BenchRow {
  readonly name: string;
  readonly ratio: number;
  readonly aim: { readonly is: 'at most' | 'at least' | 'exactly'; readonly value: number };
  /** The figures of the ratio with their units, for information. */
  readonly absolute: string;
}

const isMet = ({ ratio, aim }: BenchRow): boolean => {
  switch (aim.is) {
    case 'at most':
      return ratio <= aim.value;
    case 'at least':
      return ratio >= aim.value;
    case 'exactly':
      return ratio === aim.value;
  }
};

/** A figure with at most two decimals. */
export const rounded = (value: number): string => String(Number(value.toFixed(2)));

/** A row as one line of text. */
export function lineOf(row: BenchRow): string {
  const { name, ratio, aim, absolute } = row;
  const wanted = `${aim.is} ${rounded(aim.value)}`;
  const met = isMet(row) ? 'met' : 'NOT MET';
  return `${name.padEnd(80)} ${rounded(ratio).padStart(6)}   ${wanted.padEnd(13)} ${met.padEnd(7)}   ${absolute}`;
}

/**
 * The median of some figures.
 * @throws {RangeError} when there are none.
 */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  if (low === undefined || high === undefined) throw new RangeError('There is no median of nothing.');
  return (low + high) / 2;
}
