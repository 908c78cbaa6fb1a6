import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import type { Point, PointStatus } from './model.ts';
import type { TimeScale, ValueScale } from './scales.ts';
import { PATH_WIDTH } from './scales.ts';

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
export function pointMarks(
  status: PointStatus,
  points: readonly Point[],
  { time, value, height }: PanelScales,
): Markup {
  if (status !== 'accepted')
    return markup`${points.map(({ x, y }) => pointMark(status, time.share(x), value.at(y)))}`;
  const d = points.map(({ x, y }) => `M${time.at(x)} ${value.at(y)}h0`).join('');
  return stretched(height, markup`<path class="dots ${status}" d="${d}"/>`);
}

/** The scales of a panel, and its height in pixels. */
export interface PanelScales {
  readonly time: TimeScale;
  readonly value: ValueScale;
  readonly height: number;
}

/** Paths in the coordinates of the scales, stretched to the width of the page; strokes keep their width (style.ts). */
export const stretched = (height: number, content: Markup): Markup =>
  markup`<svg class="stretched" viewBox="0 0 ${PATH_WIDTH} ${height}" preserveAspectRatio="none" width="100%" height="${height}">${content}</svg>`;
