import type { Mark, Point, PointStatus } from './model.ts';

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

/** Exchanges as marks, one for each status. */
export const pointsByStatus = <Exchange extends { readonly status: PointStatus }>(
  exchanges: readonly Exchange[],
  pointOf: (exchange: Exchange) => Point,
): readonly Mark[] =>
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
