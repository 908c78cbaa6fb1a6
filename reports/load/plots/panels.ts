import { groupedNumber } from '../../../kernel/basics/text.ts';
import { greatest, groupedBy, least, thinned } from '../../../kernel/exchanges/collections.ts';
import {
  announcedWaitSeconds,
  readRateHeaders,
  resetOnOwnClock,
} from '../../../kernel/exchanges/rate-headers.ts';
import { ascending, latencyMs, quantile, scheduleDelayMs } from '../../../load/model/latency.ts';
import type { Sample, Trace } from '../../../load/model/sample.ts';
import { answerOf } from '../../../load/model/sample.ts';
import type { QuotaReading } from '../../plots/marks.ts';
import {
  MOST_WINDOW_ENDS,
  pointStatusOf,
  quotaMarks,
  quotaPoints,
  STATUS_NAMES,
  STATUSES,
  windowEndsIn,
} from '../../plots/marks.ts';
import type { Interval, Mark, Panel, Point, PointStatus, Stroke } from '../../plots/model.ts';

/** What plots read from a sample, read once. Latency and delay in milliseconds. */
export interface Reading extends QuotaReading {
  readonly key: string;
  /** Undefined for a preflight request and without a response, as in the percentiles of the report. */
  readonly latency: number | undefined;
  /** Undefined where no send time was planned. */
  readonly delay: number | undefined;
}

export interface RunReadings {
  readonly readings: readonly Reading[];
  /** When the first request was sent, milliseconds since the Unix epoch. */
  readonly start: number;
  /** Seconds from the first request to the last response. */
  readonly seconds: number;
}

export function readingsOf({ samples }: Trace): RunReadings {
  const start = least(samples.map(({ sent }) => sent));
  const end = greatest(samples.map(({ received }) => received));
  const readings = samples.map((sample) => readingOf(sample, start)).sort((a, b) => a.sent - b.sent);
  return { readings, start, seconds: samples.length === 0 ? 0 : (end - start) / 1000 };
}

function readingOf(sample: Sample, start: number): Reading {
  const { key, outcome, kind, received } = sample;
  const answer = outcome.kind === 'answer' ? answerOf(outcome) : undefined;
  const { remaining } = readRateHeaders(answer?.headers ?? []);
  const reset = answer === undefined ? undefined : resetOnOwnClock({ outcome: answer }, received);
  const wait = answer?.status === 429 ? (announcedWaitSeconds({ outcome: answer }) ?? 0) : 0;
  return {
    key,
    sent: (sample.sent - start) / 1000,
    received: (received - start) / 1000,
    status: pointStatusOf(answer?.status),
    latency: answer === undefined || kind === 'preflight' ? undefined : latencyMs(sample),
    delay: scheduleDelayMs(sample),
    remaining,
    reset: reset === undefined ? undefined : (reset - start) / 1000,
    waitUntil: wait > 0 ? (received - start) / 1000 + wait : undefined,
  };
}

/** What happened to the requests that were sent in one interval of a run. */
export interface Bin {
  /** Seconds. */
  readonly from: number;
  readonly to: number;
  readonly requests: number;
  /** Requests of each status, in the order of `STATUSES`. */
  readonly statuses: readonly number[];
  readonly rateLimited: number;
  /** Without a response, or with neither 2xx nor 429. */
  readonly failed: number;
  /** Percentiles of latency in milliseconds; NaN without a response. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** The greatest schedule delay in milliseconds; NaN where nothing was planned. */
  readonly delay: number;
  /** The lowest, median and highest Remaining; NaN where no response has it. */
  readonly remaining: { readonly low: number; readonly median: number; readonly high: number };
}

/** Intervals of a plot: no more than can be distinguished, and no fewer than show a course. */
const MOST_BINS = 90;
const FEWEST_BINS = 12;

/** Requests in an interval on average, so that its percentiles mean something. */
const REQUESTS_IN_BIN = 8;

export const binCount = (requests: number): number =>
  Math.min(MOST_BINS, Math.max(FEWEST_BINS, Math.round(requests / REQUESTS_IN_BIN)));

