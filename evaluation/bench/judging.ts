import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { JournalFile } from '../../suites/service/wire/journal-file.ts';
import { virtualRun } from '../simulation/virtual-run.ts';
import { runChild } from './child.ts';
import type { Judged } from './judge-child.ts';
import type { Parsed } from './parse-child.ts';
import { repeatRun } from './repeat-run.ts';
import type { BenchRow } from './row.ts';
import { median, rounded } from './row.ts';

/** A long journal, and the most that judging it may cost. */
export interface LongJournal {
  readonly exchanges: number;
  /** Times that both processes run; the medians count. */
  readonly rounds: number;
  /** Of the CPU time that reading and parsing the same lines takes. */
  readonly timeRatio: number;
  /** Of the size of the journal. */
  readonly memoryRatio: number;
}

/** Judges a long journal in a process of its own, beside one that only reads and parses its lines. */
export async function measureJudging(journal: LongJournal): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const path = join(folder, 'journal.ndjson');
    await writeLongJournal(path, journal.exchanges);
    const judged: Judged[] = [];
    const parsed: Parsed[] = [];
    for (let round = 0; round < journal.rounds; round += 1) {
      parsed.push(await runChild<Parsed>('./parse-child.ts', { JOURNAL: path }));
      judged.push(await runChild<Judged>('./judge-child.ts', { JOURNAL: path }));
    }
    return rowsOf(journal, judged, parsed, statSync(path).size);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeLongJournal(path: string, exchanges: number): Promise<void> {
  // Only a plan with many requests makes long journals.
  const { lines } = await virtualRun({ plan: 'business' });
  const journal = new JournalFile(path);
  const { minuteSeconds } = limitsOf(loadPlans(), 'business');
  for (const line of repeatRun(lines, exchanges, minuteSeconds)) journal.append(line);
  journal.close();
}

function rowsOf(
  { timeRatio, memoryRatio }: LongJournal,
  judged: readonly Judged[],
  parsed: readonly Parsed[],
  journalBytes: number,
): readonly BenchRow[] {
  const [judging, parsing] = [judged, parsed].map((all) => median(all.map(({ seconds }) => seconds)));
  if (judging === undefined || parsing === undefined) throw new RangeError('Nothing was measured.');
  const peak = Math.max(...judged.map(({ peakBytes }) => peakBytes));
  const what = `judging ${judged[0]?.exchanges} exchanges`;
  return [
    {
      name: `${what}: CPU time / reading and JSON-parsing the same bytes`,
      ratio: judging / parsing,
      aim: { is: 'at most', value: timeRatio },
      absolute: `${rounded(judging)} s, ${rounded(parsing)} s`,
    },
    {
      name: `${what}: peak memory / size of the journal`,
      ratio: peak / journalBytes,
      aim: { is: 'at most', value: memoryRatio },
      absolute: `${megabytes(peak)}, ${megabytes(journalBytes)}`,
    },
  ];
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
