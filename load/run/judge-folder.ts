import { join } from 'node:path';
import { fileTrouble } from '../../words/file-trouble.ts';
import { judgeLoad } from '../judging/judge.ts';
import type { LoadEnding, LoadRecord } from '../model/record.ts';
import type { Trace } from '../model/sample.ts';
import { findProfile } from '../profiles/index.ts';
import type { LoadRunFile } from './run-file.ts';
import { RunFolderError, readRunFile } from './run-file.ts';
import { readSamples, SAMPLES_FILE } from './sample-files.ts';

/** The file of a run that has ended. */
type EndedRunFile = LoadRunFile & { readonly end: NonNullable<LoadRunFile['end']> };

/** A load run that was judged from its folder. */
export interface JudgedFolder {
  readonly record: LoadRecord;
  readonly trace: Trace;
}

/**
 * Judges the samples of a run again, also those of a run whose program was
 * killed. The record is the same as that of the run, apart from changes of the judges.
 * @throws {RunFolderError} when the folder does not hold a load run that can be read.
 */
export async function judgeFolder(folder: string): Promise<JudgedFolder> {
  const run = readRunFile(folder);
  const { trace, damage } = await samplesIn(folder);
  const end = {
    ...endingOf(run, damage),
    finishedAt: run.end?.finishedAt ?? lastMoment(run, trace),
    ...(run.end?.remarks === undefined ? {} : { remarks: run.end.remarks }),
  };
  return { record: judgeRun({ ...run, end }, trace), trace };
}

/** Judges a run that has ended, by its file and its samples. Pure. */
export function judgeRun(run: EndedRunFile, trace: Trace): LoadRecord {
  const { suite, target, product, profile, inputs, latencyThresholdMs, thresholds, startedAt, environment } =
    run;
  const { finishedAt, remarks, ...ended } = run.end;
  const record = judgeLoad({
    ...{ suite, target, inputs, trace, ended, startedAt, finishedAt, environment },
    profile: findProfile(profile),
    ...(latencyThresholdMs === null ? {} : { latencyThresholdMs }),
    ...(thresholds === undefined ? {} : { thresholds }),
    ...(remarks === undefined ? {} : { remarks }),
  });
  return product === undefined ? record : { ...record, product };
}

async function samplesIn(folder: string) {
  try {
    return await readSamples(folder);
  } catch (error) {
    throw new RunFolderError(
      `The samples in ${join(folder, SAMPLES_FILE)} cannot be read: ${fileTrouble(error)}. Name the folder of a load run.`,
      { cause: error },
    );
  }
}

/** How the run ended. Samples that were damaged after a complete run are not complete any more. */
function endingOf({ end }: LoadRunFile, damage: readonly string[]): LoadEnding {
  if (end === null)
    return {
      how: 'interrupted',
      because: 'The program was killed before the run ended; its samples up to then are judged.',
    };
  const { how, because } = end;
  const [first] = damage;
  if (how !== 'finished' || first === undefined) return { how, because };
  return { how: 'failed', because: `The samples of k6 are damaged: ${first}` };
}

/** When the last recorded response arrived; the start where there is none. ISO 8601. */
function lastMoment({ startedAt }: LoadRunFile, { samples }: Trace): string {
  const last = samples.reduce((latest, { received }) => Math.max(latest, received), Number.NEGATIVE_INFINITY);
  return Number.isFinite(last) ? new Date(last).toISOString() : startedAt;
}
