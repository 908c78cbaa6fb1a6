import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { validate } from 'ctrf';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parse as parseJunit } from 'junit2json';
import { parse as parseResults } from 'test-results-parser';
import { virtualRun } from '../evaluation/simulation/virtual-run.ts';
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
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import { loadRecord, serviceRecord } from '../kernel/findings/record.ts';
import type { Trace } from '../load/model/sample.ts';
import { sampleOf } from '../tools/sample.ts';
import { renderBadgeJson, renderBadgeSvg } from './badge.ts';
import { renderCtrf } from './cases.ts';
import { renderJson } from './files.ts';
import { renderHar } from './har.ts';
import { renderHtml } from './html/page.ts';
import { renderJunit } from './junit.ts';

// What each format keeps, whatever was run, whatever came of it, and whatever the target sent.

interface Reported {
  readonly record: RunRecord;
  readonly trace?: Trace;
}

const partial = { selection: { kind: 'quick', requirements: ['LIST-1'] }, outcome: 'incomplete' } as const;

const services = [conforming(), violating(), incomplete(), explained(), wrongTarget(), known()];
const usual: readonly Reported[] = [
  ...services.map((record) => ({ record })),
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

const withVerdict = ({ requirements }: RunRecord, verdict: string): number =>
  requirements.filter((one) => one.verdict === verdict).length;

test('CTRF: a violation fails, a known one is skipped, and what is inconclusive neither passes nor fails', () => {
  const statusOf = (record: RunRecord, id: string): string =>
    JSON.parse(renderCtrf(record)).results.tests.find(({ tags }: { tags: string[] }) => tags.includes(id))
      .status;
  assert.equal(statusOf(violating(), 'RETRY-1'), 'failed');
  assert.equal(statusOf(known(), 'RETRY-1'), 'skipped');
  assert.equal(statusOf(recordWith({ 'LIMIT-2': { verdict: 'inconclusive' } }), 'LIMIT-2'), 'other');
  assert.equal(statusOf(recordWith({ 'HTTP-1': { verdict: 'warn' } }), 'HTTP-1'), 'passed');
});

test('JUnit: a reader in TypeScript finds the same counts, a time for each case and messages of one short line', async () => {
  for (const record of services) {
    const read = await parseJunit(renderJunit(record));
    assert.ok(read !== null && read !== undefined && 'testsuite' in read);
    const cases = (read.testsuite ?? []).flatMap((suite) => suite.testcase ?? []);
    assert.equal(cases.filter(({ failure }) => failure !== undefined).length, Number(read.failures));
    for (const one of cases) {
      assert.ok(Number(one.time) >= 0, one.name);
      for (const { message = '' } of [...(one.failure ?? []), ...(one.error ?? [])]) {
        assert.ok(message.length <= 250 && !message.includes('\n'), message);
      }
    }
  }
});

test('JUnit: the reader of another project finds the same counts', (t) => {
  const folder = temporaryFolder(t);
  for (const [at, record] of services.slice(0, 5).entries()) {
    const path = join(folder, `${at}.xml`);
    writeFileSync(path, renderJunit(record));
    const read = parseResults({ type: 'junit', files: [path] });
    const headline = record.headline === undefined ? 0 : 1;
    // This reader counts what is skipped apart.
    assert.equal(Number(read.total) + Number(read.skipped), record.requirements.length + headline);
    assert.equal(read.failed, withVerdict(record, 'fail'));
  }
});

async function recorded() {
  const { lines } = await virtualRun();
  const [run] = lines;
  assert.ok(run?.kind === 'run');
  return { run, exchanges: lines.filter((line) => line.kind === 'exchange') };
}

test('HAR: the schema of HAR 1.2 accepts a run, and every exchange is an entry', async () => {
  const require = createRequire(import.meta.url);
  const schemas = require('har-schema');
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-06.json'));
  for (const schema of Object.values<object>(schemas)) ajv.addSchema(schema);
  const { run, exchanges } = await recorded();
  const archive = JSON.parse(renderHar(run, exchanges));
  assert.equal(ajv.validate('har.json#', archive), true, ajv.errorsText());
  assert.deepEqual(
    archive.log.entries.map(({ _exchange }: { _exchange: number }) => _exchange),
    exchanges.map(({ n }) => n),
  );
  const [first] = archive.log.entries;
  assert.equal(first.request.url, 'http://127.0.0.1:8080/v1/categories');
  assert.equal(first.response.status, 401);
});

test('HAR: a request without a response and a body that is no text are kept as such', async () => {
  const { run, exchanges } = await recorded();
  const [exchange] = exchanges;
  assert.ok(exchange?.outcome.kind === 'answer');
  const lost = { ...exchange, outcome: { kind: 'no-response', cause: 'reset', detail: 'closed' } as const };
  const body = { text: '/w==', encoding: 'base64', bytes: 1, cut: false } as const;
  const binary = { ...exchange, outcome: { ...exchange.outcome, body } };
  const { entries } = JSON.parse(renderHar(run, [lost, binary])).log;
  assert.deepEqual([entries[0].response.status, entries[0]._noResponse], [0, 'reset']);
  assert.deepEqual(
    [entries[1].response.content.text, entries[1].response.content.encoding],
    ['/w==', 'base64'],
  );
});

test('every name of a report is written down where a user looks for it', () => {
  const page = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
  for (const name of ['ctrf.json', 'badge.svg', 'badge.json']) assert.ok(page.includes(name), name);
});
