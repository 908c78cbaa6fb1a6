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
import { differenceProblems, specificationIn, verdictsIn } from './verdicts-in.ts';

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
  ...(spec === undefined ? {} : { specification: spec }),
  outcome: OUTCOMES[verdict],
  requirements: findings,
});

function reportOf(fields: Readonly<Record<string, unknown>>): AttestedReport | undefined {
  const { version } = jsonFields(fields['suite']);
  const { verdict } = fields;
  const requirements = verdictsIn(fields['findings']);
  if (typeof version !== 'string' || requirements === undefined) return undefined;
  if (verdict !== 'pass' && verdict !== 'fail' && verdict !== 'inconclusive') return undefined;
  const specification = specificationIn(fields['spec']);
  return {
    suiteVersion: version,
    ...(specification === undefined ? {} : { specification }),
    outcome: OUTCOMES[verdict],
    requirements,
  };
}

function contradictions(fields: Readonly<Record<string, unknown>>, again: LoadRecord): readonly string[] {
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
  (again: LoadRecord) =>
  (record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const { environment: _, ended: _ended, verdict: _verdict, keys: _keys, findings, ...others } = record;
    const texts = again.ended.how !== 'failed' && Array.isArray(findings) ? findings : [];
    return {
      ...others,
      findings: texts.map((one) => {
        const { verdict: _one, ...finding } = jsonFields(one);
        return finding;
      }),
      keys: countsOf(record['keys']),
    };
  };

/** Requests of each key, without the count that has a sentence of its own. */
const countsOf = (keys: unknown): unknown =>
  (Array.isArray(keys) ? keys : []).map((one) => {
    const { sent: _, ...counts } = jsonFields(one);
    return counts;
  });
