import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breaches } from '../../evaluation/testing/reports/contracts.ts';
import { loadRun, phasedLoadRun } from '../../evaluation/testing/reports/load-runs.ts';
import { loadRecord } from '../../kernel/findings/record.ts';
import { expectations } from '../../load/judging/expectations/index.ts';
import { PROFILE_IDS } from '../../load/profiles/index.ts';
import { renderHtml } from '../html/page.ts';
import type { Bin } from './plots/panels.ts';
import { latencyPanel } from './plots/panels.ts';

const { record, trace } = loadRun();
const html = renderHtml(record, trace);

test('the contract knows every expectation and every profile', () => {
  // The files may have changed since.
  const { recorded: _, ...needed } = record;
  assert.deepEqual(breaches(loadRecord, needed), []);
  for (const wrong of [{ outcome: 'green' }, { profile: 'No profile' }, { startedAt: 'yesterday' }])
    assert.notDeepEqual(breaches(loadRecord, { ...record, ...wrong }), []);
  const [finding] = record.requirements;
  for (const id of Object.keys(expectations))
    assert.deepEqual(breaches(loadRecord, { ...record, requirements: [{ ...finding, id }] }), []);
  for (const profile of PROFILE_IDS) assert.deepEqual(breaches(loadRecord, { ...record, profile }), []);
});

const count = (text: string, part: RegExp): number => [...text.matchAll(part)].length;

test('the plot of a key shows each request by its status, each advertised window end, and each wait', () => {
  assert.equal(count(html, /M[\d.]+ [\d.]+h0/g), 60, 'accepted');
  assert.equal(count(html, /<path class="point rate-limited"/g), 1 + 1, 'one request and the legend');
  assert.equal(count(html, /<path class="point no-response"/g), 1 + 1);
  assert.equal(count(html, /class="span plain"/g), 0, 'the wait is after the last request');
  const [, at = ''] = /<line class="rule" x1="([\d.]+)%"/.exec(html) ?? [];
  assert.ok(Math.abs(Number(at) - (31 / 61.066) * 100) < 0.1, at);
  assert.equal(count(html, /<line class="rule"/g), 1 + 1, 'the other window end is after the run');
});

test('the run over time has latency, rate, statuses, schedule delay and Remaining, and says so in words', () => {
  const labels = [...html.matchAll(/<text class="label"[^>]*>([^<]*)</g)].map(([, label]) => label);
  assert.deepEqual(labels, [
    'Latency (ms)',
    'Requests per second, by status',
    'Not accepted, in each interval',
    'Schedule delay of this machine (ms)',
    'Remaining of key',
    'Latency (ms)',
  ]);
  assert.match(
    html,
    /62 requests in 61 s: 60 accepted, 1 rate-limited, 1 with another status or no response\. Intervals of 5\.1 s;/,
  );
  assert.match(
    html,
    /p50 is 35\.0 ms and p99 65\.0 ms over the whole run; the slowest interval begins at 56 s/,
  );
});

