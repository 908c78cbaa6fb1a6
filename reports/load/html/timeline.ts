import { greatest } from '../../../exchanges/collections.ts';
import { dateHeaderSeconds } from '../../../exchanges/http-date.ts';
import { readRateHeaders } from '../../../exchanges/rate-headers.ts';
import { answerOf } from '../../../load/model/answer.ts';
import type { LoadRecord } from '../../../load/model/record.ts';
import type { Sample, ScenarioEvent, Trace } from '../../../load/model/sample.ts';
import { bounded } from '../../foreign-text.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import type { AxisScale } from './scale.ts';
import { coordinate, linearScale } from './scale.ts';

const WIDTH = 960;
const HEIGHT = 260;
const MARGIN = { left: 70, right: 20, top: 14, bottom: 44 };

/** Keys that get a chart; a fleet may have hundreds. */
const MOST_CHARTS = 6;

/** Requests that one chart shows; requests that were not accepted take precedence. */
const MOST_DOTS = 1500;

/** The axis is this much longer than the highest Remaining. */
const HEADROOM = 1.06;

/** With more window ends than this, the limiter has no windows; it is a bucket, for example. */
const MOST_WINDOW_ENDS = 24;

const TEXT_LIMIT = 300;

/** A chart for each key: every request by its send time and the Remaining value in its response. */
export function timelineSection(record: LoadRecord, trace: Trace): Markup {
  if (trace.samples.length === 0) return markup``;
  const samples = [...trace.samples].sort((a, b) => a.sent - b.sent);
  const from = samples[0]?.sent ?? 0;
  const to = greatest(samples.map(({ received }) => received));
  const frame = { trace: { ...trace, samples }, from, to, limit: record.limits.perMinute };
  const shown = record.keys.slice(0, MOST_CHARTS);
  const hidden = record.keys.length - shown.length;
  return markup`<section aria-labelledby="timeline">
<h2 id="timeline">Timeline</h2>
<p>Every request by its send time and the Remaining value in its response. Dashed lines are the window ends that the target advertises (Reset); shaded areas are waits.</p>
<p class="legend"><span class="pass">● accepted</span> <span class="warn">◆ rate-limited (429)</span> <span class="fail">✖ failed</span></p>
${shown.map(({ key }, i) => keyCharts(key, i, frame))}${hidden > 0 ? markup`<p class="quiet">The samples contain ${hidden} more keys.</p>\n` : markup``}</section>
`;
}

