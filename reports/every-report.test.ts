import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate } from 'ctrf';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { assertValidHtml, breaches } from '../evaluation/testing/reports/contracts.ts';
import { emptyLoadRun, loadRun, phasedLoadRun } from '../evaluation/testing/reports/load-runs.ts';
import {
  conforming,
  explained,
  HOSTILE,
  hostile,
  incomplete,
  known,
  recordWith,
  violating,
  wrongTarget,
} from '../evaluation/testing/reports/records.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import { loadRecord, serviceRecord } from '../kernel/findings/record.ts';
import type { Trace } from '../load/model/sample.ts';
import { sampleOf } from '../tools/sample.ts';
import { renderBadgeJson, renderBadgeSvg } from './badge.ts';
import { renderCtrf } from './cases.ts';
import { renderJson } from './files.ts';
import { renderHtml } from './html/page.ts';
import { renderJunit } from './junit.ts';

// What each format keeps, whatever was run, whatever came of it, and whatever the target sent.

interface Reported {
  readonly record: RunRecord;
  readonly trace?: Trace;
}

const partial = { selection: { kind: 'quick', requirements: ['LIST-1'] }, outcome: 'incomplete' } as const;

const usual: readonly Reported[] = [
  ...[conforming(), violating(), incomplete(), explained(), wrongTarget(), known()].map((record) => ({
    record,
  })),
  { record: recordWith({}, partial) },
  ...[loadRun(), loadRun('x', 'conforms'), loadRun('x', 'incomplete'), emptyLoadRun(), phasedLoadRun()],
];
const hostileTo = (text: string): readonly Reported[] => [
  { record: hostile(text) },
  loadRun(text),
  phasedLoadRun(text),
];
/** Every page takes long, so that each day has a share of the hostile ones; where text alone is rendered, all of them are. */
const [pages, all] = [sampleOf(HOSTILE), HOSTILE].map((texts) => [...usual, ...texts.flatMap(hostileTo)]);
assert.ok(pages !== undefined && all !== undefined);

test('report.json keeps the published contract and equals its record', () => {
  for (const { record } of all) {
    const report: unknown = JSON.parse(renderJson(record));
    assert.deepEqual(breaches(record.subject === 'load' ? loadRecord : serviceRecord, report), []);
    assert.deepEqual(report, record);
  }
});

test('the contract names exactly the fields of a record: none may be missing and none be added', () => {
  for (const [contract, record] of [
    [serviceRecord, violating()],
    [loadRecord, loadRun().record],
  ] as const) {
    // The files of a load run may have changed since.
    for (const missing of Object.keys(record).filter((name) => name !== 'recorded')) {
      const rest = Object.fromEntries(Object.entries(record).filter(([name]) => name !== missing));
      assert.deepEqual(breaches(contract, rest), [` must have required property '${missing}'`]);
    }
    assert.notDeepEqual(breaches(contract, { ...record, more: 1 }), []);
  }
});

test('the page is valid HTML that loads nothing', async () => {
  for (const { record, trace } of pages) {
    const html = renderHtml(record, trace);
    await assertValidHtml(html);
    assert.doesNotMatch(html, /<(?:img|iframe|link|image|use|foreignObject)\b/);
    if (record.subject === 'load') assert.doesNotMatch(html, /\b(?:NaN|undefined|Infinity)\b/);
  }
});

test('every link of the page has a target on it, and no id occurs twice', () => {
  for (const { record, trace } of usual) {
    const html = renderHtml(record, trace);
    const ids = new Set<string>();
    for (const [, id = ''] of html.matchAll(/ id="([^"]*)"/g)) {
      assert.ok(!ids.has(id), id);
      ids.add(id);
    }
    for (const [, link = ''] of html.matchAll(/ href="([^"]*)"/g))
      assert.ok(link.startsWith('#') && ids.has(link.slice(1)), link);
  }
});

test('ctrf.json is valid, and its counts are those of its tests, one for each requirement', () => {
  for (const { record } of all) {
    const report = JSON.parse(renderCtrf(record));
    assert.deepEqual(validate(report).errors ?? [], []);
    const { summary, tests } = report.results;
    assert.deepEqual([summary.tests, tests.length], [record.requirements.length, record.requirements.length]);
    assert.equal(summary.passed + summary.failed + summary.skipped + summary.other, summary.tests);
    const open = record.requirements.filter(({ verdict }) => verdict === 'inconclusive');
    if (record.subject === 'load') assert.equal(summary.other, open.length);
  }
});

test('junit.xml and the badge are valid XML', () => {
  for (const { record } of all) {
    for (const xml of [renderJunit(record), renderBadgeSvg(record)]) {
      assert.equal(XMLValidator.validate(xml), true);
      assert.doesNotMatch(xml, /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    }
    assert.ok('svg' in new XMLParser().parse(renderBadgeSvg(record)));
    assert.deepEqual(Object.keys(JSON.parse(renderBadgeJson(record))), [
      ...['schemaVersion', 'label', 'message', 'color', 'isError'],
    ]);
  }
});
