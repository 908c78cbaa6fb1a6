import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate } from 'ctrf';
import { XMLValidator } from 'fast-xml-parser';
import { emptyLoadRun, loadRun } from '../../evaluation/testing/reports/load-runs.ts';
import { HOSTILE } from '../../evaluation/testing/reports/records.ts';
import { renderBadgeJson, renderBadgeSvg } from '../badge.ts';
import { renderCtrf } from '../ctrf.ts';

const verdicts = [loadRun(), loadRun('x', 'conforms'), loadRun('x', 'incomplete'), emptyLoadRun()];
const runs = [...verdicts, ...HOSTILE.map((text) => loadRun(text))];

test('ctrf.json has one test for each expectation, and is valid whatever the target sent', () => {
  for (const { record } of runs) {
    const report = JSON.parse(renderCtrf(record));
    assert.deepEqual(validate(report).errors ?? [], []);
    const { tests, summary } = report.results;
    assert.deepEqual(
      tests.map(({ rawStatus }: { rawStatus: string }) => rawStatus),
      record.requirements.map(({ verdict }) => verdict),
    );
    assert.equal(summary.failed, record.requirements.filter(({ verdict }) => verdict === 'fail').length);
    assert.equal(
      summary.other,
      record.requirements.filter(({ verdict }) => verdict === 'inconclusive').length,
    );
  }
});

test('the badge names the profile and its verdict, as valid SVG', () => {
  for (const { record } of runs) {
    const { message, isError } = JSON.parse(renderBadgeJson(record));
    const count = record.outcome === 'violates' ? ' 1' : '';
    assert.equal(message, `load ${record.profile}: ${record.outcome}${count}`);
    assert.equal(isError, record.outcome === 'violates');
    assert.equal(XMLValidator.validate(renderBadgeSvg(record)), true);
  }
});
