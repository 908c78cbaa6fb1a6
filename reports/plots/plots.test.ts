import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLValidator } from 'fast-xml-parser';
import { breaches } from '../../evaluation/testing/reports/contracts.ts';
import { HOSTILE, recordWith } from '../../evaluation/testing/reports/records.ts';
import type { RunRecord, TimelineEntry } from '../../kernel/findings/record.ts';
import { serviceRecord } from '../../kernel/findings/record.ts';
import { renderJson } from '../files.ts';
import { renderHtml } from '../html/page.ts';
import { picturePlots, renderPicture } from '../picture.ts';
import { pointStatusOf, STATUS_NAMES, STATUSES, visiblePoints } from './marks.ts';
import type { Mark, Plot, Point } from './model.ts';
import { timeScale, valueScale } from './model.ts';
import { plotFigure, plotFile } from './plot.ts';

const ramp = (count: number): readonly Point[] => Array.from({ length: count }, (_, x) => ({ x, y: x % 60 }));

const everyMark: readonly Mark[] = [
  { kind: 'line', name: 'a line', stroke: 'strong', points: ramp(60) },
  { kind: 'steps', name: 'steps', stroke: 'dashed', points: ramp(60) },
  { kind: 'band', name: 'a band', points: ramp(60).map(({ x, y }) => ({ x, low: y, high: y + 5 })) },
  {
    kind: 'stack',
    layers: STATUSES.map((status) => ({ status, name: `stacked ${status}` })),
    bins: [{ from: 0, to: 30, values: STATUSES.map((_, i) => i + 1) }],
  },
  ...STATUSES.map(
    (status): Mark => ({ kind: 'points', name: STATUS_NAMES[status], status, points: ramp(3) }),
  ),
  { kind: 'level', name: 'a level', y: 70 },
  { kind: 'rules', name: 'rules', at: [10, 20, 999] },
  { kind: 'spans', name: 'spans', shade: 'striking', spans: [{ from: 50, to: 999 }] },
];

const plotWith = (marks: readonly Mark[], text = 'a title'): Plot => ({
  id: 'plot',
  title: text,
  description: `${text}, described.`,
  from: 0,
  to: 59,
  panels: [
    { kind: 'values', label: text, marks },
    {
      kind: 'rows',
      label: text,
      rows: [
        {
          name: text,
          marks: [{ kind: 'points', name: text, status: 'failed', points: [1, 2].map((x) => ({ x, y: 0 })) }],
        },
      ],
    },
  ],
  table: { head: [text, text], rows: [[text, text]] },
});

