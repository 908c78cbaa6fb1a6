import { isKnown, leavesOutcomeOpen } from '../kernel/findings/findings.ts';
import type { Finding, RunRecord } from '../kernel/findings/record.ts';
import { detailsOf, messageOf, millisecondsOf } from './case-texts.ts';
import { jsonText } from './json.ts';
import { outcomeSentence, outcomeSign } from './outcome.ts';
import { circumstancesOf, testedText } from './subject.ts';

/** The version of the Common Test Report Format that `ctrf.json` keeps. */
const SPEC_VERSION = '0.0.0';

/** The status of a test in this format. */
export type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'other';

/**
 * `ctrf.json`: the record in the Common Test Report Format, one test for each requirement. A violation is `failed`, and
 * `skipped` where a baseline knows it; a MUST that stayed inconclusive is `other`; a warning is `passed` with a message.
 */
export const renderCtrf = (record: RunRecord): string =>
  ctrfOf(record, {
    tests: record.requirements.map((finding) => testOf(finding, record)),
    environment: { appName: testedText(record), testEnvironment: circumstancesOf(record).join(', ') },
    extra: { outcome: outcomeSign(record).word, sentence: outcomeSentence(record), spec: record.spec },
  });

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

/** What a report in this format contains besides its summary. */
interface CtrfResults {
  readonly tests: readonly CtrfTest[];
  readonly environment: object;
  readonly extra: object;
}

/** A report in the Common Test Report Format of these tests, with their counts. */
export function ctrfOf(
  { suite, startedAt, finishedAt }: Pick<RunRecord, 'suite' | 'startedAt' | 'finishedAt'>,
  { tests, environment, extra }: CtrfResults,
): string {
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
      environment,
      extra,
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
