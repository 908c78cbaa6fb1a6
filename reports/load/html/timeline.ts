import { greatest } from '../../../exchanges/collections.ts';
import { dateHeaderSeconds } from '../../../exchanges/http-date.ts';
import { readRateHeaders } from '../../../exchanges/rate-headers.ts';
import { answerOf } from '../../../load/model/answer.ts';
import type { LoadRecord } from '../../../load/model/record.ts';
import type { Sample, ScenarioEvent, Trace } from '../../../load/model/sample.ts';
import { bounded } from '../../foreign-text.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import type { Scale } from './scale.ts';
import { linear, place } from './scale.ts';

const WIDTH = 960;
const HEIGHT = 260;
const MARGIN = { left: 70, right: 20, top: 14, bottom: 44 };

/** Lanes with a picture of their own; a fleet may have hundreds. */
const MOST_LANES = 6;

/** Requests that one picture shows; what was not accepted comes first. */
const MOST_DOTS = 1500;

/** Room above the highest Remaining. */
const HEADROOM = 1.06;

/** More ends of windows than this are those of a limiter without windows, such as a bucket. */
const MOST_EDGES = 24;

const TEXT_LIMIT = 300;

/** Every request in time, by what was left after it, key by key. */
export function timelineSection(record: LoadRecord, trace: Trace): Markup {
  if (trace.samples.length === 0) return markup``;
  const samples = [...trace.samples].sort((a, b) => a.sent - b.sent);
  const from = samples[0]?.sent ?? 0;
  const to = greatest(samples.map(({ received }) => received));
  const frame = { trace: { ...trace, samples }, from, to, limit: record.limits.perMinute };
  const shown = record.keys.slice(0, MOST_LANES);
  const rest = record.keys.length - shown.length;
  return markup`<section aria-labelledby="timeline">
<h2 id="timeline">Timeline</h2>
<p>Every request when it was sent, at the height of what Remaining said after it. Dashed lines are the ends of windows that the target announced (Reset); bands are waits.</p>
<p class="legend"><span class="pass">● accepted</span> <span class="warn">◆ refused (429)</span> <span class="fail">✖ anything else</span></p>
${shown.map(({ key }, i) => scenarioPictures(key, i, frame))}${rest > 0 ? markup`<p class="quiet">${rest} more keys are in the samples.</p>\n` : markup``}</section>
`;
}

