import { setTimeout as delay } from 'node:timers/promises';
import { InterruptedError } from '../../../kernel/basics/errors.ts';
import { durationText } from '../../../kernel/basics/text.ts';
import { restMs } from '../../../load/profiles/arithmetic.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { repetitionFolder, setFolders } from '../reports/compare-runs.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import type { LoadSettings } from './settings.ts';

/** One run of a repeated profile. */
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

/** How a run came out. */
export interface RepetitionResult {
  readonly code: ExitCode;
  /** Whether it sent every request; a run that stopped before ends the repetitions. */
  readonly isFinished: boolean;
}

/** What repetitions need besides their settings. */
interface Surroundings {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** Called where Ctrl-C ends the repetitions between two runs. */
  settle(): void;
}

/** The worst last; a run without any verdict throws instead. */
const BY_SEVERITY: readonly ExitCode[] = [EXIT.conforms, EXIT.incomplete, EXIT.violates];

/**
 * Runs a profile as often as the settings say, each run in a folder of its own, and lets the keys rest in between.
 * @returns the exit code of the worst run.
 * @throws {InterruptedError} when the signal aborts between two runs.
 */
export async function repeatRun(
  settings: LoadSettings & { readonly folder: string },
  surroundings: Surroundings,
  runOnce: (repetition: Repetition) => Promise<RepetitionResult>,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  const runs = repetitionsOf(settings.folder, settings);
  let worst = 0;
  for (const run of runs) {
    if (runs.length > 1) print(terminal, `Run ${run.number} of ${runs.length}${whichText(settings, run)}`);
    const { code, isFinished } = await runOnce(run);
    worst = Math.max(worst, BY_SEVERITY.indexOf(code));
    if (run.isLast) break;
    if (!isFinished) {
      const others = runs.length - run.number;
      print(terminal, `Run ${run.number} stopped early, so the ${others} others do not start.`);
      break;
    }
    await rest(settings, surroundings);
  }
  if (runs.length > 1 && settings.against === undefined)
    print(terminal, `Set: ${settings.folder} (compare it with another one: compare FIRST SECOND)`);
  return BY_SEVERITY[worst] ?? EXIT.conforms;
}

/** Which target a run is sent to, where there are two. */
function whichText({ against }: LoadSettings, { set }: Repetition): string {
  if (against === undefined) return '';
  return `: ${set === 0 ? '--target' : '--against'}`;
}

async function rest(settings: LoadSettings, { terminal, signal, settle }: Surroundings): Promise<void> {
  const forMs = restMs(settings.inputs.limits);
  print(terminal, `The keys rest for ${durationText(forMs / 1000)}.`, '');
  await delay(forMs, undefined, { signal }).catch(() => {
    settle();
    throw new InterruptedError(
      'Interrupted between two runs. The measurements of the finished runs are kept.',
    );
  });
}
