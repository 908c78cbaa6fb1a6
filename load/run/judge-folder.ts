import { createReadStream, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { createGunzip } from 'node:zlib';
import { UserError } from '../../kernel/basics/errors.ts';
import { countOf } from '../../kernel/basics/text.ts';
import { fileTrouble } from '../../kernel/basics/user-files.ts';
import type { LoadEnding } from '../../kernel/findings/load.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import type { JudgedRun, RunEnd } from '../judging/run-judge.ts';
import { RunJudge } from '../judging/run-judge.ts';
import type { LoadRunFile } from '../model/run-file.ts';
import { findProfile } from '../profiles/index.ts';
import { KeySpool, keyIn, keyRecords } from './key-records.ts';
import { Arrival, findParts } from './parts.ts';
import { readRunFileAt, recordedFiles } from './run-file.ts';

export type Judging = Pick<LoadRecord, 'suite' | 'spec'>;

/** What a report has to say where another version judges than the one that recorded the run. */
function otherJudgeRemarks(recorded: Judging, judging: Judging): readonly string[] {
  const nameOf = ({ suite, spec }: Judging): string =>
    `version ${suite.version} of the suite, with the specification ${spec.digest}`;
  const [before, now] = [recorded, judging].map(nameOf);
  return before === now
    ? []
    : [
        `The run was recorded by ${before}, and judged by ${now}. What only one of the two judges shows in this report.`,
      ];
}

const PIECE_BYTES = 1 << 20;

/** Characters that a record never has; a compressed file may hold a line without an end. */
const MOST_LINE = 1 << 20;

/**
 * The lines of a file of samples, compressed or not, piece by piece: to its end, or as far as it goes, because the rest
 * of a run can still be judged.
 * @param onDamage is called with what is wrong with the file, as the end of a sentence: "… is cut".
 */
export async function* linesIn(
  path: string,
  onDamage: (problem: string) => void,
): AsyncGenerator<readonly string[]> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return onDamage('is not a file');
  let rest = '';
  try {
    const file = createReadStream(path, { highWaterMark: PIECE_BYTES });
    const bytes = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
    file.on('error', (error) => bytes.destroy(error));
    bytes.setEncoding('utf8');
    for await (const piece of bytes as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      yield lines;
      if (rest.length > MOST_LINE) return onDamage('has a line that is longer than any record');
    }
  } catch (error) {
    return onDamage(`cannot be read to its end: ${fileTrouble(error)}`);
  }
  if (rest !== '') onDamage('is cut in its last line');
}

/**
 * Judges the samples of a run again: of a run of this machine, also one whose program was killed, or those that
 * several runners recorded. Reads them key by key, so that memory does not grow with their number.
 * @param paths folders or files of the run; one of them holds its `load-run.json`.
 * @param judging the program that judges now, which another version may have recorded for.
 * @throws {UserError} when they are not those of a load run, or cannot be read.
 */
export async function judgeParts(
  paths: readonly string[],
  judging: Judging,
  { samples, runFiles } = findParts(paths),
): Promise<JudgedRun> {
  const [run, runFile] = theRun(runFiles, paths);
  // A run of this machine may have ended before its first request.
  if (samples.length === 0 && run.end === null)
    throw new UserError(
      `There are no samples in ${paths.join(', ')}: name the folder of a load run, or the files that its runners wrote.`,
    );
  const spool = new KeySpool(paths);
  const profile = findProfile(run.profile);
  const arrival = new Arrival(profile.scenarios(run.inputs), run.runners ?? 1);
  try {
    await readAll(samples, spool, arrival);
    const recorded = recordedFiles(runFile, samples);
    const judge = new RunJudge({ ...withMachine(run), profile, recorded });
    for (const [key, lines] of spool.keys()) {
      const records = keyRecords(key, lines);
      arrival.note(records);
      judge.add(records.trace);
    }
    const end = endOf(run, arrival);
    return judge.conclude({ ...end, remarks: [...(end.remarks ?? []), ...otherJudgeRemarks(run, judging)] });
  } finally {
    spool.remove();
  }
}

async function readAll(samples: readonly string[], spool: KeySpool, arrival: Arrival): Promise<void> {
  for (const path of samples) {
    let others = 0;
    const pieces = linesIn(path, (problem) => arrival.problem(`${path} ${problem}`));
    for await (const lines of pieces) {
      for (const line of lines) {
        const key = keyIn(line);
        if (key === undefined) others += 1;
        else spool.add(key, line);
      }
    }
    if (others > 0) arrival.problem(`${path} holds ${countOf(others, 'line')} of another kind`);
  }
}

/** When and how the run ended: as its file says, unless the samples say otherwise. */
function endOf({ startedAt, end, runners }: LoadRunFile, arrival: Arrival): RunEnd {
  const { span } = arrival;
  const iso = (at: number | undefined): string => (at === undefined ? startedAt : new Date(at).toISOString());
  const found = arrival.ending();
  if (runners !== undefined)
    return { ended: found, startedAt: iso(span?.from), finishedAt: iso(span?.until) };
  const finishedAt = end?.finishedAt ?? iso(span?.until);
  return { ended: endedHere(end, found), startedAt, finishedAt, remarks: end?.remarks ?? [] };
}

/**
 * How a run of this machine ended, in the words that follow from the samples where they show it. Samples that were
 * damaged after a complete run are not complete any more.
 */
function endedHere(end: LoadRunFile['end'], found: LoadEnding): LoadEnding {
  if (end === null)
    return {
      how: 'interrupted',
      because: 'The program was killed before the run ended; its samples up to then are judged.',
    };
  const { how, because } = end;
  if (how === 'finished' && found.how !== 'finished') return { how: 'failed', because: found.because };
  return how === found.how && how !== 'failed' ? found : { how, because };
}

/** Of several runners, only this machine is known, which judges. */
function withMachine(run: LoadRunFile): LoadRunFile {
  if (run.runners === undefined) return run;
  const here: LoadRecord['environment'] = {
    ...run.environment,
    platform: `${run.runners} runners on Kubernetes; judged on ${process.platform} ${process.arch}`,
    cpus: cpus().length,
  };
  return { ...run, environment: here };
}

/** The one run that these files describe, and one of them. */
function theRun(
  runFiles: readonly string[],
  paths: readonly string[],
): readonly [run: LoadRunFile, path: string] {
  const [first, ...others] = runFiles;
  if (first === undefined)
    throw new UserError(
      `${paths.join(', ')} has no load-run.json, which says what the run was to send. Name the folder of a load run, or the folder of its manifests as well.`,
    );
  const run = readRunFileAt(first);
  const another = others.find((path) => JSON.stringify(readRunFileAt(path)) !== JSON.stringify(run));
  if (another === undefined) return [run, first];
  throw new UserError(`${first} and ${another} describe different runs: judge one run at a time.`);
}
