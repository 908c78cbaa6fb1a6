import { leavesOutcomeOpen } from '../kernel/findings/finding.ts';
import { acceptanceText } from '../kernel/findings/finding-text.ts';
import type { Finding, Headline, RunRecord } from '../kernel/findings/record.ts';
import { baselineSentences } from './baseline.ts';
import { caseSeconds, caseText, detailsOf, messageOf, millisecondsOf, statusOf } from './cases.ts';
import { outcomeSentence, runMilliseconds, VERDICT_SIGNS } from './outcome.ts';
import { subjectFacts } from './subject.ts';
import type { Markup } from './written.ts';
import { markup } from './written.ts';

const SUITE = 'petstore-conformance';

/**
 * `junit.xml`: one suite for each chapter, one case for each requirement. A violation is a `failure`, and `skipped`
 * where a baseline knows it; a MUST that stayed inconclusive is an `error`, because the run ends with exit code 3 and
 * no build may turn green on it; what was not tested is `skipped`; a warning passes, with its text in `system-out`.
 */
export function renderJunit(record: RunRecord): string {
  const chapters = new Set([...record.requirements, ...record.observations].map((one) => one.chapter));
  const suites = [...chapters].map((chapter) => testSuite(record, chapter));
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${SUITE}"${countAttributes(record.requirements, record)} time="${caseSeconds(runMilliseconds(record))}">
${runSuite(record)}${suites}</testsuites>
`.toString();
}

const HEADLINE_CASES = {
  service: 'The target, its key and its plan',
  client: 'The client and its command',
  load: 'The target, its keys and their plan',
} as const;

/** What the run as a whole has against the target: its headline, and a baseline that is out of date. */
function runSuite(record: RunRecord): Markup {
  const { headline, startedAt } = record;
  if (headline === undefined && !isOutOfDate(record)) return markup``;
  return markup`  <testsuite name="Run"${countAttributes([], record)} timestamp="${startedAt}">
${headline === undefined ? '' : headlineCase(headline, record)}${isOutOfDate(record) ? baselineCase(record) : ''}  </testsuite>
`;
}

function headlineCase(headline: Headline, { subject }: RunRecord): Markup {
  const text = caseText(headline.text);
  return markup`    <testcase name="${HEADLINE_CASES[subject]}" classname="${SUITE}.RUN" time="0.000"><error type="${headline.kind}" message="${text}">${text}
${caseText(headline.fix)}</error></testcase>
`;
}

/** A violation that is not known or expired fails by itself; a stale entry has no case that could. */
const isOutOfDate = ({ baseline }: RunRecord): boolean => (baseline?.stale.length ?? 0) > 0;

function baselineCase(record: RunRecord): Markup {
  const text = caseText(baselineSentences(record).join(' '));
  return markup`    <testcase name="The baseline" classname="${SUITE}.RUN" time="0.000"><failure type="baseline" message="${text}">${text}</failure></testcase>
`;
}

function testSuite(record: RunRecord, chapter: string): Markup {
  const findings = record.requirements.filter((one) => one.chapter === chapter);
  const observations = record.observations.filter((one) => one.chapter === chapter);
  const notes = observations.map(
    (one) => markup`${one.id} ${one.sentence} ${caseText(one.value)}${
      one.warning === undefined ? '' : ` (${caseText(one.warning)})`
    }${one.advice === undefined ? '' : ` Advice: ${caseText(one.advice)}`}
`,
  );
  return markup`  <testsuite name="${chapter}"${countAttributes(findings)} timestamp="${record.startedAt}">
    <properties>
${propertiesOf(record).map(([name, value]) => markup`      <property name="${name}" value="${value}"/>\n`)}    </properties>
${findings.map((one) => testCase(one, record))}${notes.length === 0 ? '' : markup`    <system-out>${notes}</system-out>\n`}  </testsuite>
`;
}

const propertiesOf = (record: RunRecord): readonly (readonly [name: string, value: string])[] => [
  ['suite.version', record.suite.version],
  ['spec.version', record.spec.version],
  ['spec.digest', record.spec.digest],
  ...subjectFacts(record).map(([name, value]) => [name.toLowerCase(), caseText(value)] as const),
  ['outcome', outcomeSentence(record)],
];

function testCase(finding: Finding, record: RunRecord): Markup {
  const name = `${finding.id} ${finding.sentence}`;
  const seconds = caseSeconds(millisecondsOf(finding, record));
  const className = `${SUITE}.${record.subject === 'load' ? `load.${record.profile}` : finding.id.replace(/-\d+$/, '')}`;
  return markup`    <testcase name="${name}" classname="${className}" time="${seconds}">${resultOf(finding, record)}</testcase>\n`;
}

function resultOf(finding: Finding, record: RunRecord): Markup {
  switch (finding.verdict) {
    case 'pass':
      return markup``;
    case 'warn':
      return markup`<system-out>${VERDICT_SIGNS.warn.word}: ${detailsOf(finding, record)}</system-out>`;
    case 'fail':
      if (finding.known !== undefined)
        return markup`<skipped message="known violation, ${caseText(acceptanceText(finding.known))}"/><system-out>${detailsOf(finding, record)}</system-out>`;
      return markup`<failure type="${finding.level}" message="${messageOf(finding)}">${detailsOf(finding, record)}</failure>`;
    case 'not-tested':
      return markup`<skipped message="${VERDICT_SIGNS['not-tested'].word}: ${caseText(finding.reason)}"/>`;
    case 'inconclusive':
      if (leavesOutcomeOpen(finding))
        return markup`<error type="inconclusive" message="${messageOf(finding)}">${detailsOf(finding, record)}</error>`;
      return markup`<skipped message="${VERDICT_SIGNS.inconclusive.word}: ${caseText(finding.reason)}"/>`;
  }
}

function countAttributes(findings: readonly Finding[], record?: RunRecord): Markup {
  const more = record?.headline === undefined ? 0 : 1;
  const outOfDate = record !== undefined && isOutOfDate(record) ? 1 : 0;
  const count = (status: string): number => findings.filter((one) => statusOf(one) === status).length;
  return markup` tests="${findings.length + more + outOfDate}" failures="${count('failed') + outOfDate}" errors="${count('other') + more}" skipped="${count('skipped')}"`;
}
