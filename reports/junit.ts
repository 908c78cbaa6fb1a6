import type { Finding, RunRecord } from '../suites/model/record.ts';
import { bounded } from './foreign-text.ts';
import { citationOf, keyUseOf, outcomeSentence, VERDICT_SIGNS } from './outcome.ts';
import type { Markup } from './written.ts';
import { markup } from './written.ts';

/** Characters of one text: build servers keep these files whole in memory. */
const TEXT_LIMIT = 4000;

const SUITE = 'petstore-conformance';

/**
 * `junit.xml`: one test suite for each chapter, one test case for each requirement.
 *
 * A violation is a `failure`. A MUST that stayed inconclusive is an `error`, because the run then ends with exit
 * code 3 and a build must not turn green on it. An inconclusive SHOULD and what was not tested are `skipped` with
 * the reason. A warning passes and says so in `system-out`; so do the observations of a chapter.
 */
export function renderJunit(record: RunRecord): string {
  const seconds = secondsOf(record);
  const suites = chaptersOf(record).map((chapter) => testSuite(record, chapter));
  const document = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${SUITE}"${countAttributes(record.requirements)} time="${seconds}">
${suites}</testsuites>
`;
  return document.toString();
}

const secondsOf = ({ startedAt, finishedAt }: RunRecord): string => {
  const milliseconds = Date.parse(finishedAt) - Date.parse(startedAt);
  return (milliseconds > 0 ? milliseconds / 1000 : 0).toFixed(3);
};

const chaptersOf = (record: RunRecord): readonly string[] => [
  ...new Set([...record.requirements, ...record.observations].map((one) => one.chapter)),
];

function testSuite(record: RunRecord, chapter: string): Markup {
  const findings = record.requirements.filter((one) => one.chapter === chapter);
  const observations = record.observations.filter((one) => one.chapter === chapter);
  const notes = observations.map(
    (one) => markup`${one.id} ${one.sentence} ${bounded(one.value, TEXT_LIMIT)}${
      one.warning === undefined ? '' : ` (${bounded(one.warning, TEXT_LIMIT)})`
    }
`,
  );
  return markup`  <testsuite name="${chapter}"${countAttributes(findings)} timestamp="${record.startedAt}">
    <properties>
${propertiesOf(record).map(([name, value]) => markup`      <property name="${name}" value="${value}"/>\n`)}    </properties>
${findings.map(testCase)}${notes.length === 0 ? '' : markup`    <system-out>${notes}</system-out>\n`}  </testsuite>
`;
}

const propertiesOf = (record: RunRecord): readonly (readonly [name: string, value: string])[] => [
  ['suite.version', record.suite.version],
  ['spec.version', record.spec.version],
  ['spec.digest', record.spec.digest],
  ['target', bounded(record.target.baseUrl, TEXT_LIMIT)],
  ['plan', record.target.plan],
  ['key', keyUseOf(record)],
  ['outcome', outcomeSentence(record)],
];

function testCase(finding: Finding): Markup {
  const name = `${finding.id} ${finding.sentence}`;
  const className = `${SUITE}.${finding.id.replace(/-\d+$/, '')}`;
  return markup`    <testcase name="${name}" classname="${className}">${resultOf(finding)}</testcase>\n`;
}

function resultOf(finding: Finding): Markup {
  const because = bounded(finding.because, TEXT_LIMIT);
  switch (finding.verdict) {
    case 'pass':
      return markup``;
    case 'warn':
      return markup`<system-out>Warning: ${detailsOf(finding)}</system-out>`;
    case 'fail':
      return markup`<failure type="${finding.level}" message="${because}">${detailsOf(finding)}</failure>`;
    case 'not-tested':
      return markup`<skipped message="${VERDICT_SIGNS['not-tested'].word}: ${because}"/>`;
    case 'inconclusive':
      if (isError(finding))
        return markup`<error type="inconclusive" message="${because}">${detailsOf(finding)}</error>`;
      return markup`<skipped message="inconclusive: ${because}"/>`;
  }
}

const isError = ({ verdict, level }: Finding): boolean => verdict === 'inconclusive' && level === 'MUST';

const isSkipped = (finding: Finding): boolean =>
  finding.verdict === 'not-tested' || (finding.verdict === 'inconclusive' && !isError(finding));

const detailsOf = (finding: Finding): string =>
  [
    bounded(finding.because, TEXT_LIMIT),
    `${finding.level}, from ${finding.from}`,
    citationOf(finding.exchanges),
    finding.repeat === undefined ? '' : `Repeat: ${bounded(finding.repeat, TEXT_LIMIT)}`,
  ]
    .filter((line) => line !== '')
    .join('\n');

function countAttributes(findings: readonly Finding[]): Markup {
  const failures = findings.filter((one) => one.verdict === 'fail').length;
  const errors = findings.filter(isError).length;
  const skipped = findings.filter(isSkipped).length;
  return markup` tests="${findings.length}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
}
