import type { LoadFinding, LoadRecord } from '../../load/model/record.ts';
import { caseMessage, caseSeconds, caseText } from '../case-texts.ts';
import { runMilliseconds } from '../outcome.ts';
import { versionProperties } from '../versions.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

/**
 * `junit.xml` of a load run: one test case for each expectation. `fail` is a
 * `failure`; `inconclusive` is an `error`, because the command then ends with
 * exit code 3, and a build must not pass.
 */
export function renderLoadJunit(record: LoadRecord): string {
  const { findings, profile, startedAt, suite, target } = record;
  const seconds = caseSeconds(runMilliseconds(record));
  const count = (verdict: LoadFinding['verdict']): number =>
    findings.filter((one) => one.verdict === verdict).length;
  const counts = markup`tests="${findings.length}" failures="${count('fail')}" errors="${count('inconclusive')}" skipped="0"`;
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${suite.name} load" ${counts} time="${seconds}">
  <testsuite name="load ${profile}" ${counts} time="${seconds}" timestamp="${startedAt}">
    <properties>
${versionProperties(record).map(([name, value]) => markup`      <property name="${name}" value="${value}"/>\n`)}      <property name="target" value="${caseText(target.baseUrl)}"/>
      <property name="plan" value="${caseText(target.plan)}"/>
    </properties>
${findings.map((one) => testCase(one, record, seconds))}  </testsuite>
</testsuites>
`.toString();
}

/** Every expectation is judged on the whole run, so each case takes as long as the run. */
function testCase(finding: LoadFinding, { suite, profile }: LoadRecord, seconds: string): Markup {
  return markup`    <testcase name="${finding.id} ${finding.expected}" classname="${suite.name}.load.${profile}" time="${seconds}">${result(finding)}</testcase>\n`;
}

function result({ verdict, because }: LoadFinding): Markup {
  const text = caseText(because);
  const message = caseMessage(because);
  switch (verdict) {
    case 'pass':
      return markup``;
    case 'fail':
      return markup`<failure type="fail" message="${message}">${text}</failure>`;
    case 'inconclusive':
      return markup`<error type="inconclusive" message="${message}">${text}</error>`;
  }
}
