import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate } from 'ctrf';
import { XMLValidator } from 'fast-xml-parser';
import { emptyLoadRun, loadRun } from '../../evaluation/testing/reports/load-runs.ts';
import { HOSTILE } from '../../evaluation/testing/reports/records.ts';
import { renderLoadBadgeJson, renderLoadBadgeSvg } from './badge.ts';
import { renderLoadCtrf } from './ctrf.ts';

const verdicts = [loadRun(), loadRun('x', 'pass'), loadRun('x', 'inconclusive'), emptyLoadRun()];
const runs = [...verdicts, ...HOSTILE.map((text) => loadRun(text))];

test('ctrf.json has one test for each expectation, and is valid whatever the target sent', () => {
  for (const { record } of runs) {
    const report = JSON.parse(renderLoadCtrf(record));
    assert.deepEqual(validate(report).errors ?? [], []);
    const { tests, summary } = report.results;
    assert.deepEqual(
      tests.map(({ rawStatus }: { rawStatus: string }) => rawStatus),
      record.findings.map(({ verdict }) => verdict),
    );
    assert.equal(summary.failed, record.findings.filter(({ verdict }) => verdict === 'fail').length);
    assert.equal(summary.other, record.findings.filter(({ verdict }) => verdict === 'inconclusive').length);
  }
});

test('the badge names the profile and its verdict, as valid SVG', () => {
  for (const { record } of runs) {
    const { message, isError } = JSON.parse(renderLoadBadgeJson(record));
    assert.equal(message, `load ${record.profile}: ${record.verdict}`);
    assert.equal(isError, record.verdict === 'fail');
    assert.equal(XMLValidator.validate(renderLoadBadgeSvg(record)), true);
  }
});