test('a burst too short to be visible in its run gets an enlarged plot', () => {
  const [first] = trace.samples;
  assert.ok(first !== undefined);
  const samples = trace.samples.map((one, i) => {
    const sent = first.sent + (i === 0 ? 0 : 60_000 + i);
    return { ...one, sent, received: sent + 1 };
  });
  assert.match(
    renderHtml(record, { ...trace, samples }),
    /id="run-title"[\s\S]*The busiest period, enlarged[\s\S]*id="enlarged-title"/,
  );
  assert.doesNotMatch(html, /id="enlarged/);
});

test('a long run is drawn with a bounded number of points, and every 429 is among them', () => {
  const samples = Array.from({ length: 20_000 }, (_, i) => {
    const like = trace.samples[i % 200 === 0 ? 60 : 1];
    assert.ok(like !== undefined);
    return { ...like, n: i + 1, sent: like.sent + i * 100, received: like.sent + i * 100 + 5 };
  });
  const long = renderHtml(record, { ...trace, samples });
  assert.equal(count(long, /<path class="point rate-limited"/g), 100 + 1);
  assert.equal(count(long, /M[\d.]+ [\d.]+h0/g), 1400);
  assert.match(long, /1,500 of its 20,000 requests are drawn/);
});

test('a fleet is drawn as a whole and by its worst keys, and the report says by what they are the worst', () => {
  const names = Array.from({ length: 40 }, (_, i) => `fleet-${i + 1}` as const);
  const keys = names.map((key) => ({ ...record.keys[0], key }) as (typeof record.keys)[number]);
  const samples = names.flatMap((key, i) =>
    trace.samples
      .slice(0, i === 30 ? 62 : 60)
      .map((one) => ({ ...one, key, received: one.received + (i === 7 ? 500 : 0) })),
  );
  const fleet = renderHtml({ ...record, keys }, { ...trace, samples });
  assert.match(
    fleet,
    /12 of 40 keys, most failed requests first, then most 429 responses, then the highest p99/,
  );
  const plotted = [...fleet.matchAll(/<h3>Key <code>([^<]*)</g)].map(([, key]) => key);
  assert.deepEqual(plotted, ['fleet-31', 'fleet-8', 'fleet-1', 'fleet-2']);
  assert.match(fleet, /<text class="label"[^>]*>Remaining of all keys</);
  assert.match(fleet, /<summary>Each of 40 keys<\/summary>/);
});

test('what failed stands before the charts', () => {
  const titles = [...html.matchAll(/<h2[^>]*>([A-Z][a-z ]+)/g)].map(([, title]) => title?.trim());
  assert.deepEqual(titles.slice(0, 3), ['Fail', 'Inconclusive', 'Over time']);
});

test('the latency curve ends at the slowest response', () => {
  const [, svg = ''] = /id="latency-curve-title"([\s\S]*?)<ul/.exec(html) ?? [];
  const curves = [...svg.matchAll(/<path class="line (\w+)" d="([^"]*)"/g)];
  assert.deepEqual(
    curves.map(([, stroke]) => stroke),
    ['dashed', 'strong'],
  );
  const ends = curves.map(([, , d = '']) => Number(d.split(',').at(-1)));
  assert.ok((ends[1] ?? 0) < (ends[0] ?? 0), 'measured from the intended send time, latency is higher');
});

test('the page shows the phases of a profile that compares them, and has no such table without', () => {
  const phased = phasedLoadRun();
  assert.match(
    renderHtml(phased.record, phased.trace),
    /<th scope="row">step 1<\/th><td>30 s<\/td><td>30<\/td><td>2\.7<\/td>/,
  );
  assert.doesNotMatch(html, /id="phases"/);
});

test('the page says what to do next, unless the target conforms', () => {
  const passed = loadRun('staging', 'conforms');
  assert.match(html, /Fix the target/);
  assert.doesNotMatch(renderHtml(passed.record, passed.trace), /Fix the target|no verdict/);
});

test('the report of a long run says which part of it the plots show', () => {
  const part = renderHtml(record, { ...trace, oneOf: 7 });
  assert.match(part, /show one of every 7 requests of each key/);
  assert.match(part, /drawn from one of every 7 of them/);
  assert.doesNotMatch(html, /one of every/);
});

test('the table of expectations has no column of exchanges, of which a load run cites none', () => {
  const [, table = ''] = /<table class="register">(.*?)<\/table>/s.exec(html) ?? [];
  assert.deepEqual([count(table, /scope="col"/g), count(table, /<td/g)], [3, 2 * record.requirements.length]);
});

const bin = (from: number, p50: number): Bin => ({
  ...{ from, to: from + 10, requests: 6, statuses: [6, 0, 0, 0, 0], rateLimited: 0, failed: 0 },
  ...{ p50, p95: p50 + 1, p99: p50 + 2, delay: 0 },
  remaining: { low: 1, median: 2, high: 3 },
});

test('the latency of a single interval is drawn over all of it, and is not a point without length', () => {
  const drawn = xOfMarks([bin(0, Number.NaN), bin(10, 5)]);
  assert.equal(drawn.length, 4);
  for (const xs of drawn) assert.deepEqual(xs, [10, 20]);
  for (const xs of xOfMarks([bin(0, 4), bin(10, 5)])) assert.deepEqual(xs, [5, 15]);
  for (const xs of xOfMarks([bin(0, Number.NaN)])) assert.deepEqual(xs, []);
});

function xOfMarks(bins: readonly Bin[]): readonly (readonly number[])[] {
  const panel = latencyPanel(bins);
  assert.ok(panel.kind === 'values');
  return panel.marks.flatMap((mark) =>
    mark.kind === 'band' || mark.kind === 'line' ? [mark.points.map(({ x }) => x)] : [],
  );
}
