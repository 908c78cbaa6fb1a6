import { countOf } from '../../../kernel/basics/text.ts';
import { groupedBy, thinned } from '../../../kernel/exchanges/collections.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { bounded } from '../../foreign-text.ts';
import { hiddenPeriod } from '../../plots/intervals.ts';
import type { Panel, Plot } from '../../plots/model.ts';
import { plotFigure } from '../../plots/plot.ts';
import { pointsByStatus, statusCounts } from '../../plots/statuses.ts';
import { figureTable } from '../../tables.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import type { KeyReadings, Wait } from '../plots/key-panel.ts';
import { keyNotes, keyPanel } from '../plots/key-panel.ts';
import type { Reading, RunReadings } from '../plots/readings.ts';
import { WORST_CRITERION, worstKeys } from '../plots/worst-keys.ts';
import { millisecondsText, shortText } from '../texts.ts';

/** Keys that get a plot each; of a larger fleet, as many of its worst. */
export const MOST_KEY_PLOTS = 4;

/** Keys in the table of the worst. */
const MOST_ROWS = 12;

/** Requests whose latency a plot shows. */
const MOST_LATENCIES = 1500;

const TEXT_LIMIT = 100;

/** Every key of a run that sent something, over the whole run, in the order of the record. */
export function keySections(record: LoadRecord, { events }: Trace, run: RunReadings): readonly KeyReadings[] {
  const groups = groupedBy(run.readings, ({ key }) => key);
  const waits = events.filter((event): event is Wait => event.kind === 'waiting');
  return record.keys.flatMap(({ key }) => {
    const readings = groups.get(key);
    if (readings === undefined) return [];
    const own = waits.filter((one) => one.key === key);
    return [{ key, readings, waits: own, start: run.start, from: 0, to: run.seconds }];
  });
}

/** A plot for each key, or for the worst keys of a fleet. */
export function keyPlots(sections: readonly KeyReadings[], record: LoadRecord, run: RunReadings): Markup {
  const shown =
    sections.length <= MOST_KEY_PLOTS
      ? sections
      : worstKeys(run.readings)
          .slice(0, MOST_KEY_PLOTS)
          .flatMap(({ key }) => sections.find((one) => one.key === key) ?? []);
  return markup`${shown.map(
    (one, i) => markup`<h3>Key <code>${bounded(one.key, TEXT_LIMIT)}</code></h3>
${plotFigure(keyPlot(one, `key-${i}`, record))}${enlargedPlot(one, record, `enlarged-${i}`) ?? markup``}`,
  )}`;
}

function keyPlot(section: KeyReadings, id: string, { limits }: LoadRecord): Plot {
  const { key, readings, from, to } = section;
  const sentences = [
    `${countOf(readings.length, 'request')} of key ${bounded(key, TEXT_LIMIT)} from ${shortText(from)} to ${shortText(to)}: ${statusCounts(readings)}.`,
    ...keyNotes(section),
  ];
  return {
    id,
    title: `Requests of key ${bounded(key, TEXT_LIMIT)}`,
    description: sentences.join(' '),
    from,
    to,
    panels: [keyPanel(section, limits.perMinute), latencyDots(readings)],
  };
}

/** The latency of each response. */
function latencyDots(readings: readonly Reading[]): Panel {
  const measured = readings.flatMap(({ sent, latency, status }) =>
    latency === undefined ? [] : [{ x: sent, y: latency, status }],
  );
  return {
    kind: 'values',
    label: 'Latency of each response (ms)',
    height: 80,
    marks: pointsByStatus(thinned(measured, MOST_LATENCIES), (one) => one),
  };
}

/** A plot of the busiest period of a key; undefined where it is long enough to be visible in the run. */
export function enlargedPlot(section: KeyReadings, record: LoadRecord, id = 'enlarged'): Markup | undefined {
  const busy = hiddenPeriod(section.readings, section.to - section.from);
  if (busy === undefined) return undefined;
  const readings = section.readings.filter(({ sent }) => sent >= busy.from && sent <= busy.to);
  return markup`<h3>The busiest period, enlarged</h3>
${plotFigure(keyPlot({ ...section, ...busy, readings }, id, record))}`;
}

/** The worst keys of a fleet with their figures, and by what they are the worst. */
export function worstKeysTable({ readings }: RunReadings): Markup {
  const keys = worstKeys(readings);
  const rows = keys
    .slice(0, MOST_ROWS)
    .map(({ key, requests, failed, rateLimited, p50, p99, lowestRemaining }) => {
      const latencies = [p50, p99].map((value) => (Number.isFinite(value) ? millisecondsText(value) : '–'));
      const low = Number.isFinite(lowestRemaining) ? String(lowestRemaining) : '–';
      return [bounded(key, TEXT_LIMIT), requests, failed, rateLimited, ...latencies, low];
    });
  return markup`<h3>The worst keys</h3>
<p class="quiet">${rows.length} of ${keys.length} keys, ${WORST_CRITERION}. The first ${MOST_KEY_PLOTS} are plotted below; the samples have all.</p>
${figureTable('The worst keys', ['Key', 'Sent', 'Failed', '429', 'p50', 'p99', 'Lowest Remaining'], rows)}`;
}
