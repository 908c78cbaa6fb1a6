import type { Mark, Panel, Point, Stroke } from '../../plots/model.ts';
import { STATUS_NAMES, STATUSES } from '../../plots/statuses.ts';
import type { Bin } from './bins.ts';

/** An interval, and where its value stands on the axis. */
interface Place {
  readonly bin: Bin;
  readonly x: number;
}

/** Each interval at its middle. A single one is drawn from its beginning to its end: a line of one point is invisible. */
function placesOf(bins: readonly Bin[]): readonly Place[] {
  const [only, ...others] = bins;
  if (only === undefined || others.length > 0)
    return bins.map((bin) => ({ bin, x: (bin.from + bin.to) / 2 }));
  return [
    { bin: only, x: only.from },
    { bin: only, x: only.to },
  ];
}

type LineMark = Extract<Mark, { kind: 'line' | 'steps' }>;

const lineOf = (
  bins: readonly Bin[],
  name: string,
  stroke: Stroke,
  valueIn: (bin: Bin) => number,
): LineMark => ({
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

/** Latency by percentile over time; further marks, such as thresholds, after it. */
export const latencyPanel = (bins: readonly Bin[], further: readonly Mark[] = []): Panel => ({
  kind: 'values',
  label: 'Latency (ms)',
  height: 130,
  marks: [
    {
      kind: 'band',
      name: 'p50 to p99',
      points: placesOf(bins.filter(({ p50 }) => Number.isFinite(p50))).map(({ bin, x }) => ({
        x,
        low: bin.p50,
        high: bin.p99,
      })),
    },
    percentile(bins, 'p99', 'dotted'),
    percentile(bins, 'p95', 'dashed'),
    percentile(bins, 'p50', 'strong'),
    ...further,
  ],
});

/** The rate of requests over time, by what became of them. */
export const ratePanel = (bins: readonly Bin[]): Panel => ({
  kind: 'values',
  label: 'Requests per second, by status',
  marks: [
    {
      kind: 'stack',
      layers: STATUSES.map((status) => ({ status, name: STATUS_NAMES[status] })),
      bins: bins.map(({ from, to, statuses }) => ({
        from,
        to,
        values: statuses.map((one) => one / (to - from)),
      })),
    },
  ],
});

/** What was not accepted, counted, because a few among thousands are invisible in the rate; no panel where there is nothing. */
export function otherPanels(bins: readonly Bin[]): readonly Panel[] {
  const [, ...others] = STATUSES;
  if (bins.every(({ statuses }) => statuses.slice(1).every((count) => count === 0))) return [];
  const layers = others.map((status) => ({ status, name: STATUS_NAMES[status] }));
  const stacked = bins.map(({ from, to, statuses }) => ({ from, to, values: statuses.slice(1) }));
  const marks: readonly Mark[] = [{ kind: 'stack', layers, bins: stacked }];
  return [{ kind: 'values', label: 'Not accepted, in each interval', height: 60, marks }];
}

/** How late requests were sent; no panel where nothing was planned. */
export function delayPanels(bins: readonly Bin[]): readonly Panel[] {
  if (!bins.some(({ delay }) => Number.isFinite(delay))) return [];
  const marks = [lineOf(bins, 'greatest schedule delay', 'quiet', ({ delay }) => delay)];
  return [{ kind: 'values', label: 'Schedule delay of this machine (ms)', height: 70, marks }];
}

/** Remaining of all keys together. */
export const remainingPanel = (bins: readonly Bin[], limit: number): Panel => ({
  kind: 'values',
  label: 'Remaining of all keys',
  atLeast: limit,
  marks: [
    {
      kind: 'band',
      name: 'lowest to highest',
      points: placesOf(bins.filter(({ remaining }) => Number.isFinite(remaining.low))).map(({ bin, x }) => ({
        x,
        low: bin.remaining.low,
        high: bin.remaining.high,
      })),
    },
    lineOf(bins, 'median', 'strong', ({ remaining }) => remaining.median),
  ],
});
