import { ascending, latencyMs, quantile, timed } from '../../../load/model/latency.ts';
import type { LoadRecord } from '../../../load/model/record.ts';
import type { Sample, Trace } from '../../../load/model/sample.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { milliseconds, PERCENTILES } from '../words.ts';
import type { Scale } from './scale.ts';
import { linear, place } from './scale.ts';

const WIDTH = 960;
const HEIGHT = 340;
const MARGIN = { left: 70, right: 20, top: 16, bottom: 48 };

/** Room above the slowest answer. */
const HEADROOM = 1.08;

/** Points of a curve: more than the picture has columns would not be seen. */
const POINTS = 300;

/**
 * How long answers took, by the share of requests that were answered in that
 * time, drawn as HDR histograms are: each step to the right is a tenth of the
 * requests that are left, so that the slowest ones are seen.
 */
export function latencySection(record: LoadRecord, { samples }: Trace): Markup {
  const { latencyMs: summary } = record;
  if (summary === null) return markup``;
  return markup`<section aria-labelledby="latency">
<h2 id="latency">Latency</h2>
<p>From the moment at which a request was due, where the profile states one, to the last byte of its answer: a target that stalls cannot hide the requests that it held back. Exact, from all ${summary.count} answers but the first of each key, which a new connection slows down.</p>
${picture(timed(samples))}
<table class="figures"><thead><tr>${PERCENTILES.map(([name]) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody><tr>${PERCENTILES.map(([, field]) => markup`<td>${milliseconds(summary[field])}</td>`)}</tr></tbody></table>
${lateness(record)}</section>
`;
}

function lateness({ lateMs }: LoadRecord): Markup {
  if (lateMs === null) return markup``;
  return markup`<p class="quiet">Requests left late by ${milliseconds(lateMs.p50)} in the middle, ${milliseconds(lateMs.p99)} at 99 %, ${milliseconds(lateMs.max)} at most: how well this machine kept the schedule.</p>
`;
}

function picture(answered: readonly Sample[]): Markup {
  const intended = ascending(answered.map(latencyMs));
  const sent = ascending(answered.map((one) => one.received - one.sent));
  const most = Math.max(intended.at(-1) ?? 1, sent.at(-1) ?? 1);
  const x = linear(Math.max(1, Math.log10(2 * intended.length)), MARGIN.left, WIDTH - MARGIN.right);
  const y = linear(most * HEADROOM, HEIGHT - MARGIN.bottom, MARGIN.top);
  const scheduled = answered.some(({ planned }) => planned !== null);
  return markup`<figure class="chart"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="latency-title">
<title id="latency-title">Latency by percentile: half of the answers took up to ${milliseconds(quantile(intended, 0.5))}, 99 of 100 up to ${milliseconds(quantile(intended, 0.99))}, the slowest ${milliseconds(quantile(intended, 1))}.</title>
${axes(x, y, intended.length)}${scheduled ? markup`<path class="curve from-sent" d="${curve(sent, x, y)}"/>\n` : markup``}<path class="curve" d="${curve(intended, x, y)}"/>
</svg>
<figcaption>${scheduled ? 'Solid: from the intended time. Dashed: from when it was sent, which hides what waited.' : 'From when it was sent: in this profile the answers decide when the next request is due.'}</figcaption></figure>`;
}

/** Nines: 0, 90 %, 99 %… up to what so many requests can show. */
function axes(x: Scale, y: Scale, count: number): Markup {
  const nines = Array.from({ length: Math.max(2, Math.floor(Math.log10(2 * count)) + 1) }, (_, i) => i);
  const bottom = HEIGHT - MARGIN.bottom;
  const columns = nines.map((nine) => {
    const at = place(x.at(nine));
    const text = nine === 0 ? '0 %' : `${(100 - 100 / 10 ** nine).toFixed(Math.max(0, nine - 2))} %`;
    return markup`<line class="grid" x1="${at}" x2="${at}" y1="${MARGIN.top}" y2="${bottom}"/><text x="${at}" y="${bottom + 18}" text-anchor="middle">${text}</text>\n`;
  });
  const rows = y.ticks.map((tick) => {
    const at = place(y.at(tick));
    return markup`<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${at}" y2="${at}"/><text x="${MARGIN.left - 8}" y="${at}" dy="0.32em" text-anchor="end">${tick} ms</text>\n`;
  });
  return markup`${columns}${rows}<text x="${WIDTH / 2}" y="${HEIGHT - 8}" text-anchor="middle">share of the answers</text>\n`;
}

function curve(sorted: readonly number[], x: Scale, y: Scale): string {
  const furthest = Math.log10(2 * sorted.length);
  const points = Array.from({ length: POINTS + 1 }, (_, i) => {
    const nines = (i / POINTS) * furthest;
    return `${place(x.at(nines))},${place(y.at(quantile(sorted, 1 - 10 ** -nines)))}`;
  });
  return `M${points.join('L')}`;
}
