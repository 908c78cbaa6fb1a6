import { join } from 'node:path';
import { InterruptedError, UserError } from '../../../kernel/basics/errors.ts';
import { withBaseline } from '../../../kernel/findings/gate.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import type { JudgedRun } from '../../../load/judging/run-judge.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { judgeParts } from '../../../load/run/judge-folder.ts';
import type { RunParts } from '../../../load/run/parts.ts';
import { partsLeftIn } from '../../../load/run/parts.ts';
import type { RecordedJob, RecordedLoad } from '../../../load/run/record-load.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { tlsAdvice } from '../../../suites/service/inputs/tls-advice.ts';
import type { Judged, Results } from '../../run/judging.ts';

export async function judgeRecordedLoad({ job }: RecordedLoad): Promise<Judged> {
  const judged = await judgedIn([job.folder], partsLeftIn(job.folder));
  const error = errorOf(judged, job);
  return { ...judged, folder: job.folder, failure: error && { error } };
}

const judgedIn = async (paths: readonly string[], parts?: RunParts): Promise<JudgedRun> =>
  judgeParts(paths, { suite: SUITE, spec: await loadSpecification() }, parts);

/** How k6 marks an error of TLS. */
const OF_TLS = /\b(?:tls|x509): /;

/** Why there is no verdict: the user interrupted the run, or no load was measured, because k6 failed or nothing came from the service. */
function errorOf({ record, trace }: JudgedRun, { folder, caFile }: RecordedJob): Error | undefined {
  const { how, because } = record.ended;
  const where = `The measurements are in ${join(folder, '/')}.`;
  if (how === 'interrupted') return new InterruptedError(`Interrupted: ${because} ${where}`);
  if (how !== 'failed' && !stoppedAtOnce(record, trace)) return undefined;
  const advice = OF_TLS.test(because)
    ? tlsAdvice(because, { given: caFile !== undefined, input: '--ca' })
    : undefined;
  const sentences = [because, advice, where].filter((one) => one !== undefined);
  return new UserError(`The load run failed: ${sentences.join(' ')}`);
}

/** Whether the run stopped without any response of the service to a valid key. */
const stoppedAtOnce = ({ ended }: LoadRecord, { samples }: Trace): boolean =>
  ended.how === 'stopped' &&
  samples.every(({ outcome }) => outcome.kind === 'no-response' || ![200, 201, 429].includes(outcome.status));

/**
 * Judges the samples of a load run again, however the run ended.
 * @param paths folders and files of the run.
 * @throws {UserError} when they are not those of a load run, or cannot be read.
 */
export async function judgeLoadAgain(
  paths: readonly string[],
  { folder, baseline }: Results,
): Promise<Judged> {
  const { record, trace } = await judgedIn(paths);
  return { record: baseline === undefined ? record : withBaseline(record, baseline), trace, folder };
}
