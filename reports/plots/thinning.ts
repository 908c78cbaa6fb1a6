import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { Point } from './model.ts';

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
