import { durationText } from '../../kernel/basics/duration-text.ts';
import { countOf, groupedNumber } from '../../kernel/basics/text.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { bounded } from '../foreign-text.ts';
import type { Interval } from '../plots/intervals.ts';
import { statusCounts } from '../plots/statuses.ts';
import type { PictureReading } from './readings.ts';

/** The observation that names the apparent algorithm. */
const ALGORITHM = 'LIMIT-10';

const TEXT_LIMIT = 600;

/** The picture of a run in words, with its figures. */
export function describedRun(record: RunRecord, readings: readonly PictureReading[]): string {
  const of = (caller: string): readonly PictureReading[] => readings.filter((one) => one.caller === caller);
  const [keyed, open] = [of('key'), of('unspecified')];
  const { omitted = 0 } = record.timeline ?? {};
  const algorithm = record.observations.find(({ id }) => id === ALGORITHM)?.value;
  return [
    `${omitted === 0 ? '' : `${groupedNumber(readings.length)} of ${groupedNumber(readings.length + omitted)} exchanges are drawn: `}${countOf(keyed.length, 'request')} with the key under test (${statusCounts(keyed)})${open.length === 0 ? '' : `, ${open.length} with the key in a form that the specification leaves open,`} and ${readings.length - keyed.length - open.length} others.`,
    limitText(keyed, omitted === 0),
    ...(algorithm === undefined ? [] : [`Inferred algorithm: ${bounded(algorithm, TEXT_LIMIT)}`]),
    ...(omitted === 0
      ? []
      : [
          `${groupedNumber(omitted)} further accepted or similar exchanges are not drawn; the journal has all.`,
        ]),
  ].join(' ');
}

/** A period that ends before this many seconds is stated in milliseconds. */
const SHORT_SECONDS = 0.1;

const millisecondsText = (seconds: number): string => `${Math.round(1000 * seconds)} ms`;

/** A section of the picture in words. */
export function describedPeriod(readings: readonly PictureReading[], { from, to }: Interval): string {
  const keyed = readings.filter(({ caller }) => caller === 'key');
  const text = to < SHORT_SECONDS ? millisecondsText : durationText;
  return `Enlarged, from ${text(from)} to ${text(to)}: ${countOf(keyed.length, 'request')} with the key under test (${statusCounts(keyed)}).`;
}

/** The first 429, what it announced, and what the next request with the key got, where every request is known. */
function limitText(keyed: readonly PictureReading[], complete: boolean): string {
  const at = keyed.findIndex(({ status }) => status === 'rate-limited');
  const limited = keyed[at];
  if (limited === undefined) return 'No request with the key was rate-limited.';
  const first = `The first 429 came at ${durationText(limited.received)} (exchange ${limited.n})`;
  if (limited.waitUntil === undefined) return `${first} without a usable Retry-After.`;
  const announced = `${first} and announced a wait of ${durationText(limited.waitUntil - limited.received)}`;
  if (!complete) return `${announced}.`;
  const next = keyed[at + 1];
  if (next === undefined) return `${announced}; no further request was sent with the key.`;
  const kept = next.sent - limited.waitUntil;
  const when = `${Math.abs(kept).toFixed(2)} s ${kept < 0 ? 'before' : 'after'} the end of that wait`;
  return `${announced}; the next request with the key (exchange ${next.n}) was sent ${when} and got ${next.code ?? 'no response'}.`;
}
