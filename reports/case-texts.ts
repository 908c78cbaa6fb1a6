import { partsOf } from '../suites/model/finding-text.ts';
import { repeatOf } from '../suites/model/findings.ts';
import type { Finding, RunRecord } from '../suites/model/record.ts';
import { bounded } from './foreign-text.ts';
import { causeOf, citationOf, fixOf } from './outcome.ts';
import { pageCommand } from './page-command.ts';
import { citedTimelines, timelineText } from './timelines/line.ts';

// What formats of test results (JUnit, CTRF) say of a requirement, which is a test case there.

/** Characters of one text: build servers keep these files whole in memory. */
const TEXT_LIMIT = 4000;

/** Characters of a message, which lists of test results show on one line. */
const MESSAGE_LIMIT = 160;

/** What a list of results shows of a finding: one short line. The details have the complete text. */
export function messageOf(finding: Finding): string {
  switch (finding.verdict) {
    case 'fail':
    case 'warn':
      return bounded(`Expected ${finding.expected}, but received ${finding.received}.`, MESSAGE_LIMIT);
    case 'inconclusive':
    case 'not-tested':
      return bounded(finding.reason, MESSAGE_LIMIT);
    case 'pass':
      return bounded(finding.checked, MESSAGE_LIMIT);
  }
}

/** How long the exchanges took that a verdict rests on, in milliseconds: the time of a test case. */
export function millisecondsOf({ exchanges }: Finding, { evidence }: RunRecord): number {
  const cited = new Set(exchanges);
  return evidence.reduce((sum, { n, milliseconds }) => (cited.has(n) ? sum + milliseconds : sum), 0);
}

/** The parts of a finding, a line each, then where it comes from and how to see it again. */
export function detailsOf(finding: Finding, record: RunRecord): string {
  const { causes } = record;
  const cause = causeOf(finding, causes);
  const fix = fixOf(finding, causes);
  const repeat = repeatOf(finding);
  const lines = [
    ...partsOf(finding).map(({ label, text }) => bounded(`${label}: ${text}`, TEXT_LIMIT)),
    cause === undefined
      ? ''
      : bounded(`Cause: ${cause.title} (${cause.requirements.join(', ')})`, TEXT_LIMIT),
    fix === undefined ? '' : bounded(`Fix: ${fix}`, TEXT_LIMIT),
    `${finding.level}, from ${finding.from}`,
    citationOf(finding.exchanges),
    ...citedTimelines(record, finding).map((one) => bounded(timelineText(one), TEXT_LIMIT)),
    repeat === undefined ? '' : `Repeat: ${bounded(repeat, TEXT_LIMIT)}`,
    `More: ${pageCommand(finding.id)}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}
