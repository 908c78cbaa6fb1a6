import { isKnown, leavesOutcomeOpen } from '../kernel/findings/findings.ts';
import type { Finding, RunRecord } from '../kernel/findings/record.ts';
import { caseText, detailsOf, messageOf, millisecondsOf } from './case-texts.ts';
import { jsonText } from './json.ts';
import { outcomeSentence, outcomeSign } from './outcome.ts';
import { circumstancesOf, testedText } from './subject.ts';

/** The version of the Common Test Report Format that `ctrf.json` keeps. */
const SPEC_VERSION = '0.0.0';

/** The status of a test in this format. */
type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'other';

/** A test of this format. */
interface CtrfTest {
  readonly name: string;
  readonly status: CtrfStatus;
  /** Milliseconds. */
  readonly duration: number;
  readonly suite: readonly string[];
  readonly rawStatus: string;
  readonly tags: readonly string[];
  readonly message?: string;
  readonly trace?: string;
}

/**
 * `ctrf.json`: the record in the Common Test Report Format, one test for each requirement. A violation is `failed`, and
 * `skipped` where a baseline knows it; a MUST that stayed inconclusive is `other`; a warning is `passed` with a message.
 */
export function renderCtrf(record: RunRecord): string {
  const { suite, startedAt, finishedAt, spec } = record;
  const tests = record.requirements.map((finding) => testOf(finding, record));
  const [start, stop] = [Date.parse(startedAt), Date.parse(finishedAt)];
  const count = (status: CtrfStatus): number => tests.filter((one) => one.status === status).length;
  return jsonText({
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    generatedBy: suite.name,
    results: {
      tool: { name: suite.name, version: suite.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        start,
        stop: Math.max(start, stop),
      },
      tests,
      environment: {
        appName: caseText(testedText(record)),
        testEnvironment: caseText(circumstancesOf(record).join(', ')),
      },
      extra: { outcome: outcomeSign(record).word, sentence: outcomeSentence(record), spec },
    },
  });
}

function testOf(finding: Finding, record: RunRecord): CtrfTest {
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

function statusOf(finding: Finding): CtrfStatus {
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
