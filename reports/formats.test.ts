import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse as parseJunit } from 'junit2json';
import { parse as parseResults } from 'test-results-parser';
import { virtualRun } from '../evaluation/simulation/virtual-run.ts';
import {
  conforming,
  explained,
  incomplete,
  known,
  recordWith,
  violating,
  wrongTarget,
} from '../evaluation/testing/reports/records.ts';
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import { renderCtrf } from './cases.ts';
import { renderHar } from './har.ts';
import { renderJunit } from './junit.ts';

const records = (): readonly RunRecord[] => [
  conforming(),
  violating(),
  incomplete(),
  explained(),
  wrongTarget(),
  known(),
];

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
  for (const record of records()) {
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
  for (const [at, record] of records().slice(0, 5).entries()) {
    const path = join(folder, `${at}.xml`);
    writeFileSync(path, renderJunit(record));
    const read = parseResults({ type: 'junit', files: [path] });
    const headline = record.headline === undefined ? 0 : 1;
    // This reader counts what is skipped apart.
    assert.equal(Number(read.total) + Number(read.skipped), record.requirements.length + headline);
    assert.equal(read.failed, withVerdict(record, 'fail'));
  }
});

test('HAR: the schema of HAR 1.2 accepts a run, and every exchange is an entry', async () => {
  const require = createRequire(import.meta.url);
  const schemas = require('har-schema');
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-06.json'));
  for (const schema of Object.values<object>(schemas)) ajv.addSchema(schema);
  const { lines } = await virtualRun();
  const [run] = lines;
  assert.ok(run?.kind === 'run');
  const exchanges = lines.filter((line) => line.kind === 'exchange');
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
  const { lines } = await virtualRun();
  const [run] = lines;
  const exchange = lines.find((line) => line.kind === 'exchange');
  assert.ok(run?.kind === 'run' && exchange !== undefined && exchange.outcome.kind === 'answer');
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