/** Divides the time from 0 to `seconds` into equal intervals, by the time of sending. @param readings in the order of sending. */
export function binsOf(readings: readonly Reading[], seconds: number, count: number): readonly Bin[] {
  const width = (seconds > 0 ? seconds : 1) / count;
  const groups = Array.from({ length: count }, (): Reading[] => []);
  for (const reading of readings) {
    groups[Math.min(count - 1, Math.floor(reading.sent / width))]?.push(reading);
  }
  return groups.map((group, i) => binOf(group, i * width, (i + 1) * width));
}

/** The figures of one interval, or of any requests. */
export function binOf(group: readonly Reading[], from: number, to: number): Bin {
  const sorted = (field: 'latency' | 'delay' | 'remaining'): readonly number[] =>
    ascending(group.flatMap((one) => one[field] ?? []));
  const [latency, delay, remaining] = [sorted('latency'), sorted('delay'), sorted('remaining')];
  const count = (status: PointStatus): number => group.filter((one) => one.status === status).length;
  const rateLimited = count('rate-limited');
  return {
    from,
    to,
    requests: group.length,
    statuses: STATUSES.map(count),
    rateLimited,
    failed: group.length - count('accepted') - rateLimited,
    p50: quantile(latency, 0.5),
    p95: quantile(latency, 0.95),
    p99: quantile(latency, 0.99),
    delay: quantile(delay, 1),
    remaining: {
      low: quantile(remaining, 0),
      median: quantile(remaining, 0.5),
      high: quantile(remaining, 1),
    },
  };
}

/** Each interval at its middle. A single one is drawn from its beginning to its end: a line of one point is invisible. */
const placesOf = (bins: readonly Bin[]) =>
  bins.length === 1
    ? bins.flatMap((bin) => [bin.from, bin.to].map((x) => ({ bin, x })))
    : bins.map((bin) => ({ bin, x: (bin.from + bin.to) / 2 }));

const lineOf = (
  bins: readonly Bin[],
  name: string,
  stroke: Stroke,
  valueIn: (bin: Bin) => number,
): Extract<Mark, { kind: 'line' | 'steps' }> => ({
  kind: 'line',
  name,
  stroke,
  points: placesOf(bins.filter((bin) => Number.isFinite(valueIn(bin)))).map(
    ({ bin, x }): Point => ({ x, y: valueIn(bin) }),
  ),
});

const percentile = (bins: readonly Bin[], which: 'p50' | 'p95' | 'p99', stroke: Stroke): Mark => ({
  ...lineOf(bins, which, stroke, (bin) => bin[which]),
  isNamed: true,
});

/** The range between two values of each interval; NaN in one without them. */
const bandOf = (
  bins: readonly Bin[],
  name: string,
  rangeIn: (bin: Bin) => { readonly low: number; readonly high: number },
): Mark => ({
  kind: 'band',
  name,
  points: placesOf(bins.filter((bin) => Number.isFinite(rangeIn(bin).low))).map(({ bin, x }) => {
    const { low, high } = rangeIn(bin);
    return { x, low, high };
  }),
});

/** Latency by percentile over time; further marks, such as thresholds, after it. */
export const latencyPanel = (bins: readonly Bin[], further: readonly Mark[] = []): Panel => ({
  kind: 'values',
  label: 'Latency (ms)',
  height: 130,
  marks: [
    bandOf(bins, 'p50 to p99', ({ p50, p99 }) => ({ low: p50, high: p99 })),
    percentile(bins, 'p99', 'dotted'),
    percentile(bins, 'p95', 'dashed'),
    percentile(bins, 'p50', 'strong'),
    ...further,
  ],
});

/** The requests of each interval by status, from this one of `STATUSES` on. */
const stackOf = (
  bins: readonly Bin[],
  first: number,
  heightOf: (count: number, bin: Bin) => number,
): Mark => ({
  kind: 'stack',
  layers: STATUSES.slice(first).map((status) => ({ status, name: STATUS_NAMES[status] })),
  bins: bins.map((bin) => ({
    from: bin.from,
    to: bin.to,
    values: bin.statuses.slice(first).map((count) => heightOf(count, bin)),
  })),
});

