import { countOf } from '../../../kernel/basics/text.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { ascending, latencyMs, latencySamples, quantile } from '../../../load/model/latency.ts';
import type { Sample, Trace } from '../../../load/model/sample.ts';
import type { Mark, Panel, Plot, Stroke, Tick } from '../../plots/model.ts';
import { plotFigure } from '../../plots/plot.ts';
import type { Figures } from '../../tables.ts';
import { figureTable } from '../../tables.ts';
import type { Markup } from '../../written.ts';
import { bounded, markup } from '../../written.ts';
import type { Bin, RunReadings } from '../plots/panels.ts';
import {
  binCount,
  binOf,
  binsOf,
  delayPanels,
  keyNotes,
  keyPanel,
  latencyPanel,
  otherPanels,
  ratePanel,
  remainingPanel,
} from '../plots/panels.ts';
import { latencyFigures, latencyText, millisecondsText, shortText } from '../texts.ts';
import { enlargedPlot, fleetPlots, keySections } from './keys.ts';

/** Rows of the table beside a plot. */
const ROWS = 10;

const TEXT_LIMIT = 300;

/** Reasons for waits; the waits of a fleet differ in their figures. */
const MOST_NOTES = 4;

/** The run over time, and each of its keys, or the worst of a fleet; of a single key, its busiest period where that is too short to be visible in the run. */
export function overTime(
  record: LoadRecord,
  trace: Trace,
  run: RunReadings,
): { timeline?: Markup; byKey?: Markup | undefined } {
  if (trace.samples.length === 0) return {};
  const sections = keySections(record, trace, run);
  const single = sections.length === 1 ? sections[0] : undefined;
  const quota = single === undefined ? undefined : keyPanel(single, record.limits.perMinute);
  return {
    timeline: markup`<p class="quiet">By the time of sending, from the first request on. Latency counts from the intended send time.${partText(trace)}</p>
${plotFigure(runPlot(record, run, quota))}${notes([...(single === undefined ? [] : keyNotes(single)), ...waitNotes(trace)])}`,
    byKey: single === undefined ? fleetPlots(sections, record, run) : enlargedPlot(single, record),
  };
}

/** The plot of the whole run; `quota` is the panel of its only key. */
function runPlot(record: LoadRecord, run: RunReadings, quota: Panel | undefined): Plot {
  const { readings, seconds } = run;
  const bins = binsOf(readings, seconds, binCount(readings.length));
  const limit = record.limits.perMinute;
  return {
    id: 'run',
    title: `The run over time, ${shortText(seconds)}`,
    description: describedRun(record, bins, run),
    from: 0,
    to: seconds,
    panels: [
      latencyPanel(bins, levelsOf(record)),
      ratePanel(bins),
      ...otherPanels(bins),
      ...delayPanels(bins),
      quota ?? remainingPanel(bins, limit),
    ],
    table: tableOf(binsOf(readings, seconds, ROWS)),
  };
}

/** The user's thresholds of latency for all requests, as lines. */
const levelsOf = ({ thresholds = [] }: LoadRecord): readonly Mark[] =>
  thresholds
    .filter(({ operation }) => operation === undefined)
    .flatMap((threshold) =>
      (['p50', 'p95', 'p99'] as const).flatMap((which): readonly Mark[] => {
        const y = threshold[which];
        return y === undefined ? [] : [{ kind: 'level', name: `threshold of ${which}: ${y} ms`, y }];
      }),
    );

function describedRun(
  { latencyMs }: LoadRecord,
  bins: readonly Bin[],
  { readings, seconds }: RunReadings,
): string {
  const busiest = bins.reduce((most, bin) => (bin.requests > most.requests ? bin : most));
  const slowest = bins.reduce((most, bin) => (bin.p99 > (most.p99 || 0) ? bin : most));
  const { rateLimited, failed } = binOf(readings, 0, seconds);
  const accepted = readings.length - rateLimited - failed;
  const rate = busiest.requests / (busiest.to - busiest.from);
  const sentences = [
    `${countOf(readings.length, 'request')} in ${shortText(seconds)}: ${accepted} accepted, ${rateLimited} rate-limited, ${failed} with another status or no response.`,
    `Intervals of ${shortText(seconds / bins.length)}; the busiest, at ${shortText(busiest.from)}, has ${Number(rate.toPrecision(3))} requests per second.`,
    latencyMs === null
      ? 'There is no latency to show.'
      : `p50 is ${millisecondsText(latencyMs.p50)} and p99 ${millisecondsText(latencyMs.p99)} over the whole run; the slowest interval begins at ${shortText(slowest.from)}, with a p99 of ${Number.isFinite(slowest.p99) ? millisecondsText(slowest.p99) : 'no response'}.`,
  ];
  return sentences.join(' ');
}

