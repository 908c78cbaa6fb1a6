import { countOf } from '../../../kernel/basics/text.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { ascending, latencyMs, latencySamples, quantile } from '../../../load/model/latency.ts';
import type { Sample, Trace } from '../../../load/model/sample.ts';
import type { Section } from '../../html/document.ts';
import type { Mark, Plot, Stroke } from '../../plots/model.ts';
import { plotFigure } from '../../plots/plot.ts';
import { wide } from '../../tables.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { LATENCY_COLUMNS, millisecondsText } from '../texts.ts';

/** Points of a curve; more than the width of the chart would not be visible. */
const POINTS = 300;

/**
 * Latency by percentile, on the axis of HDR histograms: each step to the right
 * contains a tenth of the remaining requests, so that the slowest ones are visible.
 */
export function latencySection(record: LoadRecord, trace: Trace): Section | undefined {
  const { latencyMs: summary } = record;
  if (summary === null) return undefined;
  return {
    id: 'latency',
    title: 'Latency',
    classes: 'more',
    content: markup`<p>From the intended send time, where the profile plans one, to the last byte of the response, so that a stalled target cannot hide the requests it delays (no coordinated omission). Exact percentiles of ${countOf(summary.count, 'response')}; the preflight request of each key is not included, because it opens the connection.${curveText(trace)}</p>
${plotFigure(curvesPlot(latencySamples(trace.samples)))}
${wide(
  'Latency by percentile',
  markup`<table class="figures"><thead><tr>${LATENCY_COLUMNS.map(([name]) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody><tr>${LATENCY_COLUMNS.map(([, field]) => markup`<td>${millisecondsText(summary[field])}</td>`)}</tr></tbody></table>`,
)}${scheduleDelayText(record)}`,
  };
}

/** Says which part of a long run the curves show. */
const curveText = ({ oneOf }: Trace): string =>
  oneOf === undefined ? '' : ` The curves are drawn from one of every ${oneOf} of them.`;

function scheduleDelayText({ scheduleDelayMs }: LoadRecord): Markup {
  if (scheduleDelayMs === null) return markup``;
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
const ticksOf = (count: number): readonly { readonly value: number; readonly text: string }[] =>
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
