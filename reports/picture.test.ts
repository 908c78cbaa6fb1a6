import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLValidator } from 'fast-xml-parser';
import { breaches } from '../evaluation/testing/reports/contracts.ts';
import { HOSTILE, recordWith } from '../evaluation/testing/reports/records.ts';
import type { RunRecord, TimelineEntry } from '../kernel/findings/record.ts';
import { serviceRecord } from '../kernel/findings/record.ts';
import { renderJson } from './files.ts';
import { renderHtml } from './html/page.ts';
import { picturePlots, renderPicture } from './picture.ts';

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

test('text of a target stays text, in the page and in the file', () => {
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
