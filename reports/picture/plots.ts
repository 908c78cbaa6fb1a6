import { greatest } from '../../exchanges/collections.ts';
import type { RunRecord } from '../../suites/model/record.ts';
import { durationText } from '../../words/duration-text.ts';
import { bounded } from '../foreign-text.ts';
import { hiddenPeriod } from '../plots/busiest.ts';
import type { Interval } from '../plots/intervals.ts';
import { merged } from '../plots/intervals.ts';
import type { Mark, Panel, Plot, Point, RowPanel } from '../plots/model.ts';
import { STATUS_NAMES, STATUSES } from '../plots/statuses.ts';
import { describedPeriod, describedRun } from './description.ts';
import type { PictureReading } from './readings.ts';
import { readingsOf } from './readings.ts';

/** With more window ends than this, the limiter has no windows; it is a bucket, for example. */
const MOST_WINDOW_ENDS = 24;

const NAME_LIMIT = 60;

/** Who sends, for a person. Any other name is that of a further plan. */
const CALLERS: Readonly<Record<string, string>> = {
  unspecified: 'the key in a presentation that is left open',
  other: 'another caller',
  exhausted: 'a key whose day is used',
  disposable: 'the disposable key',
  unauthenticated: 'without a valid key',
};

/**
 * The plots of a certification run: the whole run, and its beginning until the first 429 (or its busiest period) where that is too short to be visible;
 * none where the record has no timeline.
 */
export function picturePlots(record: RunRecord): readonly Plot[] {
  const readings = readingsOf(record);
  if (readings.length === 0) return [];
  const end = greatest(readings.map(({ received }) => received));
  const whole = plotOf('picture', readings, { from: 0, to: end }, describedRun(record, readings));
  const busy = untilLimited(keyed(readings), end) ?? hiddenPeriod(keyed(readings), end);
  if (busy === undefined) return [whole];
  const inside = readings.filter(({ sent }) => sent >= busy.from && sent <= busy.to);
  const enlarged = plotOf('picture-enlarged', inside, busy, describedPeriod(inside, busy));
  return [whole, { ...enlarged, title: 'The busiest period of the run, enlarged' }];
}

/** The first 429 of a run that waits for a window comes in this share of it at most. */
const BEGINNING_SHARE = 0.25;

/** The beginning of a run until its first 429, where it is short. */
function untilLimited(readings: readonly PictureReading[], seconds: number): Interval | undefined {
  const [first] = readings;
  const limited = readings.find(({ status }) => status === 'rate-limited');
  if (first === undefined || limited === undefined || limited.n === first.n) return undefined;
  const to = limited.received + (limited.received - first.sent) * 0.02;
  return to - first.sent < seconds * BEGINNING_SHARE ? { from: first.sent, to } : undefined;
}

/** Requests of the key under test. */
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
function quotaPanel(readings: readonly PictureReading[], { from, to }: Interval): Panel {
  const counted = readings.filter(({ remaining }) => remaining !== undefined);
  const shown = windowEnds(readings).filter((at) => at >= from && at <= to);
  return {
    kind: 'values',
    label: 'Remaining of the key under test',
    height: 200,
    marks: [
      ...waitMarks(readings, { from, to }),
      { kind: 'rules', name: 'Reset', stroke: 'dashed', at: shown.length > MOST_WINDOW_ENDS ? [] : shown },
      { kind: 'steps', name: 'Remaining', stroke: 'quiet', points: counted.map(pointOf) },
      ...STATUSES.map(
        (status): Mark => ({
          kind: 'points',
          name: STATUS_NAMES[status],
          status,
          points: counted.filter((one) => one.status === status).map(pointOf),
        }),
      ),
    ],
  };
}

/** Values of Reset this close to each other state the same moment; clocks are read in whole seconds, in seconds. */
const SAME_MOMENT = 1;

/** The different moments at which windows end, ascending. */
function windowEnds(readings: readonly PictureReading[]): readonly number[] {
  const ends: number[] = [];
  for (const at of readings.flatMap(({ reset }) => reset ?? []).sort((a, b) => a - b))
    if (at - (ends.at(-1) ?? Number.NEGATIVE_INFINITY) > SAME_MOMENT) ends.push(at);
  return ends;
}

const pointOf = ({ sent, remaining }: PictureReading): Point => ({ x: sent, y: remaining ?? 0 });

/** The waits that 429 responses announce, and the pauses that the run kept after them. */
function waitMarks(readings: readonly PictureReading[], period: Interval): readonly Mark[] {
  const inside = ({ from, to }: Interval): boolean => to > period.from && from < period.to;
  const limited = readings.flatMap((one, i) =>
    one.waitUntil === undefined
      ? []
      : [{ from: one.received, until: one.waitUntil, next: readings[i + 1]?.sent ?? one.received }],
  );
  const announced = merged(limited.map(({ from, until }) => ({ from, to: until }))).filter(inside);
  const kept = merged(limited.map(({ from, next }) => ({ from, to: next }))).filter(inside);
  return [
    { kind: 'spans', name: 'no request with the key', shade: 'plain', spans: kept },
    { kind: 'spans', name: 'announced Retry-After', shade: 'striking', spans: announced },
  ];
}

/** The requests that have no place in the count of the key: of other callers, and without Remaining. */
function othersPanel(readings: readonly PictureReading[]): RowPanel {
  const groups = new Map<string, PictureReading[]>();
  for (const reading of readings) {
    const name = rowName(reading);
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), reading]);
  }
  const rows = [...groups].map(([name, own]) => ({
    name,
    marks: STATUSES.map((status) => ({
      kind: 'points' as const,
      name: STATUS_NAMES[status],
      status,
      at: own.filter((one) => one.status === status).map(({ sent }) => sent),
    })),
  }));
  return { kind: 'rows', label: 'Other requests', rows };
}

function rowName({ caller, remaining }: PictureReading): string | undefined {
  if (caller === 'key') return remaining === undefined ? 'the key, response without Remaining' : undefined;
  return CALLERS[caller] ?? `the key of ${bounded(caller, NAME_LIMIT)}`;
}
