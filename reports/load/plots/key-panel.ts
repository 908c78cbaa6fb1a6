import { greatest, thinned } from '../../../exchanges/collections.ts';
import type { ScenarioEvent } from '../../../load/model/sample.ts';
import type { Interval } from '../../plots/intervals.ts';
import { merged } from '../../plots/intervals.ts';
import type { Mark, Panel, Point } from '../../plots/model.ts';
import { STATUS_NAMES, STATUSES } from '../../plots/statuses.ts';
import type { Reading } from './readings.ts';

/** Requests of one key that a plot shows; those that were not accepted take precedence. */
const MOST_POINTS = 1500;

/** With more window ends than this, the limiter has no windows; it is a bucket, for example. */
const MOST_WINDOW_ENDS = 24;

/** A wait that a scenario planned. */
export type Wait = Extract<ScenarioEvent, { kind: 'waiting' }>;

/** One key in a section of the run: its requests and its waits. */
export interface KeyReadings {
  readonly key: string;
  /** In the order of sending. */
  readonly readings: readonly Reading[];
  readonly waits: readonly Wait[];
  /** When the first request of the run was sent, milliseconds since the Unix epoch. */
  readonly start: number;
  /** The section, in seconds. */
  readonly from: number;
  readonly to: number;
}

/** Every request of a key by its send time and the Remaining of its response. */
export function keyPanel(section: KeyReadings, limit: number): Panel {
  const { readings, from, to } = section;
  const inside = (seconds: number): boolean => seconds >= from && seconds <= to;
  const resets = [...new Set(readings.flatMap(({ reset }) => reset ?? []))].filter(inside);
  return {
    kind: 'values',
    label: `Remaining of ${section.key}`,
    height: 150,
    atLeast: greatest([limit, ...readings.flatMap(({ remaining }) => remaining ?? [])]),
    marks: [
      ...timeMarks(section),
      { kind: 'rules', name: 'Reset', stroke: 'dashed', at: resets.length > MOST_WINDOW_ENDS ? [] : resets },
      {
        kind: 'steps',
        name: 'Remaining',
        stroke: 'quiet',
        points: readings.flatMap(({ sent, remaining }) =>
          remaining === undefined ? [] : [{ x: sent, y: remaining }],
        ),
      },
      ...pointMarks(readings),
    ],
  };
}

function timeMarks({ readings, waits, start, from, to }: KeyReadings): readonly Mark[] {
  const shown = (spans: readonly Interval[]): readonly Interval[] =>
    merged(spans).filter((one) => one.to > from && one.from < to);
  const announced = readings.flatMap(({ received, wait }) =>
    wait === undefined || wait <= 0 ? [] : [{ from: received, to: received + wait }],
  );
  const planned = waits.map(({ at, untilMs }) => ({
    from: (at - start) / 1000,
    to: (untilMs - start) / 1000,
  }));
  return [
    { kind: 'spans', name: 'wait of the profile', shade: 'plain', spans: shown(planned) },
    { kind: 'spans', name: 'announced Retry-After', shade: 'striking', spans: shown(announced) },
  ];
}

function pointMarks(readings: readonly Reading[]): readonly Mark[] {
  const shown = shownReadings(readings);
  return STATUSES.map((status) => ({
    kind: 'points',
    name: STATUS_NAMES[status],
    status,
    points: shown
      .filter((one) => one.status === status)
      .map((one): Point => ({ x: one.sent, y: one.remaining ?? 0 })),
  }));
}

/** All that were not accepted, up to half of the points, and an even selection of the others. */
function shownReadings(readings: readonly Reading[]): readonly Reading[] {
  const others = readings.filter(({ status }) => status !== 'accepted');
  const shown = thinned(others, MOST_POINTS / 2);
  return [
    ...thinned(
      readings.filter(({ status }) => status === 'accepted'),
      MOST_POINTS - shown.length,
    ),
    ...shown,
  ];
}

/** What the panel of a key does not show, in sentences. */
export function keyNotes({ readings, from, to }: KeyReadings): readonly string[] {
  const ends = new Set(
    readings.flatMap(({ reset }) => (reset !== undefined && reset >= from && reset <= to ? reset : [])),
  );
  const shown = shownReadings(readings).length;
  return [
    ...(ends.size > MOST_WINDOW_ENDS
      ? ['Reset changes with every response, as with a bucket; it is not drawn.']
      : []),
    ...(shown < readings.length ? [`${shown} of its ${readings.length} requests are drawn.`] : []),
  ];
}
