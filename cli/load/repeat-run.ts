import { setTimeout as delay } from 'node:timers/promises';
import { restMs } from '../../load/profiles/arithmetic.ts';
import { durationText } from '../../words/duration-text.ts';
import { InterruptedError } from '../../words/interrupted-error.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { repetitionFolder } from './load-sets.ts';
import type { LoadSettings } from './settings.ts';

/** One run of a repeated profile. */
export interface Repetition {
  /** Its folder: that of the command where there is one run only. */
  readonly folder: string;
  /** From 1. */
  readonly number: number;
  readonly isLast: boolean;
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
  const { folder, repetitions } = settings;
  if (repetitions === 1) return (await runOnce({ folder, number: 1, isLast: true })).code;
  let worst = 0;
  for (let number = 1; number <= repetitions; number += 1) {
    print(surroundings.terminal, `Run ${number} of ${repetitions}`);
    const own = { folder: repetitionFolder(folder, number), number, isLast: number === repetitions };
    const { code, isFinished } = await runOnce(own);
    worst = Math.max(worst, BY_SEVERITY.indexOf(code));
    if (own.isLast) break;
    if (!isFinished) {
      print(
        surroundings.terminal,
        `Run ${number} stopped early, so the ${repetitions - number} others do not start.`,
      );
      break;
    }
    await rest(settings, surroundings);
  }
  print(surroundings.terminal, `Set: ${folder} (compare it with another one: load compare FIRST SECOND)`);
  return BY_SEVERITY[worst] ?? EXIT.conforms;
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
