import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { jsonFields } from '../../../kernel/basics/json.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import { EXCLUSIVE } from '../../../load/judging/run-judge.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import type { AttestedRun, Certified, JudgedAgain } from '../../certificate/attested-run.ts';
import { attestedNames, REPORT, RUN_WORDS } from '../../certificate/attested-run.ts';
import { ambiguityIn, digestsIn, fieldsIn } from './files.ts';
import type { Fields } from './verdicts-in.ts';
import {
  dateProblems,
  differenceProblems,
  eachWithout,
  pageProblems,
  statedReport,
  without,
} from './verdicts-in.ts';

/**
 * The load run in a folder: its file, its report, and the samples of all its runners.
 * @throws {UserError} when the folder cannot be read.
 */
export async function loadRun(folder: string): Promise<AttestedRun> {
  const { findParts } = await import('../../../load/run/parts.ts');
  const base = realpathSync(folder);
  const { samples } = findParts([folder]);
  const nameOf = (path: string): string => relative(base, path).replaceAll('\\', '/');
  const names = [...attestedNames('load'), ...samples.map(nameOf)];
  const fields = fieldsIn(join(folder, REPORT));
  const { evidenceGives } = RUN_WORDS.load;
  return {
    kind: 'load',
    digests: digestsIn(folder, names),
    report: statedReport(fields),
    judgeAgain: async (): Promise<JudgedAgain> => {
      const { judgeParts, linesIn } = await import('../../../load/run/judge-folder.ts');
      const ambiguous: string[] = [];
      for (const path of samples) {
        const lines = linesIn(path, () => undefined);
        ambiguous.push(...(await ambiguityIn(nameOf(path), lines)));
      }
      const { record, trace } = await judgeParts([folder], { suite: SUITE, spec: await loadSpecification() });
      const dates = trace.samples.map(({ sent }) => sent);
      return {
        report: record,
        certified: certifiedOf(record),
        contradictions: [
          ...ambiguous,
          ...dateProblems(record, dates),
          ...countProblems(fields['keys'], record),
          ...endingProblems(fields['ended'], record),
          ...differenceProblems('The report', fields, record, comparableWith(record), evidenceGives),
          ...pageProblems(folder, '.', trace),
        ],
      };
    },
  };
}

const certifiedOf = ({ target, limits, startedAt }: LoadRecord): Certified => ({
  subject: target.baseUrl,
  plan: { name: target.plan, limits },
  bundledServer: target.bundled === true,
  words: 'conforms',
  partial: false,
  startedAt,
});

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

/** Only an ending that the samples show can be signed: any other one is a text of the vendor's. */
function endingProblems(stated: unknown, { ended, remarks }: LoadRecord): readonly string[] {
  if (jsonFields(stated)['how'] !== ended.how)
    return [`The run did not end as the report says. From the samples: ${ended.because}`];
  if (ended.how === 'interrupted' || ended.how === 'failed')
    return ['The run did not come to its end, and the samples do not show why: there is nothing to certify.'];
  return remarks.every((remark) => remark === EXCLUSIVE)
    ? []
    : ['The run has remarks that the samples do not show, so the report cannot be signed.'];
}

/** What the samples and the file of the run decide. Of several runners, the machine is the one that judged. */
const comparableWith =
  ({ environment }: LoadRecord) =>
  (record: Fields): Fields => ({
    ...without(record, [
      ...['baseline', 'outcome'],
      ...(/^\d+ runners /.test(environment.platform) ? ['environment'] : []),
    ]),
    requirements: eachWithout(record['requirements'], ['known', 'verdict']),
    keys: eachWithout(record['keys'], ['sent']),
  });