const tableOf = (bins: readonly Bin[]): Figures => ({
  head: ['from', 'requests', '2xx', '429', 'others', 'p50', 'p95', 'p99', 'delay', 'lowest Remaining'],
  rows: bins.map(({ from, requests, rateLimited, failed, p50, p95, p99, delay, remaining }) => {
    const counts = [requests, requests - rateLimited - failed, rateLimited, failed].map(String);
    const low = Number.isFinite(remaining.low) ? String(remaining.low) : '–';
    return [shortText(from), ...counts, ...[p50, p95, p99, delay].map((value) => latencyText(value)), low];
  }),
});

/** Says which part of a long run the plots show. */
const partText = ({ oneOf }: Trace): string =>
  oneOf === undefined
    ? ''
    : ` The run is long: the plots and tables of this section show one of every ${oneOf} requests of each key, and their counts and rates are of those.`;

function waitNotes({ events }: Trace): readonly string[] {
  const reasons = events.flatMap((event) => (event.kind === 'waiting' ? [event.because] : []));
  return [...new Set(reasons.map((because) => `Waited: ${bounded(because, TEXT_LIMIT)}.`))].slice(
    0,
    MOST_NOTES,
  );
}

const notes = (sentences: readonly string[]): Markup | undefined =>
  sentences.length === 0 ? undefined : markup`<p class="quiet">${sentences.join(' ')}</p>\n`;

/** Points of a curve; more than the width of the chart would not be visible. */
const POINTS = 300;

/**
 * Latency by percentile, on the axis of HDR histograms: each step to the right
 * contains a tenth of the remaining requests, so that the slowest ones are visible.
 */
export function latencyCurves(record: LoadRecord, trace: Trace): Markup | undefined {
  const { latencyMs: summary } = record;
  if (summary === null) return undefined;
  return markup`<p>From the intended send time, where the profile plans one, to the last byte of the response, so that a stalled target cannot hide the requests it delays (no coordinated omission). Exact percentiles of ${countOf(summary.count, 'response')}; the preflight request of each key is not included, because it opens the connection.${curveText(trace)}</p>
${plotFigure(curvesPlot(latencySamples(trace.samples)))}
${figureTable('Latency by percentile', latencyFigures(summary))}${scheduleDelayText(record)}`;
}

/** Says which part of a long run the curves show. */
const curveText = ({ oneOf }: Trace): string =>
  oneOf === undefined ? '' : ` The curves are drawn from one of every ${oneOf} of them.`;

function scheduleDelayText({ scheduleDelayMs }: LoadRecord): Markup | undefined {
  if (scheduleDelayMs === null) return undefined;
  return markup`<p class="quiet">Schedule delay of this machine: p50 ${millisecondsText(scheduleDelayMs.p50)}, p99 ${millisecondsText(scheduleDelayMs.p99)}, max ${millisecondsText(scheduleDelayMs.max)}.</p>
`;
}

function curvesPlot(samples: readonly Sample[]): Plot {
  const intended = ascending(samples.map(latencyMs));
  const sent = ascending(samples.map((one) => one.received - one.sent));
  const furthest = Math.max(1, Math.log10(2 * intended.length));
  const scheduled = samples.some(({ planned }) => planned !== null);
  const [name, ending] = scheduled
    ? ['from the intended send time', 'The dashed curve hides schedule delay.']
    : ['from the actual send time', 'In this profile, the responses decide when the next request is sent.'];
  const marks: readonly Mark[] = [
    ...(scheduled ? [curve('from the actual send time', 'dashed', sent)] : []),
    curve(name, 'strong', intended),
  ];
  return {
    id: 'latency-curve',
    title: 'Latency by percentile',
    description: `p50 is ${millisecondsText(quantile(intended, 0.5))}, p99 ${millisecondsText(quantile(intended, 0.99))}, the slowest response ${millisecondsText(quantile(intended, 1))}. ${ending}`,
    from: 0,
    to: furthest,
    ticks: ticksOf(intended.length),
    panels: [{ kind: 'values', label: 'Latency (ms)', height: 220, marks }],
  };
}

/** The percentiles 0, 90 %, 99 %…, as far as this number of responses resolves them. */
const ticksOf = (count: number): readonly Tick[] =>
  Array.from({ length: Math.max(2, Math.floor(Math.log10(2 * count)) + 1) }, (_, nine) => ({
    value: nine,
    text: nine === 0 ? 'p0' : `p${(100 - 100 / 10 ** nine).toFixed(Math.max(0, nine - 2))}`,
  }));

function curve(name: string, stroke: Stroke, sorted: readonly number[]): Mark {
  const furthest = Math.log10(2 * sorted.length);
  const points = Array.from({ length: POINTS + 1 }, (_, i) => {
    const nines = (i / POINTS) * furthest;
    return { x: nines, y: quantile(sorted, 1 - 10 ** -nines) };
  });
  return { kind: 'line', name, stroke, points };
}
