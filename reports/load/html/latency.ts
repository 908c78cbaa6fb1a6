import { ascending, latencyMs, latencySamples, quantile } from '../../../load/model/latency.ts';
import type { LoadRecord } from '../../../load/model/record.ts';
import type { Sample, Trace } from '../../../load/model/sample.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { LATENCY_COLUMNS, millisecondsText } from '../texts.ts';
import type { AxisScale } from './scale.ts';
import { coordinate, linearScale } from './scale.ts';

const WIDTH = 960;
const HEIGHT = 340;
const MARGIN = { left: 70, right: 20, top: 16, bottom: 48 };

/** The axis is this much longer than the slowest response. */
const HEADROOM = 1.08;

/** Points of a curve; more than the width of the chart would not be visible. */
const POINTS = 300;

/**
 * Latency by percentile, on the axis of HDR histograms: each step to the right
 * contains a tenth of the remaining requests, so that the slowest ones are visible.
 */
export function latencySection(record: LoadRecord, { samples }: Trace): Markup {
  const { latencyMs: summary } = record;
  if (summary === null) return markup``;
  return markup`<section aria-labelledby="latency">
<h2 id="latency">Latency</h2>
<p>From the intended send time, where the profile plans one, to the last byte of the response, so that a stalled target cannot hide the requests it delays (no coordinated omission). Exact percentiles of ${summary.count} responses; the preflight request of each key is not included, because it opens the connection.</p>
${chart(latencySamples(samples))}
<table class="figures"><thead><tr>${LATENCY_COLUMNS.map(([name]) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody><tr>${LATENCY_COLUMNS.map(([, field]) => markup`<td>${millisecondsText(summary[field])}</td>`)}</tr></tbody></table>
${scheduleDelayText(record)}</section>
`;
}

function scheduleDelayText({ scheduleDelayMs }: LoadRecord): Markup {
  if (scheduleDelayMs === null) return markup``;
  return markup`<p class="quiet">Schedule delay of this machine: p50 ${millisecondsText(scheduleDelayMs.p50)}, p99 ${millisecondsText(scheduleDelayMs.p99)}, max ${millisecondsText(scheduleDelayMs.max)}.</p>
`;
}

function chart(samples: readonly Sample[]): Markup {
  const intended = ascending(samples.map(latencyMs));
  const sent = ascending(samples.map((one) => one.received - one.sent));
  const most = Math.max(intended.at(-1) ?? 1, sent.at(-1) ?? 1);
  const x = linearScale(Math.max(1, Math.log10(2 * intended.length)), MARGIN.left, WIDTH - MARGIN.right);
  const y = linearScale(most * HEADROOM, HEIGHT - MARGIN.bottom, MARGIN.top);
  const scheduled = samples.some(({ planned }) => planned !== null);
  return markup`<figure class="chart"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="latency-title">
<title id="latency-title">Latency by percentile: p50 ${millisecondsText(quantile(intended, 0.5))}, p99 ${millisecondsText(quantile(intended, 0.99))}, max ${millisecondsText(quantile(intended, 1))}.</title>
${axes(x, y, intended.length)}${scheduled ? markup`<path class="curve from-sent" d="${curve(sent, x, y)}"/>\n` : markup``}<path class="curve" d="${curve(intended, x, y)}"/>
</svg>
<figcaption>${scheduled ? 'Solid: from the intended send time. Dashed: from the actual send time, which hides schedule delay.' : 'From the actual send time: in this profile, the responses decide when the next request is sent.'}</figcaption></figure>`;
}

/** The percentiles 0, 90 %, 99 %…, as far as this number of responses resolves them. */
function axes(x: AxisScale, y: AxisScale, count: number): Markup {
  const nines = Array.from({ length: Math.max(2, Math.floor(Math.log10(2 * count)) + 1) }, (_, i) => i);
  const bottom = HEIGHT - MARGIN.bottom;
  const columns = nines.map((nine) => {
    const at = coordinate(x.at(nine));
    const text = nine === 0 ? '0 %' : `${(100 - 100 / 10 ** nine).toFixed(Math.max(0, nine - 2))} %`;
    return markup`<line class="grid" x1="${at}" x2="${at}" y1="${MARGIN.top}" y2="${bottom}"/><text x="${at}" y="${bottom + 18}" text-anchor="middle">${text}</text>\n`;
  });
  const rows = y.ticks.map((tick) => {
    const at = coordinate(y.at(tick));
    return markup`<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${at}" y2="${at}"/><text x="${MARGIN.left - 8}" y="${at}" dy="0.32em" text-anchor="end">${tick} ms</text>\n`;
  });
  return markup`${columns}${rows}<text x="${WIDTH / 2}" y="${HEIGHT - 8}" text-anchor="middle">percentile</text>\n`;
}

function curve(sorted: readonly number[], x: AxisScale, y: AxisScale): string {
  const furthest = Math.log10(2 * sorted.length);
  const points = Array.from({ length: POINTS + 1 }, (_, i) => {
    const nines = (i / POINTS) * furthest;
    return `${coordinate(x.at(nines))},${coordinate(y.at(quantile(sorted, 1 - 10 ** -nines)))}`;
  });
  return `M${points.join('L')}`;
}
