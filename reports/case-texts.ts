import { partsOf } from '../kernel/findings/finding-text.ts';
import { repeatOf } from '../kernel/findings/findings.ts';
import type { Finding, RunRecord } from '../kernel/findings/record.ts';
import { bounded } from './foreign-text.ts';
import { causeOf, citationOf, fixOf, runMilliseconds } from './outcome.ts';
import { pageCommand } from './page-command.ts';
import { citedTimelines, timelineText } from './timelines/line.ts';

// What formats of test results (JUnit, CTRF) say of a requirement, which is a test case there.

/** A text of at most so many characters as build servers can keep: they hold these files whole in memory. */
export const caseText = (text: string): string => bounded(text, 4000);

/** A text that lists of test results show on one line. */
export const caseMessage = (text: string): string => bounded(text, 160);

/** A duration in seconds, as these files state it. */
export const caseSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** What a list of results shows of a finding: one short line. The details have the complete text. */
export function messageOf(finding: Finding): string {
  switch (finding.verdict) {
    case 'fail':
    case 'warn':
      return caseMessage(`Expected ${finding.expected}, but received ${finding.received}.`);
    case 'inconclusive':
    case 'not-tested':
      return caseMessage(finding.reason);
    case 'pass':
      return caseMessage(finding.checked);
  }
}

/** How long the exchanges took that a verdict rests on, in milliseconds: the time of a test case. Load is judged on its whole run. */
export function millisecondsOf({ exchanges }: Finding, record: RunRecord): number {
  if (record.subject === 'load') return runMilliseconds(record);
  const cited = new Set(exchanges);
  return record.evidence.reduce((sum, { n, milliseconds }) => (cited.has(n) ? sum + milliseconds : sum), 0);
}

/** The parts of a finding, a line each, then where it comes from and how to see it again. */
export function detailsOf(finding: Finding, record: RunRecord): string {
  const { causes } = record;
  const cause = causeOf(finding, causes);
  const fix = fixOf(finding, causes);
  const repeat = repeatOf(finding);
  const lines = [
    ...partsOf(finding).map(({ label, text }) => `${label}: ${text}`),
    cause === undefined ? '' : `Cause: ${cause.title} (${cause.requirements.join(', ')})`,
    fix === undefined ? '' : `Fix: ${fix}`,
    `${finding.level}, from ${finding.from}`,
    citationOf(finding.exchanges),
    ...citedTimelines(record, finding).map(timelineText),
    repeat === undefined ? '' : `Repeat: ${repeat}`,
    `More: ${pageCommand(finding.id)}`,
  ];
  return lines
    .filter((line) => line !== '')
    .map(caseText)
    .join('\n');
}
