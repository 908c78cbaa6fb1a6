import { groupedNumber } from '../../../kernel/basics/text.ts';
import { greatest, thinned } from '../../../kernel/exchanges/collections.ts';
import type { ScenarioEvent } from '../../../load/model/sample.ts';
import type { Interval } from '../../plots/intervals.ts';
import type { Panel } from '../../plots/model.ts';
import { MOST_WINDOW_ENDS, quotaMarks } from '../../plots/quota-marks.ts';
import { pointsByStatus } from '../../plots/statuses.ts';
import type { Reading } from './readings.ts';

/** Requests of one key that a plot shows; those that were not accepted take precedence. */
const MOST_POINTS = 1500;

/** A wait that a scenario planned. */
export type Wait = Extract<ScenarioEvent, { kind: 'waiting' }>;

/** One key in a section of the run, in seconds: its requests and its waits. */
export interface KeyReadings extends Interval {
  readonly key: string;
  /** In the order of sending. */
  readonly readings: readonly Reading[];
  readonly waits: readonly Wait[];
  /** When the first request of the run was sent, milliseconds since the Unix epoch. */
  readonly start: number;
}

/** Every request of a key by its send time and the Remaining of its response. */
export function keyPanel(section: KeyReadings, limit: number): Panel {
  const { key, readings, waits, start } = section;
  const counted = readings.flatMap(({ sent, remaining }) =>
    remaining === undefined ? [] : [{ x: sent, y: remaining }],
  );
  const marks = quotaMarks(section, {
    pauses: {
      name: 'wait of the profile',
      spans: waits.map(({ at, untilMs }) => ({ from: (at - start) / 1000, to: (untilMs - start) / 1000 })),
    },
    announced: readings.flatMap(({ received, wait }) =>
      wait === undefined || wait <= 0 ? [] : [{ from: received, to: received + wait }],
    ),
    windowEnds: windowEnds(section),
    remaining: counted,
  });
  return {
    kind: 'values',
    label: `Remaining of ${key}`,
    height: 150,
    atLeast: greatest([limit, ...counted.map(({ y }) => y)]),
    marks: [
      ...marks,
      ...pointsByStatus(shownReadings(readings), ({ sent, remaining }) => ({ x: sent, y: remaining ?? 0 })),
    ],
  };
}

/** The different ends of windows that responses advertise within a section. */
const windowEnds = ({ readings, from, to }: KeyReadings): readonly number[] =>
  [...new Set(readings.flatMap(({ reset }) => reset ?? []))].filter((at) => at >= from && at <= to);

/** All that were not accepted, up to half of the points, and an even selection of the others. */
function shownReadings(readings: readonly Reading[]): readonly Reading[] {
  const accepted = readings.filter(({ status }) => status === 'accepted');
  const others = readings.filter(({ status }) => status !== 'accepted');
  const shown = thinned(others, MOST_POINTS / 2);
  return [...thinned(accepted, MOST_POINTS - shown.length), ...shown];
}

/** What the panel of a key does not show, in sentences. */
export function keyNotes(section: KeyReadings): readonly string[] {
  const { length } = section.readings;
  const shown = shownReadings(section.readings).length;
  return [
    ...(windowEnds(section).length > MOST_WINDOW_ENDS
      ? ['Reset changes with every response, as with a bucket; it is not drawn.']
      : []),
    ...(shown < length
      ? [`${groupedNumber(shown)} of its ${groupedNumber(length)} requests are drawn.`]
      : []),
  ];
}
