import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InterruptedError, orNone } from '../../../kernel/basics/errors.ts';
import { durationText } from '../../../kernel/basics/text.ts';
import { restMs } from '../../../load/profiles/arithmetic.ts';
import type { RecordedLoad } from '../../../load/run/record-load.ts';
import type { Surroundings } from '../../run/progress.ts';
import type { LoadSettings } from './settings.ts';

/** The folder of a repetition, within the folder of a repeated profile. @param run from 1. */
const repetitionFolder = (folder: string, run: number): string => join(folder, `run-${run}`);

/** The folders of both sets, within the folder of a profile that runs against two targets. */
export const setFolders = (folder: string): readonly [target: string, against: string] => [
  join(folder, 'target'),
  join(folder, 'against'),
];

const REPETITION = /^run-(\d{1,4})$/;

/** The names of the repetitions with a report in a folder, which may not exist yet, in the order of their numbers. */
export const repetitionsIn = (folder: string): readonly string[] =>
  (orNone(() => readdirSync(folder)) ?? [])
    .filter((name) => REPETITION.test(name) && existsSync(join(folder, name, 'report.json')))
    .sort((a, b) => Number(REPETITION.exec(a)?.[1]) - Number(REPETITION.exec(b)?.[1]));

export interface Repetition {
  /** Which of the two sets it belongs to, where the profile runs against two targets; else 0. */
  readonly set: number;
  /** Its folder: that of the command where there is one run only. */
  readonly folder: string;
  /** From 1, among all runs. */
  readonly number: number;
  readonly isLast: boolean;
}

/**
 * The runs of a profile in their order. Those of two sets alternate, and which comes first changes with each pair, so
 * that a machine whose load rises or falls meanwhile disturbs both alike.
 */
export function repetitionsOf(
  folder: string,
  { repetitions, against }: Pick<LoadSettings, 'repetitions' | 'against'>,
): readonly Repetition[] {
  const runs = Array.from({ length: repetitions }, (_, i) => {
    if (against === undefined)
      return [{ set: 0, folder: repetitions === 1 ? folder : repetitionFolder(folder, i + 1) }];
    const pair = setFolders(folder).map((own, set) => ({ set, folder: repetitionFolder(own, i + 1) }));
    return i % 2 === 0 ? pair : pair.toReversed();
  }).flat();
  return runs.map((run, i) => ({ ...run, number: i + 1, isLast: i === runs.length - 1 }));
}

interface AroundRuns extends Pick<Surroundings<never>, 'print' | 'signal'> {
  /** Called once no further run starts. */
  settle(): void;
}

/**
 * Runs a profile as often as the settings say, each run in a folder of its own, and lets the keys rest in between. A run
 * that stopped early is the last.
 * @throws {InterruptedError} when the signal aborts between two runs.
 */
export async function* repeated<Recorded extends Pick<RecordedLoad, 'ended'>>(
  settings: LoadSettings,
  around: AroundRuns,
  recordOnce: (repetition: Repetition) => Promise<Recorded>,
): AsyncGenerator<Recorded> {
  const { print, settle } = around;
  const runs = repetitionsOf(settings.folder, settings);
  for (const run of runs) {
    const target = run.set === 0 ? '--target' : '--against';
    const which = settings.against === undefined ? '' : `: ${target}`;
    if (runs.length > 1) print(`Run ${run.number} of ${runs.length}${which}`);
    const recorded = await recordOnce(run);
    const isFinished = recorded.ended.how === 'finished';
    const isEnd = run.isLast || !isFinished;
    if (isEnd) settle();
    let isJudged = false;
    try {
      yield recorded;
      isJudged = true;
    } finally {
      // Where records are missing, who judges throws, and no further run starts.
      if (!isEnd && !isJudged) settle();
    }
    if (run.isLast) break;
    if (!isFinished) {
      print(`Run ${run.number} stopped early, so the ${runs.length - run.number} others do not start.`);
      break;
    }
    await rest(settings, around);
  }
  if (runs.length > 1 && settings.against === undefined)
    print(`Set: ${settings.folder} (compare it with another one: compare FIRST SECOND)`);
}

async function rest({ inputs }: LoadSettings, { print, signal, settle }: AroundRuns): Promise<void> {
  const forMs = restMs(inputs.limits);
  print(`The keys rest for ${durationText(forMs / 1000)}.`, '');
  await delay(forMs, undefined, { signal }).catch(() => {
    settle();
    throw new InterruptedError(
      'Interrupted between two runs. The measurements of the finished runs are kept.',
    );
  });
}
