import { countOf, durationText, groupedNumber } from '../kernel/basics/text.ts';
import { greatest, groupedBy } from '../kernel/exchanges/collections.ts';
import type { RunRecord, TimelineEntry } from '../kernel/findings/record.ts';
import { shortText } from './load/texts.ts';
import { pointStatusOf, quotaMarks, quotaPoints, statusCounts } from './plots/marks.ts';
import type { Interval, Panel, Plot, RowPanel } from './plots/model.ts';
import { hiddenPeriod } from './plots/model.ts';
import { plotFile } from './plots/plot.ts';
import { bounded } from './written.ts';

type PictureReading = ReturnType<typeof readingOf>;

function readingOf({ at, milliseconds, status, reset, wait, ...entry }: TimelineEntry) {
  const received = (at + milliseconds) / 1000;
  return {
    ...entry,
    sent: at / 1000,
    received,
    code: status,
    status: pointStatusOf(status ?? undefined),
    remaining: entry.remaining,
    reset: reset === undefined ? undefined : reset / 1000,
    waitUntil: wait === undefined ? undefined : received + wait / 1000,
  };
}

/** The observation that names the apparent algorithm. */
const ALGORITHM = 'LIMIT-10';

const TEXT_LIMIT = 600;

function describedRun(record: RunRecord, readings: readonly PictureReading[]): string {
  const own = keyed(readings);
  const open = readings.filter(({ caller }) => caller === 'unspecified');
  const { omitted = 0 } = record.timeline ?? {};
  const algorithm = record.observations.find(({ id }) => id === ALGORITHM)?.value;
  return [
    `${omitted === 0 ? '' : `${groupedNumber(readings.length)} of ${groupedNumber(readings.length + omitted)} exchanges are drawn: `}${countOf(own.length, 'request')} with the key under test (${statusCounts(own)})${open.length === 0 ? '' : `, ${open.length} with the key in a form that the specification leaves open,`} and ${readings.length - own.length - open.length} others.`,
    limitText(own, omitted === 0),
    ...(algorithm === undefined ? [] : [`Inferred algorithm: ${bounded(algorithm, TEXT_LIMIT)}`]),
    ...(omitted === 0
      ? []
      : [
          `${groupedNumber(omitted)} further accepted or similar exchanges are not drawn; the journal has all.`,
        ]),
  ].join(' ');
}

function describedPeriod(readings: readonly PictureReading[], { from, to }: Interval): string {
  const own = keyed(readings);
  return `Enlarged, from ${shortText(from)} to ${shortText(to)}: ${countOf(own.length, 'request')} with the key under test (${statusCounts(own)}).`;
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

const NAME_LIMIT = 60;

/** Who sends, for a person. Any other name is that of a further plan. */
const CALLERS: Readonly<Record<string, string>> = {
  unspecified: 'the key, written in another form',
  other: 'another caller',
  exhausted: 'an exhausted key',
  disposable: 'the disposable key',
  unauthenticated: 'without a valid key',
};

/**
 * The plots of a certification run: the whole run, and its beginning until the first 429 (or its busiest period) where that is too short to be visible;
 * none where the record has no timeline.
 */
export function picturePlots(record: RunRecord): readonly Plot[] {
  const readings = (record.timeline?.entries ?? []).map(readingOf);
  if (readings.length === 0) return [];
  const end = greatest(readings.map(({ received }) => received));
  const whole = plotOf('picture', readings, { from: 0, to: end }, describedRun(record, readings));
  const busy = untilLimited(keyed(readings), end) ?? hiddenPeriod(keyed(readings), end);
  if (busy === undefined) return [whole];
  const inside = readings.filter(({ sent }) => sent >= busy.from && sent <= busy.to);
  const enlarged = plotOf('picture-enlarged', inside, busy, describedPeriod(inside, busy));
  return [whole, { ...enlarged, title: 'The busiest period of the run, enlarged' }];
}

/** The picture of a certification run as an SVG file of its own; undefined where the record has no timeline. */
export function renderPicture(record: RunRecord): string | undefined {
  const [whole] = picturePlots(record);
  return whole === undefined ? undefined : plotFile(whole);
}

/** The first 429 of a run that waits for a window comes in this share of it at most. */
const BEGINNING_SHARE = 0.25;

function untilLimited(readings: readonly PictureReading[], seconds: number): Interval | undefined {
  const [first] = readings;
  const limited = readings.find(({ status }) => status === 'rate-limited');
  if (first === undefined || limited === undefined || limited.n === first.n) return undefined;
  const to = limited.received + (limited.received - first.sent) * 0.02;
  return to - first.sent < seconds * BEGINNING_SHARE ? { from: first.sent, to } : undefined;
}

const keyed = (readings: readonly PictureReading[]): readonly PictureReading[] =>
  readings.filter(({ caller }) => caller === 'key');

function plotOf(
  id: string,
  readings: readonly PictureReading[],
  period: Interval,
  description: string,
): Plot {
  const others = othersPanel(readings);
  return {
    id,
    title: `The run, ${durationText(period.to - period.from)}`,
    description,
    ...period,
    panels: [quotaPanel(keyed(readings), period), ...(others.rows.length === 0 ? [] : [others])],
  };
}

/** Every request of the key under test with the Remaining of its response. */
function quotaPanel(readings: readonly PictureReading[], period: Interval): Panel {
  const spans = readings.flatMap(({ received, waitUntil }, i) =>
    waitUntil === undefined ? [] : [{ from: received, to: readings[i + 1]?.sent ?? received }],
  );
  const marks = quotaMarks(period, readings, { name: 'no request with the key', spans });
  return {
    kind: 'values',
    label: 'Remaining of the key under test',
    height: 200,
    marks: [...marks, ...quotaPoints(readings.filter(({ remaining }) => remaining !== undefined))],
  };
}

/** The requests that have no place in the count of the key: of other callers, and without Remaining. */
function othersPanel(readings: readonly PictureReading[]): RowPanel {
  const groups = groupedBy(readings, rowName);
  const rows = [...groups].flatMap(([name, own]) =>
    name === undefined ? [] : [{ name, marks: quotaPoints(own) }],
  );
  return { kind: 'rows', label: 'Other requests', rows };
}

function rowName({ caller, remaining }: PictureReading): string | undefined {
  if (caller === 'key') return remaining === undefined ? 'the key, response without Remaining' : undefined;
  return CALLERS[caller] ?? `the key of ${bounded(caller.replace(':', ' '), NAME_LIMIT)}`;
}