test('each mark is drawn and has one entry in the legend', () => {
  const html = plotFigure(plotWith(everyMark)).toString();
  const names = ['a line', 'steps', 'a band', 'a level', 'rules', 'spans', ...Object.values(STATUS_NAMES)];
  for (const name of [...names, ...STATUSES.map((status) => `stacked ${status}`)])
    assert.equal(html.split(`</svg>${name}</li>`).length, 2, name);
  assert.equal(html.match(/<line class="rule" x1="\d/g)?.length, 2 + 1, 'the third is outside the plot');
  assert.match(html, /<rect class="span striking" x="847.5" width="152.5"/, 'a span ends with the plot');
});

test('a plot has a title, a text alternative and a table, and nothing that a strict policy forbids', () => {
  const html = plotFigure(plotWith(everyMark)).toString();
  assert.match(html, /role="img" aria-labelledby="plot-title" aria-describedby="plot-text"/);
  assert.match(html, /<figcaption id="plot-text">a title, described\.<\/figcaption>/);
  assert.match(html, /<th scope="row">a title<\/th><td>a title<\/td>/);
  assert.doesNotMatch(html, /style=|<script|href=|<use|<image|foreignObject|\bon\w+=/);
});

test('text of a target stays text, in the page and in the file', () => {
  for (const text of HOSTILE) {
    const plot = plotWith(everyMark, text);
    assert.equal(XMLValidator.validate(plotFile(plot)), true);
    assert.doesNotMatch(plotFigure(plot).toString(), /<(?:script|img|iframe|b)\b|NaN|undefined/);
  }
});

test('the same plot gives the same bytes, and none of them is not a number', () => {
  const [once, again] = [plotFile(plotWith(everyMark)), plotFile(plotWith(everyMark))];
  assert.equal(once, again);
  assert.doesNotMatch(once, /NaN|Infinity|undefined|null/);
  const empty: readonly Mark[] = [
    { kind: 'line', name: 'none', stroke: 'dotted', points: [] },
    { kind: 'stack', layers: [], bins: [] },
  ];
  const gap: Mark = { kind: 'line', name: 'gap', stroke: 'dotted', points: [{ x: 1, y: Number.NaN }] };
  for (const marks of [empty, [gap]])
    assert.doesNotMatch(plotFile({ ...plotWith(marks), to: 0 }), /NaN|Infinity|undefined|null/);
});

test('lines are named at their ends, each in its own stroke, and no name stands on another', () => {
  const line = (name: string, stroke: 'strong' | 'dashed' | 'dotted', y: number): Mark => ({
    ...{ kind: 'line', name, stroke, isNamed: true },
    points: [
      { x: 0, y: 1 },
      { x: 59, y },
    ],
  });
  const marks = [line('p99', 'dotted', 60), line('p95', 'dashed', 60), line('p50', 'strong', 59)];
  const html = plotFigure(plotWith(marks)).toString();
  const ends = [...html.matchAll(/<text class="end (\w+)" x="100%" y="([\d.-]+)"[^>]*>(\w+)</g)];
  assert.deepEqual(
    ends.map(([, stroke, , name]) => `${name} ${stroke}`),
    ['p50 strong', 'p95 dashed', 'p99 dotted'],
  );
  const places = ends.map(([, , y]) => Number(y));
  for (const [at, y] of places.slice(1).entries()) assert.ok((places[at] ?? 0) - y >= 12, places.join());
});

test('the axis of time has few marks in the unit that people use', () => {
  const texts = (to: number): readonly string[] => timeScale(0, to).ticks.map(({ text }) => text);
  assert.deepEqual(texts(62), ['0 s', '15 s', '30 s', '45 s', '60 s']);
  assert.deepEqual(texts(600), ['0 min', '2 min', '4 min', '6 min', '8 min', '10 min']);
  assert.deepEqual(texts(86_400).at(-1), '24 h');
  assert.deepEqual(texts(0.004), ['0 s', '0.001 s', '0.002 s', '0.003 s', '0.004 s']);
  for (const to of [0, 0.5, 3, 42, 119, 185, 1000, 3599, 40_000, 90_000, 1e6])
    assert.ok(texts(to).length >= 2 && texts(to).length <= 11, `${to}: ${texts(to).join()}`);
});

test('the axis of values begins at zero and contains the highest value', () => {
  for (const highest of [0, 0.3, 7, 61, 945, 12_345]) {
    const { at, ticks } = valueScale(highest, 100);
    assert.equal(at(0), 100);
    assert.ok(at(highest) >= 0);
    assert.equal(ticks[0]?.value, 0);
  }
});

test('a long line keeps its extremes, and the order of its points', () => {
  const points = ramp(100_000).map((point, i) => (i === 77_777 ? { ...point, y: 1000 } : point));
  const visible = visiblePoints(points, 500);
  assert.ok(visible.length <= 4 * 502);
  assert.ok(visible.some(({ y }) => y === 1000));
  assert.ok(visible.every(({ x }, i) => i === 0 || x > (visible[i - 1]?.x ?? 0)));
});

test('an exchange has the status of its response', () => {
  const rows = [
    [200, 'accepted'],
    [201, 'accepted'],
    [429, 'rate-limited'],
    [401, 'rejected'],
    [503, 'failed'],
    [301, 'failed'],
    [undefined, 'no-response'],
  ] as const;
  for (const [code, status] of rows) assert.equal(pointStatusOf(code), status);
});

const entry = (n: number, given: Partial<TimelineEntry> = {}): TimelineEntry => ({
  ...{
    n,
    caller: 'key',
    at: n * 20,
    milliseconds: 5,
    status: 200,
    remaining: Math.max(0, 60 - n),
    reset: 60_000,
  },
  ...given,
});

/** Sixty accepted requests, a 429, requests of others during its wait, and a request after it. */
const entries: readonly TimelineEntry[] = [
  ...Array.from({ length: 60 }, (_, i) => entry(i + 1, i === 7 ? { status: 400 } : {})),
  entry(61, { status: 429, wait: 58_000 }),
  entry(62, { caller: 'other', at: 1300 }),
  entry(63, { caller: 'unauthenticated', at: 1400, status: 401 }),
  entry(64, { caller: 'plan:pro', at: 1500, status: null }),
  entry(65, { at: 59_525, remaining: 59, reset: 119_400 }),
];

const drawn = (some: readonly TimelineEntry[], omitted = 0): RunRecord =>
  recordWith({}, { timeline: { entries: some, omitted } });

test('the picture shows each request, the 429, what it announced and that it was kept', () => {
  const html = renderHtml(drawn(entries));
  assert.match(
    html,
    /62 requests with the key under test \(60 × 2xx, accepted; 1 × 429, rate-limited; 1 × other 4xx\) and 3 others\./,
  );
  assert.match(
    html,
    /The first 429 came at 1\.2 s \(exchange 61\) and announced a wait of 58 s; the next request with the key \(exchange 65\) was sent 0\.30 s after the end of that wait and got 200\./,
  );
  assert.match(html, /Inferred algorithm: /);
  for (const name of ['another caller', 'without a valid key', 'the key of plan pro'])
    assert.ok(html.includes(`>${name}</text>`), name);
  assert.match(html, /class="span striking"/);
  assert.match(html, /Enlarged, from 20\.0 ms to \d+ ms: 61 requests/);
});

test('the whole run and its beginning are drawn, and the marks of each are within it', () => {
  const [whole, beginning, ...others] = picturePlots(drawn(entries));
  assert.ok(whole !== undefined && beginning !== undefined);
  assert.deepEqual(others, []);
  assert.equal(whole.to, 59.53);
  assert.ok(beginning.to < 1.3);
});

test('a record without a timeline has no picture, and the page is as before', () => {
  assert.deepEqual(picturePlots(recordWith({})), []);
  assert.equal(renderPicture(recordWith({})), undefined);
  assert.doesNotMatch(renderHtml(recordWith({})), /id="run"/);
});

test('text of a target stays text in the picture of a run, in the page and in the file', () => {
  for (const text of HOSTILE) {
    const named = entries.map((one) => ({ ...one, caller: `plan:${text}` }));
    const hostile = drawn(named, 3);
    assert.equal(XMLValidator.validate(renderPicture(hostile) ?? ''), true);
    assert.doesNotMatch(renderHtml(hostile), /<(?:img|iframe)\b|\bNaN\b/);
  }
});

test('a timeline keeps the contract, and the longest one keeps the report small', () => {
  const longest = Array.from({ length: 3000 }, (_, i) =>
    entry(i + 1, i % 2 === 0 ? { status: 429, wait: 1000 } : {}),
  );
  const full = drawn(longest, 7000);
  const [json, html] = [renderJson(full), renderHtml(full)];
  assert.deepEqual(breaches(serviceRecord, JSON.parse(json)), []);
  assert.ok(json.length < 1_000_000 && html.length < 1_000_000);
  assert.match(html, /3,000 of 10,000 exchanges are drawn: 3,000 requests with the key/);
  assert.doesNotMatch(html, /the next request with the key/);
  assert.match(html, /7,000 further accepted or similar exchanges are not drawn/);
});
