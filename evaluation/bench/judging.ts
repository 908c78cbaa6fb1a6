import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { JournalFile } from '../../suites/index.ts';
import { virtualRun } from '../simulation/virtual-run.ts';
import { runChild } from './child.ts';
import type { Judged } from './judge-child.ts';
import { repeatRun } from './repeat-run.ts';
import type { Row } from './row.ts';

/** A long journal, and what judging it should take at most. */
export interface LongJournal {
  readonly exchanges: number;
  readonly seconds: number;
  readonly megabytes: number;
}

/** Reads and judges a long journal in a process of its own: seconds, and the most memory that it held. */
export async function measureJudging(aim: LongJournal): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const path = join(folder, 'journal.ndjson');
    // Only a plan with many requests makes long journals.
    const { lines } = await virtualRun({ plan: 'business' });
    const journal = new JournalFile(path);
    const { minuteSeconds } = limitsOf(loadPlans(), 'business');
    for (const line of repeatRun(lines, aim.exchanges, minuteSeconds)) journal.append(line);
    journal.close();
    const { seconds, megabytes, exchanges } = await runChild<Judged>('./judge-child.ts', { JOURNAL: path });
    const what = `judging a journal of ${exchanges} exchanges, reading included`;
    return [
      { name: `${what}: time`, figure: seconds, unit: ' s', aim: { is: 'at most', value: aim.seconds } },
      {
        name: `${what}: peak memory`,
        figure: megabytes,
        unit: ' MB',
        aim: { is: 'at most', value: aim.megabytes },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
