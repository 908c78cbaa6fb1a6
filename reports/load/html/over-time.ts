import { countOf } from '../../../kernel/basics/text.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { bounded } from '../../foreign-text.ts';
import type { Section } from '../../html/document.ts';
import type { Mark, Panel, Plot, PlotTable } from '../../plots/model.ts';
import { plotFigure } from '../../plots/plot.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import type { Bin } from '../plots/bins.ts';
import { binCount, binsOf } from '../plots/bins.ts';
import type { KeyReadings } from '../plots/key-panel.ts';
import { keyNotes, keyPanel } from '../plots/key-panel.ts';
import { delayPanels, latencyPanel, otherPanels, ratePanel, remainingPanel } from '../plots/panels.ts';
import type { RunReadings } from '../plots/readings.ts';
import { readingsOf } from '../plots/readings.ts';
import { millisecondsText, shortText } from '../texts.ts';
import { enlargedPlot, keyPlots, keySections, MOST_KEY_PLOTS, worstKeysTable } from './key-plots.ts';

/** Rows of the table beside a plot. */
const ROWS = 10;

const TEXT_LIMIT = 300;

/** Reasons for waits; the waits of a fleet differ in their figures. */
const MOST_NOTES = 4;

/** The run over time, and each of its keys, or the worst of a fleet; of a single key, its busiest period where that is too short to be visible in the run. */
export function overTimeSections(record: LoadRecord, trace: Trace): readonly Section[] {
  if (trace.samples.length === 0) return [];
  const run = readingsOf(trace);
  const sections = keySections(record, trace, run);
  const single = sections.length === 1 ? sections[0] : undefined;
  const quota = single === undefined ? undefined : keyPanel(single, record.limits.perMinute);
  const byKey = single === undefined ? fleetPlots(sections, record, run) : enlargedPlot(single, record);
  return [
    {
      id: 'timeline',
      title: 'Over time',
      content: markup`<p class="quiet">By the time of sending, from the first request on. Latency counts from the intended send time.${partText(trace)}</p>
${plotFigure(runPlot(record, run, quota))}${notes([...(single === undefined ? [] : keyNotes(single)), ...waitNotes(trace)])}`,
      classes: 'timeline',
    },
    ...(byKey === undefined ? [] : [{ id: 'by-key', title: 'Key by key', content: byKey, classes: 'more' }]),
  ];
}

const fleetPlots = (sections: readonly KeyReadings[], record: LoadRecord, run: RunReadings): Markup =>
  markup`${sections.length > MOST_KEY_PLOTS ? worstKeysTable(run) : markup``}${keyPlots(sections, record, run)}`;

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
  const of = (status: string): number => readings.filter((one) => one.status === status).length;
  const failed = readings.length - of('accepted') - of('rate-limited');
  const rate = busiest.requests / (busiest.to - busiest.from);
  const sentences = [
    `${countOf(readings.length, 'request')} in ${shortText(seconds)}: ${of('accepted')} accepted, ${of('rate-limited')} rate-limited, ${failed} with another status or no response.`,
    `Intervals of ${shortText(seconds / bins.length)}; the busiest, at ${shortText(busiest.from)}, has ${Number(rate.toPrecision(3))} requests per second.`,
    latencyMs === null
      ? 'There is no latency to show.'
      : `p50 is ${millisecondsText(latencyMs.p50)} and p99 ${millisecondsText(latencyMs.p99)} over the whole run; the slowest interval begins at ${shortText(slowest.from)}, with a p99 of ${Number.isFinite(slowest.p99) ? millisecondsText(slowest.p99) : 'no response'}.`,
  ];
  return sentences.join(' ');
}

function tableOf(bins: readonly Bin[]): PlotTable {
  const milliseconds = (value: number): string => (Number.isFinite(value) ? millisecondsText(value) : '–');
  return {
    head: ['from', 'requests', '2xx', '429', 'others', 'p50', 'p95', 'p99', 'delay', 'lowest Remaining'],
    rows: bins.map(({ from, requests, statuses, p50, p95, p99, delay, remaining }) => {
      const [accepted = 0, limited = 0] = statuses;
      const counts = [requests, accepted, limited, requests - accepted - limited].map(String);
      const low = Number.isFinite(remaining.low) ? String(remaining.low) : '–';
      return [shortText(from), ...counts, ...[p50, p95, p99, delay].map(milliseconds), low];
    }),
  };
}

/** Says which part of a long run the plots show. */
const partText = ({ oneOf }: Trace): string =>
  oneOf === undefined
    ? ''
    : ` The run is long: the plots and tables of this section show one of every ${oneOf} requests of each key, and their counts and rates are of those.`;

/** Why scenarios waited, each reason once. */
function waitNotes({ events }: Trace): readonly string[] {
  const reasons = events.flatMap((event) => (event.kind === 'waiting' ? [event.because] : []));
  return [...new Set(reasons.map((because) => `Waited: ${bounded(because, TEXT_LIMIT)}.`))].slice(
    0,
    MOST_NOTES,
  );
}

const notes = (sentences: readonly string[]): Markup =>
  sentences.length === 0 ? markup`` : markup`<p class="quiet">${sentences.join(' ')}</p>\n`;