export const ratePanel = (bins: readonly Bin[]): Panel => ({
  kind: 'values',
  label: 'Requests per second, by status',
  marks: [stackOf(bins, 0, (count, { from, to }) => count / (to - from))],
});

/** What was not accepted, counted, because a few among thousands are invisible in the rate; no panel where there is nothing. */
export function otherPanels(bins: readonly Bin[]): readonly Panel[] {
  if (bins.every(({ statuses }) => statuses.slice(1).every((count) => count === 0))) return [];
  const marks = [stackOf(bins, 1, (count) => count)];
  return [{ kind: 'values', label: 'Not accepted, in each interval', height: 60, marks }];
}

/** How late requests were sent; no panel where nothing was planned. */
export function delayPanels(bins: readonly Bin[]): readonly Panel[] {
  if (!bins.some(({ delay }) => Number.isFinite(delay))) return [];
  const marks = [lineOf(bins, 'greatest schedule delay', 'quiet', ({ delay }) => delay)];
  return [{ kind: 'values', label: 'Schedule delay of this machine (ms)', height: 70, marks }];
}

export const remainingPanel = (bins: readonly Bin[], limit: number): Panel => ({
  kind: 'values',
  label: 'Remaining of all keys',
  atLeast: limit,
  marks: [
    bandOf(bins, 'lowest to highest', ({ remaining }) => remaining),
    lineOf(bins, 'median', 'strong', ({ remaining }) => remaining.median),
  ],
});

/** Requests of one key that a plot shows; those that were not accepted take precedence. */
const MOST_POINTS = 1500;

/** One key in a section of the run, in seconds: its requests and its waits. */
export interface KeyReadings extends Interval {
  readonly key: string;
  /** In the order of sending. */
  readonly readings: readonly Reading[];
  readonly waits: readonly Interval[];
}

/** Every request of a key by its send time and the Remaining of its response. */
export function keyPanel(section: KeyReadings, limit: number): Panel {
  const { key, readings, waits } = section;
  const marks = quotaMarks(section, readings, { name: 'wait of the profile', spans: waits });
  return {
    kind: 'values',
    label: `Remaining of ${key}`,
    height: 150,
    atLeast: greatest([limit, ...readings.flatMap(({ remaining }) => remaining ?? [])]),
    marks: [...marks, ...quotaPoints(shownReadings(readings))],
  };
}

/** All that were not accepted, up to half of the points, and an even selection of the others. */
function shownReadings(readings: readonly Reading[]): readonly Reading[] {
  const accepted = readings.filter(({ status }) => status === 'accepted');
  const others = readings.filter(({ status }) => status !== 'accepted');
  const shown = thinned(others, MOST_POINTS / 2);
  return [...thinned(accepted, MOST_POINTS - shown.length), ...shown];
}

export function keyNotes(section: KeyReadings): readonly string[] {
  const { length } = section.readings;
  const shown = shownReadings(section.readings).length;
  return [
    ...(windowEndsIn(section, section.readings).length > MOST_WINDOW_ENDS
      ? ['Reset changes with every response, as with a bucket; it is not drawn.']
      : []),
    ...(shown < length
      ? [`${groupedNumber(shown)} of its ${groupedNumber(length)} requests are drawn.`]
      : []),
  ];
}

export interface KeyFigures extends Bin {
  readonly key: string;
}

/** How keys are ranked, as a report says it. */
export const WORST_CRITERION =
  'most failed requests first, then most 429 responses, then the highest p99 latency';

/** The keys of a run from the worst on (`WORST_CRITERION`); of equals, in the order of their first request. */
export function worstKeys(readings: readonly Reading[]): readonly KeyFigures[] {
  const figures = [...groupedBy(readings, ({ key }) => key)].map(([key, own]) => ({
    key,
    ...binOf(own, 0, 0),
  }));
  return figures.sort(
    (a, b) => b.failed - a.failed || b.rateLimited - a.rateLimited || (b.p99 || 0) - (a.p99 || 0),
  );
}
