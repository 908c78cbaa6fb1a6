import type { PointStatus } from './model.ts';

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
