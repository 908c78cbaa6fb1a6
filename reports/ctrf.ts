import { isKnown, leavesOutcomeOpen } from '../suites/model/findings.ts';
import type { Finding, RunRecord } from '../suites/model/record.ts';
import { detailsOf, messageOf, millisecondsOf } from './case-texts.ts';
import { jsonText } from './json.ts';
import { outcomeSentence } from './outcome.ts';
import { circumstancesOf, testedText } from './subject.ts';

/** The version of the Common Test Report Format that `ctrf.json` keeps. */
const SPEC_VERSION = '0.0.0';

type Status = 'passed' | 'failed' | 'skipped' | 'other';

/**
 * `ctrf.json`: the record in the Common Test Report Format, one test for each requirement. A violation is `failed`, and
 * `skipped` where a baseline knows it; a MUST that stayed inconclusive is `other`; a warning is `passed` with a message.
 */
export function renderCtrf(record: RunRecord): string {
  const [start, stop] = [Date.parse(record.startedAt), Date.parse(record.finishedAt)];
  const count = (status: Status): number =>
    record.requirements.filter((one) => statusOf(one) === status).length;
  return jsonText({
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    generatedBy: record.suite.name,
    results: {
      tool: { name: record.suite.name, version: record.suite.version },
      summary: {
        tests: record.requirements.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        start,
        stop: Math.max(start, stop),
      },
      tests: record.requirements.map((finding) => testOf(finding, record)),
      environment: { appName: testedText(record), testEnvironment: circumstancesOf(record).join(', ') },
      extra: { outcome: record.outcome, sentence: outcomeSentence(record), spec: record.spec },
    },
  });
}

function testOf(finding: Finding, record: RunRecord): object {
  const { id, level, chapter, sentence, verdict } = finding;
  return {
    name: `${id} ${sentence}`,
    status: statusOf(finding),
    duration: Math.round(millisecondsOf(finding, record)),
    suite: [chapter],
    rawStatus: isKnown(finding) ? 'known violation' : verdict,
    tags: [id, level],
    ...(verdict === 'pass' ? {} : { message: messageOf(finding), trace: detailsOf(finding, record) }),
  };
}

function statusOf(finding: Finding): Status {
  switch (finding.verdict) {
    case 'pass':
    case 'warn':
      return 'passed';
    case 'fail':
      return isKnown(finding) ? 'skipped' : 'failed';
    case 'inconclusive':
      return leavesOutcomeOpen(finding) ? 'other' : 'skipped';
    case 'not-tested':
      return 'skipped';
  }
}
