import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import { JournalFile } from '../../suites/service/wire/journal-file.ts';
import { virtualRun } from '../simulation/virtual-run.ts';
import { runChild } from './child.ts';
import type { Judged } from './judge-child.ts';
import type { Parsed } from './parse-child.ts';
import type { BenchRow } from './row.ts';
import { median, rounded } from './row.ts';

/** The ids of one repetition begin this much above those of the one before. */
const IDS_APART = 1000;

/**
 * One run, repeated as a whole until it has at least `count` exchanges: later each time by its own
 * length and two windows, with names and ids of its own, so that no repetition
 * can be judged by remembering another.
 * @param windowSeconds the window of the run.
 */
function* repeatRun(
  lines: readonly JournalLine[],
  count: number,
  windowSeconds: number,
): Generator<JournalLine> {
  const exchanges = lines.filter((line): line is Exchange => line.kind === 'exchange');
  const [head] = lines;
  const [first, last] = [exchanges[0], exchanges.at(-1)];
  const end = lines.at(-1);
  if (head?.kind !== 'run' || end?.kind !== 'end' || first === undefined || last === undefined) {
    throw new TypeError('Only a whole run can be repeated.');
  }
  const apart = last.received.mono - first.sent.mono + 2 * windowSeconds * 1000;
  yield head;
  for (let round = 0; round * exchanges.length < count; round += 1) {
    for (const [i, exchange] of exchanges.entries()) {
      yield later(exchange, round * exchanges.length + i + 1, round, apart);
    }
  }
  yield end;
}

function later(exchange: Exchange, n: number, round: number, apart: number): Exchange {
  const moved = ({ wall, mono }: Exchange['sent']) => ({
    wall: wall + round * apart,
    mono: mono + round * apart,
  });
  // Every run of the virtual bench tags its names with the same word.
  const text = JSON.stringify(exchange)
    .replaceAll('virtual1', `v${String(round).padStart(7, '0')}`)
    .replaceAll(
      /\\"id\\":([0-9]{1,6})(?=[,}])/g,
      (_, id: string) => `\\"id\\":${Number(id) + round * IDS_APART}`,
    );
  const copy = JSON.parse(text) as Exchange;
  return { ...copy, n, sent: moved(exchange.sent), received: moved(exchange.received) };
}

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