interface Frame {
  /** In the order of sending. */
  readonly trace: Trace;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** The whole run of a key, and its busiest moment again where that is too short to be seen in it. */
function scenarioPictures(key: string, index: number, whole: Frame): Markup {
  const samples = whole.trace.samples.filter((one) => one.key === key);
  const busy = busiest(samples);
  const close = busy !== undefined && busy.to - busy.from < (whole.to - whole.from) * CLOSE_UP;
  return markup`${scenarioPicture(key, `timeline-${index}`, whole)}${close ? scenarioPicture(key, `close-${index}`, { ...whole, ...busy }, CLOSER) : markup``}`;
}

/** A moment that takes less of the run than this is shown again by itself. */
const CLOSE_UP = 0.1;

const CLOSER = 'Its busiest moment again, closer, in seconds from its beginning. ';

/** So many of a key's requests make its busiest moment. */
const MOST_OF = 0.8;

/** The shortest time in which most requests of a key were sent and answered, milliseconds since the Unix epoch. @param samples in the order of sending. */
function busiest(samples: readonly Sample[]): { readonly from: number; readonly to: number } | undefined {
  const many = Math.ceil(samples.length * MOST_OF);
  let found: { readonly from: number; readonly to: number } | undefined;
  for (const [i, { sent: from }] of samples.entries()) {
    const to = many > 1 ? samples[i + many - 1]?.received : undefined;
    if (to === undefined) break;
    if (found === undefined || to - from < found.to - found.from) found = { from, to };
  }
  return found;
}

function scenarioPicture(key: string, id: string, frame: Frame, note = ''): Markup {
  const within = (from: number, to: number): boolean => to >= frame.from && from <= frame.to;
  const samples = frame.trace.samples.filter((one) => one.key === key && within(one.sent, one.sent));
  const waits = frame.trace.events.filter(
    (event): event is ScenarioEvent & { readonly kind: 'waits' } =>
      event.kind === 'waits' && event.key === key && within(event.at, event.untilMs),
  );
  const x = linear((frame.to - frame.from) / 1000, MARGIN.left, WIDTH - MARGIN.right);
  const highest = greatest([frame.limit, ...samples.flatMap((one) => remainingOf(one) ?? [])]);
  const y = linear(highest * HEADROOM, HEIGHT - MARGIN.bottom, MARGIN.top);
  const spot = { x: (at: number) => x.at((at - frame.from) / 1000), y: y.at };
  const edges = edgesOf(samples, frame);
  const dots = dotsOf(samples);
  const drawn = edges.length > MOST_EDGES ? [] : edges.map((at) => edge(spot.x(at)));
  return markup`<figure class="chart"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}">
<title id="${id}">Timeline of key ${key}: ${samples.length} requests in ${seconds(frame)} s.</title>
${waits.map((one) => band(one, spot, frame))}${axes(x, y)}${drawn}<path class="left" d="${steps(samples, spot)}"/>
${dots.map((one) => dot(one, spot))}</svg>
<figcaption>${note}Key <code>${key}</code>, ${samples.length} requests in ${seconds(frame)} s. ${notes(edges.length, dots.length, samples.length, waits).join(' ')}</figcaption></figure>
`;
}

const seconds = ({ from, to }: Frame): string => ((to - from) / 1000).toPrecision(3);

function notes(
  edges: number,
  dots: number,
  samples: number,
  waits: readonly { readonly because: string }[],
): readonly string[] {
  const all = [
    edges > MOST_EDGES
      ? 'Reset moves with the answers, as that of a bucket does; its ends are not drawn.'
      : '',
    dots < samples ? `${dots} of them are drawn.` : '',
    ...waits.map(({ because }) => `Waited: ${bounded(because, TEXT_LIMIT)}.`),
  ];
  return [...new Set(all)].filter((note) => note !== '');
}

interface Place {
  readonly x: (at: number) => number;
  readonly y: (left: number) => number;
}

const readingOf = ({ outcome }: Sample) =>
  outcome.kind === 'answer' ? readRateHeaders(answerOf(outcome).headers) : undefined;

const remainingOf = (sample: Sample): number | undefined => readingOf(sample)?.remaining;

/** The ends of windows that the answers announced, on our clock, those within the picture. */
function edgesOf(samples: readonly Sample[], { from, to }: Frame): readonly number[] {
  const edges = new Map<number, number>();
  for (const sample of samples) {
    const reset = readingOf(sample)?.reset;
    if (reset === undefined || sample.outcome.kind !== 'answer') continue;
    const date = dateHeaderSeconds(answerOf(sample.outcome));
    const ahead = date === undefined ? 0 : date * 1000 - sample.received;
    // Dates are whole seconds: a clock that differs by less is taken for ours.
    const at = reset * 1000 - (Math.abs(ahead) > 1500 ? ahead : 0);
    if (at >= from && at <= to && !edges.has(reset)) edges.set(reset, at);
  }
  return [...edges.values()];
}

const edge = (x: number): Markup =>
  markup`<line class="edge" x1="${place(x)}" x2="${place(x)}" y1="${MARGIN.top}" y2="${HEIGHT - MARGIN.bottom}"/>\n`;

function band(
  { at, untilMs }: { readonly at: number; readonly untilMs: number },
  { x }: Place,
  frame: Frame,
): Markup {
  const [start, end] = [x(Math.max(at, frame.from)), x(Math.min(untilMs, frame.to))];
  if (end <= start) return markup``;
  return markup`<rect class="wait" x="${place(start)}" width="${place(end - start)}" y="${MARGIN.top}" height="${HEIGHT - MARGIN.top - MARGIN.bottom}"/>\n`;
}

function axes(x: Scale, y: Scale): Markup {
  const bottom = HEIGHT - MARGIN.bottom;
  const columns = x.ticks.map(
    (tick) =>
      markup`<text x="${place(x.at(tick))}" y="${bottom + 18}" text-anchor="middle">${tick} s</text>\n`,
  );
  const rows = y.ticks.map(
    (tick) =>
      markup`<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${place(y.at(tick))}" y2="${place(y.at(tick))}"/><text x="${MARGIN.left - 8}" y="${place(y.at(tick))}" dy="0.32em" text-anchor="end">${tick}</text>\n`,
  );
  return markup`${columns}${rows}<text x="14" y="${HEIGHT / 2}" transform="rotate(-90 14 ${HEIGHT / 2})" text-anchor="middle">Remaining</text>\n`;
}

/** How Remaining went, as steps. */
function steps(samples: readonly Sample[], { x, y }: Place): string {
  const shown = thinned(
    samples.filter((one) => remainingOf(one) !== undefined),
    MOST_DOTS,
  );
  return shown
    .map(
      (one, i) =>
        `${i === 0 ? 'M' : 'H'}${place(x(one.sent))}${i === 0 ? ',' : 'V'}${place(y(remainingOf(one) ?? 0))}`,
    )
    .join('');
}

/** What is drawn: every request that was not accepted, as far as there is room, and the others evenly thinned. */
function dotsOf(samples: readonly Sample[]): readonly Sample[] {
  const odd = thinned(
    samples.filter((one) => classOf(one) !== 'pass'),
    MOST_DOTS / 2,
  );
  const plain = thinned(
    samples.filter((one) => classOf(one) === 'pass'),
    MOST_DOTS - odd.length,
  );
  return [...plain, ...odd];
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

/** A shape of its own for each kind, so that colour alone says nothing. */
function dot(sample: Sample, { x, y }: Place): Markup {
  const [cx, cy] = [place(x(sample.sent)), place(y(remainingOf(sample) ?? 0))];
  switch (classOf(sample)) {
    case 'pass':
      return markup`<circle class="pass" cx="${cx}" cy="${cy}" r="2.6"/>\n`;
    case 'warn':
      return markup`<path class="warn" d="M${cx},${cy}m0,-5l5,5l-5,5l-5,-5z"/>\n`;
    case 'fail':
      return markup`<path class="fail cross" d="M${cx},${cy}m-5,-5l10,10m0,-10l-10,10"/>\n`;
  }
}
