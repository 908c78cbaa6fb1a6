import { countOf } from '../../../kernel/basics/text.ts';
import { groupedBy, thinned } from '../../../kernel/exchanges/collections.ts';
import type { KeyCount } from '../../../kernel/findings/load.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { pointsByStatus, statusCounts } from '../../plots/marks.ts';
import type { Panel, Plot } from '../../plots/model.ts';
import { hiddenPeriod, rounded } from '../../plots/model.ts';
import { plotFigure } from '../../plots/plot.ts';
import type { Figures } from '../../tables.ts';
import { figureTable, foldedTable } from '../../tables.ts';
import type { Markup } from '../../written.ts';
import { bounded, markup } from '../../written.ts';
import type { KeyFigures, KeyReadings, Reading, RunReadings } from '../plots/panels.ts';
import { keyNotes, keyPanel, WORST_CRITERION, worstKeys } from '../plots/panels.ts';
import { keyFigures, latencyText, shortText, totalOfKeys } from '../texts.ts';

const TEXT_LIMIT = 100;

/** Keys that stand in the open; those of a larger fleet are folded up behind their sum. */
const MOST_OPEN = 12;

/** Keys in the table at most; `report.json` has all. */
const MOST_ROWS = 1000;

export function keysTable(record: LoadRecord): Markup {
  const { keys } = record;
  const total = keys.length === 1 ? [] : [totalOfKeys(record)];
  const open = keys.length <= MOST_OPEN ? [...keys, ...total] : total;
  return markup`<p>${bounded(record.ended.because, 1000)}</p>
${figureTable('Requests of each key', withBars(open))}${keys.length <= MOST_OPEN ? '' : foldedKeys(keys)}`;
}

function foldedKeys(keys: readonly KeyCount[]): Markup {
  const shown = keys.slice(0, MOST_ROWS);
  const name =
    shown.length < keys.length ? `${shown.length} of ${keys.length} keys` : `Each of ${keys.length} keys`;
  return foldedTable(withBars(shown), name);
}

/** The figures of keys, each with a picture of how its requests ended. */
function withBars(counts: readonly KeyCount[]): Figures<string | Markup> {
  const { head, rows } = keyFigures(counts);
  const bars = counts.map(bar);
  return { head: [...head, 'shares'], rows: rows.map((row, at) => [...row, bars[at] ?? '']) };
}

function bar({ planned, sent, accepted, rateLimited, failed }: KeyCount): Markup {
  const total = Math.max(1, planned, sent);
  let from = 0;
  const parts = [
    ['pass', accepted],
    ['warn', rateLimited],
    ['fail', failed],
    ['unsent', total - accepted - rateLimited - failed],
  ] as const;
  const rects = parts.map(([name, count]) => {
    const x = (from / total) * 100;
    from += count;
    return count > 0
      ? markup`<rect class="${name}" x="${rounded(x)}" width="${rounded((count / total) * 100)}" height="10"/>`
      : undefined;
  });
  return markup`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`;
}

/** Keys that get a plot each; of a larger fleet, as many of its worst. */
const MOST_KEY_PLOTS = 4;

const MOST_WORST_KEYS = 12;

/** Requests whose latency a plot shows. */
const MOST_LATENCIES = 1500;

/** Every key of a run that sent something, over the whole run, in the order of the record. */
export function keySections(record: LoadRecord, { events }: Trace, run: RunReadings): readonly KeyReadings[] {
  const groups = groupedBy(run.readings, ({ key }) => key);
  const second = (ms: number): number => (ms - run.start) / 1000;
  const waits = events.flatMap((event) =>
    event.kind === 'waiting' ? [{ key: event.key, from: second(event.at), to: second(event.untilMs) }] : [],
  );
  return record.keys.flatMap(({ key }) => {
    const readings = groups.get(key);
    if (readings === undefined) return [];
    const own = waits.filter((one) => one.key === key);
    return [{ key, readings, waits: own, from: 0, to: run.seconds }];
  });
}

/** The keys of a run; of a larger fleet its worst ones, behind the table that says by what they are. */
export function fleetPlots(sections: readonly KeyReadings[], record: LoadRecord, run: RunReadings): Markup {
  const plots = (shown: readonly KeyReadings[]) =>
    shown.map(
      (one, i) => markup`<h3>Key <code>${bounded(one.key, TEXT_LIMIT)}</code></h3>
${plotFigure(keyPlot(one, `key-${i}`, record))}${enlargedPlot(one, record, `enlarged-${i}`)}`,
    );
  if (sections.length <= MOST_KEY_PLOTS) return markup`${plots(sections)}`;
  const worst = worstKeys(run.readings);
  const shown = worst
    .slice(0, MOST_KEY_PLOTS)
    .flatMap(({ key }) => sections.find((one) => one.key === key) ?? []);
  return markup`${worstKeysTable(worst)}${plots(shown)}`;
}

function keyPlot(section: KeyReadings, id: string, { limits }: LoadRecord): Plot {
  const { key, readings, from, to } = section;
  const sentences = [
    `${countOf(readings.length, 'request')} of ${bounded(key, TEXT_LIMIT)} from ${shortText(from)} to ${shortText(to)}: ${statusCounts(readings)}.`,
    ...keyNotes(section),
  ];
  return {
    id,
    title: `Requests of ${bounded(key, TEXT_LIMIT)}`,
    description: sentences.join(' '),
    from,
    to,
    panels: [keyPanel(section, limits.perMinute), latencyDots(readings)],
  };
}

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

function worstKeysTable(keys: readonly KeyFigures[]): Markup {
  const rows = keys
    .slice(0, MOST_WORST_KEYS)
    .map(({ key, requests, failed, rateLimited, p50, p99, remaining }) => {
      const latencies = [p50, p99].map((value) => latencyText(value));
      const low = Number.isFinite(remaining.low) ? String(remaining.low) : '–';
      return [bounded(key, TEXT_LIMIT), requests, failed, rateLimited, ...latencies, low];
    });
  return markup`<h3>The worst keys</h3>
<p class="quiet">${rows.length} of ${keys.length} keys, ${WORST_CRITERION}. The first ${MOST_KEY_PLOTS} are plotted below; the samples have all.</p>
${figureTable('The worst keys', { head: ['Key', 'Sent', 'Failed', '429', 'p50', 'p99', 'Lowest Remaining'], rows })}`;
}
