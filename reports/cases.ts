import { COMMAND } from '../kernel/basics/text.ts';
import { isKnown, leavesOutcomeOpen, repeatOf } from '../kernel/findings/finding.ts';
import type { Finding, RunRecord } from '../kernel/findings/record.ts';
import { jsonText } from './files.ts';
import { causeOf, fixOf, outcomeSentence, outcomeSign, runMilliseconds } from './outcome.ts';
import { circumstancesOf, testedText } from './subject.ts';
import { textsOf } from './timelines.ts';
import { bounded } from './written.ts';

// What formats of test results (JUnit, CTRF) say of a requirement, which is a test case there.

/** A text of at most so many characters as build servers can keep: they hold these files whole in memory. */
export const caseText = (text: string): string => bounded(text, 4000);

const caseMessage = (text: string): string => bounded(text, 240);

export const caseSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** What a list of results shows of a finding: one short line. The details have the complete text. */
export function messageOf(finding: Finding): string {
  if ('expected' in finding)
    return caseMessage(`Expected ${finding.expected}, but received ${finding.received}.`);
  return caseMessage(finding.verdict === 'pass' ? finding.checked : finding.reason);
}

/** How long the exchanges took that a verdict rests on, in milliseconds: the time of a test case. Load is judged on its whole run. */
export function millisecondsOf({ exchanges }: Finding, record: RunRecord): number {
  if (record.subject === 'load') return runMilliseconds(record);
  const cited = new Set(exchanges);
  return record.evidence.reduce((sum, { n, milliseconds }) => (cited.has(n) ? sum + milliseconds : sum), 0);
}

/** The parts of a finding, a line each, then where it comes from and how to see it again. */
export function detailsOf(finding: Finding, record: RunRecord): string {
  const cause = causeOf(finding, record.causes);
  const repeat = repeatOf(finding);
  const lines = [
    ...textsOf(record, finding, fixOf(finding, record.causes)).map(({ label, text }) => `${label}: ${text}`),
    ...(cause === undefined ? [] : [`Cause: ${cause.title} (${cause.requirements.join(', ')})`]),
    `${finding.level}, from ${finding.from}`,
    ...(repeat === undefined ? [] : [`Repeat: ${repeat}`]),
    `More: ${COMMAND} explain ${finding.id}`,
  ];
  return lines.map(caseText).join('\n');
}

/** The version of the Common Test Report Format that `ctrf.json` keeps. */
const SPEC_VERSION = '0.0.0';

type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'other';

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

/** A test of this format; its duration is in milliseconds. */
function testOf(finding: Finding, record: RunRecord) {
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

/** The status of a finding as a test: JUnit counts by it, too. */
export function statusOf(finding: Finding): CtrfStatus {
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
