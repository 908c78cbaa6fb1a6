import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { AttestedReport, AttestedRun, JudgedAgain } from '../../attestation/attested-run.ts';
import { attestedNames, RUN_WORDS } from '../../attestation/attested-run.ts';
import type { LoadRecord, LoadVerdict } from '../../load/model/record.ts';
import { renderLoadHtml } from '../../reports/load/html/page.ts';
import { readLoadReport } from '../../reports/load/read.ts';
import { ownSpecification } from '../../spec/specification.ts';
import { SUITE } from '../../suites/model/suite.ts';
import { jsonFields } from '../../words/json.ts';
import { countOf } from '../../words/text.ts';
import { digestsIn, fieldsIn } from './files.ts';
import { pageProblems } from './page-problems.ts';
import type { Fields } from './verdicts-in.ts';
import { differenceProblems, eachWithout, statedReport, without } from './verdicts-in.ts';

const WORDS = RUN_WORDS.load;
const PAGE = { page: 'load-report.html', report: WORDS.report } as const;

/** What a verdict of load means for a certificate. */
const OUTCOMES = {
  pass: 'conforms',
  fail: 'violates',
  inconclusive: 'incomplete',
} as const satisfies Record<LoadVerdict, AttestedReport['outcome']>;

/**
 * The load run in a folder: its file, its report, and the samples of all its runners.
 * @throws {RunFolderError} when the folder cannot be read.
 */
export async function loadRun(folder: string): Promise<AttestedRun> {
  const { findParts } = await import('../../load/run/parts/find-parts.ts');
  const base = realpathSync(folder);
  const { samples } = findParts([folder]);
  const names = [
    ...attestedNames('load'),
    ...samples.map((path) => relative(base, path).replaceAll('\\', '/')),
  ];
  const fields = fieldsIn(join(folder, WORDS.report));
  return {
    kind: 'load',
    digests: digestsIn(folder, names),
    report: reportOf(fields),
    judgeAgain: async (): Promise<JudgedAgain> => {
      const { judgeParts } = await import('../../load/run/judge-folder.ts');
      const { record, trace } = await judgeParts([folder], { suite: SUITE, spec: await ownSpecification() });
      return {
        report: attested(record),
        contradictions: [
          ...contradictions(fields, record),
          ...pageProblems(folder, PAGE, () => renderLoadHtml(readLoadReport(folder), trace)),
        ],
      };
    },
  };
}

const attested = ({ suite, spec, verdict, findings }: LoadRecord): AttestedReport => ({
  suiteVersion: suite.version,
  specification: spec,
  outcome: OUTCOMES[verdict],
  isPartial: false,
  requirements: findings,
});

function reportOf(fields: Fields): AttestedReport | undefined {
  const { verdict } = fields;
  const isVerdict = verdict === 'pass' || verdict === 'fail' || verdict === 'inconclusive';
  return statedReport(fields, isVerdict ? OUTCOMES[verdict] : undefined, fields['findings']);
}

function contradictions(fields: Fields, again: LoadRecord): readonly string[] {
  return [
    ...countProblems(fields['keys'], again),
    ...endingProblems(fields['ended'], again),
    ...differenceProblems('The report', fields, again, comparableWith(again), WORDS.evidenceGives),
  ];
}

/** Every request has a sample, so that a removed one shows. */
function countProblems(stated: unknown, { keys }: LoadRecord): readonly string[] {
  const counts = new Map(
    (Array.isArray(stated) ? stated : []).map((one) => {
      const { key, sent } = jsonFields(one);
      return [key, sent] as const;
    }),
  );
  return keys.flatMap(({ key, sent }) => {
    const before = counts.get(key);
    return typeof before !== 'number' || before === sent
      ? []
      : [`Key ${key}: the report counts ${countOf(before, 'request')}, and the samples hold ${sent}.`];
  });
}

function endingProblems(stated: unknown, { ended }: LoadRecord): readonly string[] {
  return jsonFields(stated)['how'] === ended.how
    ? []
    : [`The run did not end as the report says. From the samples: ${ended.because}`];
}

/**
 * What the samples decide. They say nothing about the machine; why a run failed may name a path of the machine that
 * judged; and sentences of their own are about counts, the ending and the verdicts.
 */
const comparableWith =
  ({ ended }: LoadRecord) =>
  (record: Fields): Fields => ({
    ...without(record, ['environment', 'ended', 'verdict']),
    findings: eachWithout(ended.how === 'failed' ? [] : record['findings'], ['verdict']),
    keys: eachWithout(record['keys'], ['sent']),
  });