/** The data and the time range of a chart, in milliseconds since the Unix epoch. */
interface ChartFrame {
  /** Samples in the order of sending. */
  readonly trace: Trace;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** The chart of a key, and an enlarged one of its busiest period where that is too short to be visible. */
function keyCharts(key: string, index: number, frame: ChartFrame): Markup {
  const samples = frame.trace.samples.filter((one) => one.key === key);
  const busy = busiestPeriod(samples);
  const enlarged = busy !== undefined && busy.to - busy.from < (frame.to - frame.from) * ENLARGED_SHARE;
  return markup`${keyChart(key, `timeline-${index}`, frame)}${enlarged ? keyChart(key, `enlarged-${index}`, { ...frame, ...busy }, ENLARGED_NOTE) : markup``}`;
}

/** A busiest period shorter than this share of the run gets an enlarged chart. */
const ENLARGED_SHARE = 0.1;

const ENLARGED_NOTE = 'The busiest period, enlarged; seconds since its start. ';

/** The share of a key's requests in its busiest period. */
const BUSIEST_SHARE = 0.8;

/** The shortest period that contains most requests of a key and their responses, milliseconds since the Unix epoch. @param samples in the order of sending. */
function busiestPeriod(
  samples: readonly Sample[],
): { readonly from: number; readonly to: number } | undefined {
  const many = Math.ceil(samples.length * BUSIEST_SHARE);
  let found: { readonly from: number; readonly to: number } | undefined;
  for (const [i, { sent: from }] of samples.entries()) {
    const to = many > 1 ? samples[i + many - 1]?.received : undefined;
    if (to === undefined) break;
    if (found === undefined || to - from < found.to - found.from) found = { from, to };
  }
  return found;
}

function keyChart(key: string, id: string, frame: ChartFrame, note = ''): Markup {
  const within = (from: number, to: number): boolean => to >= frame.from && from <= frame.to;
  const samples = frame.trace.samples.filter((one) => one.key === key && within(one.sent, one.sent));
  const waits = frame.trace.events.filter(
    (event): event is ScenarioEvent & { readonly kind: 'waiting' } =>
      event.kind === 'waiting' && event.key === key && within(event.at, event.untilMs),
  );
  const x = linearScale((frame.to - frame.from) / 1000, MARGIN.left, WIDTH - MARGIN.right);
  const highest = greatest([frame.limit, ...samples.flatMap((one) => remainingOf(one) ?? [])]);
  const y = linearScale(highest * HEADROOM, HEIGHT - MARGIN.bottom, MARGIN.top);
  const scales = { x: (at: number) => x.at((at - frame.from) / 1000), y: y.at };
  const windowEnds = windowEndsIn(samples, frame);
  const dots = dotsOf(samples);
  const endLines =
    windowEnds.length > MOST_WINDOW_ENDS ? [] : windowEnds.map((at) => windowEndLine(scales.x(at)));
  return markup`<figure class="chart"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}">
<title id="${id}">Timeline of key ${key}: ${samples.length} requests in ${secondsOf(frame)} s.</title>
${waits.map((one) => waitArea(one, scales, frame))}${axes(x, y)}${endLines}<path class="remaining" d="${remainingPath(samples, scales)}"/>
${dots.map((one) => dot(one, scales))}</svg>
<figcaption>${note}Key <code>${key}</code>, ${samples.length} requests in ${secondsOf(frame)} s. ${notes(windowEnds.length, dots.length, samples.length, waits).join(' ')}</figcaption></figure>
`;
}

const secondsOf = ({ from, to }: ChartFrame): string => ((to - from) / 1000).toPrecision(3);

function notes(
  windowEnds: number,
  dots: number,
  samples: number,
  waits: readonly { readonly because: string }[],
): readonly string[] {
  const all = [
    windowEnds > MOST_WINDOW_ENDS
      ? 'Reset changes with every response, as with a bucket; window ends are not drawn.'
      : '',
    dots < samples ? `${dots} of them are drawn.` : '',
    ...waits.map(({ because }) => `Waited: ${bounded(because, TEXT_LIMIT)}.`),
  ];
  return [...new Set(all)].filter((note) => note !== '');
}

/** Coordinates of a time (milliseconds since the Unix epoch) and of a Remaining value. */
interface ChartScales {
  readonly x: (at: number) => number;
  readonly y: (remaining: number) => number;
}

const readingOf = ({ outcome }: Sample) =>
  outcome.kind === 'answer' ? readRateHeaders(answerOf(outcome).headers) : undefined;

const remainingOf = (sample: Sample): number | undefined => readingOf(sample)?.remaining;

/** The window ends within the chart that the responses advertise, on the clock of this machine. */
function windowEndsIn(samples: readonly Sample[], { from, to }: ChartFrame): readonly number[] {
  const ends = new Map<number, number>();
  for (const sample of samples) {
    const reset = readingOf(sample)?.reset;
    if (reset === undefined || sample.outcome.kind !== 'answer') continue;
    const date = dateHeaderSeconds(answerOf(sample.outcome));
    const ahead = date === undefined ? 0 : date * 1000 - sample.received;
    // Date is in whole seconds; a smaller difference is taken for none.
    const at = reset * 1000 - (Math.abs(ahead) > 1500 ? ahead : 0);
    if (at >= from && at <= to && !ends.has(reset)) ends.set(reset, at);
  }
  return [...ends.values()];
}

const windowEndLine = (x: number): Markup =>
  markup`<line class="window-end" x1="${coordinate(x)}" x2="${coordinate(x)}" y1="${MARGIN.top}" y2="${HEIGHT - MARGIN.bottom}"/>\n`;

function waitArea(
  { at, untilMs }: { readonly at: number; readonly untilMs: number },
  { x }: ChartScales,
  frame: ChartFrame,
): Markup {
  const [start, end] = [x(Math.max(at, frame.from)), x(Math.min(untilMs, frame.to))];
  if (end <= start) return markup``;
  return markup`<rect class="wait" x="${coordinate(start)}" width="${coordinate(end - start)}" y="${MARGIN.top}" height="${HEIGHT - MARGIN.top - MARGIN.bottom}"/>\n`;
}

function axes(x: AxisScale, y: AxisScale): Markup {
  const bottom = HEIGHT - MARGIN.bottom;
  const columns = x.ticks.map(
    (tick) =>
      markup`<text x="${coordinate(x.at(tick))}" y="${bottom + 18}" text-anchor="middle">${tick} s</text>\n`,
  );
  const rows = y.ticks.map(
    (tick) =>
      markup`<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${coordinate(y.at(tick))}" y2="${coordinate(y.at(tick))}"/><text x="${MARGIN.left - 8}" y="${coordinate(y.at(tick))}" dy="0.32em" text-anchor="end">${tick}</text>\n`,
  );
  return markup`${columns}${rows}<text x="14" y="${HEIGHT / 2}" transform="rotate(-90 14 ${HEIGHT / 2})" text-anchor="middle">Remaining</text>\n`;
}

/** The path of Remaining over time, as steps. */
function remainingPath(samples: readonly Sample[], { x, y }: ChartScales): string {
  const shown = thinned(
    samples.filter((one) => remainingOf(one) !== undefined),
    MOST_DOTS,
  );
  return shown
    .map(
      (one, i) =>
        `${i === 0 ? 'M' : 'H'}${coordinate(x(one.sent))}${i === 0 ? ',' : 'V'}${coordinate(y(remainingOf(one) ?? 0))}`,
    )
    .join('');
}

/** The requests to draw: all that were not accepted, up to half of the dots, and an even selection of the others. */
function dotsOf(samples: readonly Sample[]): readonly Sample[] {
  const notAccepted = thinned(
    samples.filter((one) => classOf(one) !== 'pass'),
    MOST_DOTS / 2,
  );
  const acceptedOnes = thinned(
    samples.filter((one) => classOf(one) === 'pass'),
    MOST_DOTS - notAccepted.length,
  );
  return [...acceptedOnes, ...notAccepted];
}

function thinned<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)] as T);
}

function classOf({ outcome }: Sample): 'pass' | 'warn' | 'fail' {
  if (outcome.kind === 'no-response') return 'fail';
  if (outcome.status === 429) return 'warn';
  return outcome.status === 200 || outcome.status === 201 ? 'pass' : 'fail';
}

/** Each kind has its own shape, so that no information depends on colour alone. */
function dot(sample: Sample, { x, y }: ChartScales): Markup {
  const [cx, cy] = [coordinate(x(sample.sent)), coordinate(y(remainingOf(sample) ?? 0))];
  switch (classOf(sample)) {
    case 'pass':
      return markup`<circle class="pass" cx="${cx}" cy="${cy}" r="2.6"/>\n`;
    case 'warn':
      return markup`<path class="warn" d="M${cx},${cy}m0,-5l5,5l-5,5l-5,-5z"/>\n`;
    case 'fail':
      return markup`<path class="fail cross" d="M${cx},${cy}m-5,-5l10,10m0,-10l-10,10"/>\n`;
  }
}
