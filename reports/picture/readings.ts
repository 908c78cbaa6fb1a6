import type { RunRecord, TimelineEntry } from '../../kernel/findings/record.ts';
import type { PointStatus } from '../plots/model.ts';
import { pointStatusOf } from '../plots/statuses.ts';

/** An exchange of a run as its picture needs it. Times are seconds from the first request of the run. */
export interface PictureReading {
  readonly n: number;
  readonly caller: string;
  readonly sent: number;
  readonly received: number;
  readonly code: number | null;
  readonly status: PointStatus;
  readonly remaining: number | undefined;
  readonly reset: number | undefined;
  /** The announced end of the wait, where a 429 announces one. */
  readonly waitUntil: number | undefined;
}

/** The exchanges of a record, in the order of sending; none where the record has no timeline. */
export const readingsOf = ({ timeline }: RunRecord): readonly PictureReading[] =>
  (timeline?.entries ?? []).map(readingOf);

function readingOf({
  n,
  caller,
  at,
  milliseconds,
  status,
  remaining,
  reset,
  wait,
}: TimelineEntry): PictureReading {
  const received = (at + milliseconds) / 1000;
  return {
    n,
    caller,
    sent: at / 1000,
    received,
    code: status,
    status: pointStatusOf(status ?? undefined),
    remaining,
    reset: reset === undefined ? undefined : reset / 1000,
    waitUntil: wait === undefined ? undefined : received + wait / 1000,
  };
}
