import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { LoadRecord, RunRecord } from '../../kernel/findings/record.ts';
import { inParallel } from '../study.ts';

type Judged = Pick<RunRecord | LoadRecord, 'outcome' | 'requirements'>;
type Verdicts = Judged['requirements'];

/** The runs that came to the same verdicts: how many, and the record of one of them. */
export interface VerdictGroup {
  readonly runs: number;
  readonly record: Judged;
}

/** The verdicts of repeated runs. */
export interface RepeatedRuns {
  /** The groups of runs with the same verdicts, the largest first. */
  readonly groups: readonly VerdictGroup[];
  /** How long all runs took. */
  readonly seconds: number;
}

const RUNS_AT_A_TIME = 2;

/** Repeats a run, two at a time, and groups the runs by their verdicts. */
export async function repeat(runs: number, once: (run: number) => Promise<Judged>): Promise<RepeatedRuns> {
  const started = performance.now();
  const records = await inParallel([...Array(runs).keys()], RUNS_AT_A_TIME, once);
  const groups = groupedBy(records, ({ requirements }) => vectorOf(requirements).join('\n'));
  return {
    groups: [...groups.values()]
      .sort((a, b) => b.length - a.length)
      .map((group) => ({ runs: group.length, record: group[0] })),
    seconds: (performance.now() - started) / 1000,
  };
}

const vectorOf = (verdicts: Verdicts): readonly string[] =>
  verdicts.map(({ id, verdict }) => `${id} ${verdict}`);

/** How the runs outside the largest group differ from those in it, each with both verdicts and the reason of the second. */
export function differencesIn([largest, ...others]: readonly VerdictGroup[]): readonly string[] {
  const usual = vectorOf(largest?.record.requirements ?? []);
  return others.flatMap(({ runs, record }) =>
    record.requirements.flatMap(({ id, verdict, because }, at) =>
      usual[at] === `${id} ${verdict}` ? [] : [`${runs} times: ${usual[at]}, but ${verdict}: ${because}`],
    ),
  );
}

/** Computes until its parent process ends. */
const LOOP = 'const parent = process.ppid; while (process.ppid === parent);';

/** Keeps one core of this machine busy while `use` runs. */
export async function withBusyCore<T>(use: () => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    return await use();
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
