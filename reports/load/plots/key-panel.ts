import { groupedNumber } from '../../../kernel/basics/text.ts';
import { greatest, groupedBy, least, thinned } from '../../../kernel/exchanges/collections.ts';
import { ascending, quantile } from '../../../load/model/latency.ts';
import type { ScenarioEvent } from '../../../load/model/sample.ts';
import { MOST_WINDOW_ENDS, pointsByStatus, quotaMarks } from '../../plots/marks.ts';
import type { Interval, Panel } from '../../plots/model.ts';
import type { Reading } from './panels.ts';

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

/** What became of the requests of one key. */
interface KeyFigures {
  readonly key: string;
  readonly requests: number;
  /** Without a response, or with neither 2xx nor 429. */
  readonly failed: number;
  readonly rateLimited: number;
  /** Milliseconds; NaN without a response. */
  readonly p50: number;
  readonly p99: number;
  /** The lowest Remaining; Infinity where no response has it. */
  readonly lowestRemaining: number;
}

/** How keys are ranked, as a report says it. */
export const WORST_CRITERION =
  'most failed requests first, then most 429 responses, then the highest p99 latency';

/** The keys of a run from the worst on (`WORST_CRITERION`); of equals, in the order of their first request. */
export function worstKeys(readings: readonly Reading[]): readonly KeyFigures[] {
  const figures = [...groupedBy(readings, ({ key }) => key)].map(([key, own]) => figuresOf(key, own));
  return figures.sort(
    (a, b) => b.failed - a.failed || b.rateLimited - a.rateLimited || (b.p99 || 0) - (a.p99 || 0),
  );
}

function figuresOf(key: string, readings: readonly Reading[]): KeyFigures {
  const rateLimited = readings.filter(({ status }) => status === 'rate-limited').length;
  const accepted = readings.filter(({ status }) => status === 'accepted').length;
  const latency = ascending(readings.flatMap((one) => one.latency ?? []));
  return {
    key,
    requests: readings.length,
    failed: readings.length - rateLimited - accepted,
    rateLimited,
    p50: quantile(latency, 0.5),
    p99: quantile(latency, 0.99),
    lowestRemaining: least(readings.flatMap(({ remaining }) => remaining ?? [])),
  };
}
