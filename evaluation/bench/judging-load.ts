import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.ts';
import type { JudgedLoad } from './judge-load-child.ts';
import type { LongLoad } from './load-run-files.ts';
import { writeLongLoad } from './load-run-files.ts';
import type { BenchRow } from './row.ts';
import { rounded } from './row.ts';

/** One long run that was judged, and the size of its files. */
interface Measured extends JudgedLoad {
  readonly samples: number;
  readonly bytes: number;
}

/** Judges a long load run of several runners beside one of a quarter of its keys, each in a process of its own: memory must not grow with the samples. */
export async function measureJudgingLoad(run: LongLoad): Promise<readonly BenchRow[]> {
  const quarter = await measure({ ...run, keys: Math.ceil(run.keys / 4) });
  const whole = await measure(run);
  const what = `judging ${whole.samples} load samples of ${run.keys} keys`;
  return [
    {
      name: `${what}: peak memory / that of a quarter of the keys`,
      ratio: whole.peakBytes / quarter.peakBytes,
      aim: { is: 'at most', value: 1.5 },
      absolute: `${megabytes(whole.peakBytes)}, ${megabytes(quarter.peakBytes)}; ${megabytes(whole.bytes)} of samples`,
    },
    {
      name: `${what}: CPU time for a sample / with a quarter of the keys`,
      ratio: whole.seconds / whole.samples / (quarter.seconds / quarter.samples),
      aim: { is: 'at most', value: 1.5 },
      absolute: `${rounded(whole.seconds)} s, ${rounded(quarter.seconds)} s`,
    },
  ];
}

async function measure(run: LongLoad): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const samples = writeLongLoad(folder, run);
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const judged = await runChild<JudgedLoad>('./judge-load-child.ts', { FOLDER: folder });
    if (judged.outcome !== 'conforms') throw new Error(`A conforming run had the outcome ${judged.outcome}.`);
    return { ...judged, samples, bytes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
