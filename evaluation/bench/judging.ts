import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { LineFile } from '../../kernel/recording/line-file.ts';
import type { ProfileInputs } from '../../load/model/profile.ts';
import { findProfile } from '../../load/profiles/index.ts';
import { writeRunFile } from '../../load/run/run-file.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import { virtualScenarios } from '../load/virtual-load.ts';
import { virtualRun } from '../simulation/virtual-run.ts';
import { runFileOf } from '../testing/load/runs.ts';
import { seeded } from '../testing/suites/limiters.ts';
import { inTemporaryFolder } from '../testing/tools/folder.ts';
import { endChild, startChild } from './child.ts';
import type { Work, Worked } from './judging-child.ts';
import type { BenchRow } from './row.ts';
import { atMost, mediansOf, rounded, rowOf } from './row.ts';

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

/** Exchanges of a long journal. */
const EXCHANGES = 100_000;

/** Times that it is judged and read; the medians count. */
const ROUNDS = 3;

/** Has work done with a file or a folder, in a process of its own with these further variables. */
async function worked(
  work: Work,
  place: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Worked> {
  const settings = { WORK: work, PLACE: place, ...variables };
  const { first, child } = await startChild<Worked>('./judging-child.ts', settings);
  await endChild(child);
  return first;
}

/** Judges a long journal in a process of its own, beside one that only reads and parses its lines. */
export const measureJudging = () =>
  inTemporaryFolder(async (folder): Promise<readonly BenchRow[]> => {
    const path = join(folder, 'journal.ndjson');
    await writeLongJournal(path);
    let [peak, judged]: [number, Worked['found']] = [0, 0];
    const { parsing, judging } = await mediansOf(ROUNDS, {
      parsing: async () => (await worked('parsing', path)).seconds,
      judging: async () => {
        const { seconds, peakBytes, found } = await worked('judging', path);
        [peak, judged] = [Math.max(peak, peakBytes), found];
        return seconds;
      },
    });
    const what = `judging ${judged} exchanges`;
    const name = `${what}: CPU time / reading and JSON-parsing the same bytes`;
    const sizes = [peak, statSync(path).size] as const;
    return [
      rowOf(name, [judging, parsing], atMost(3)),
      rowOf(`${what}: peak memory / size of the journal`, sizes, atMost(1.5), megabytes),
    ];
  });

async function writeLongJournal(path: string): Promise<void> {
  // Only a plan with many requests makes long journals.
  const { lines } = await virtualRun({ plan: 'business' });
  const journal = new LineFile(path);
  const { minuteSeconds } = limitsOf(loadPlans(), 'business');
  for (const line of repeatRun(lines, EXCHANGES, minuteSeconds)) journal.append(line);
  journal.close();
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

/** A long soak of many keys, as several runners would record it against a service that conforms. */
interface LongLoad {
  readonly keys: number;
  /** Of each key. */
  readonly minutes: number;
  readonly runners: number;
}

const LIMITS = { perMinute: 60, perDay: 100_000, minuteSeconds: 60, daySeconds: 86_400 };

/** Writes the file of the run and the samples of its runners: those of one simulated key again for each. @returns how many there are. */
async function writeLongLoad(folder: string, { keys, minutes, runners }: LongLoad): Promise<number> {
  const inputs: ProfileInputs = { limits: LIMITS, fleet: keys, minutes };
  const soak = findProfile('soak');
  writeRunFile(folder, runFileOf({ profile: 'soak', inputs, runners }));
  const random = seeded(1);
  // Tenths of a millisecond, as k6 has them: the digits of a number take memory.
  const oneWay = (): number => 2.5 + Math.floor(50 * random()) / 10;
  const network = { there: oneWay, back: oneWay };
  const { samples, events } = await virtualScenarios(soak, { ...inputs, fleet: 1 }, { network });
  const records = [...samples, ...events];
  for (let runner = 0; runner < runners; runner += 1) {
    const file = openSync(join(folder, `runner-${runner + 1}.ndjson`), 'w');
    for (let at = runner; at < keys; at += runners)
      writeSync(
        file,
        records.map((one) => `${JSON.stringify({ ...one, key: `fleet-${at + 1}` })}\n`).join(''),
      );
    closeSync(file);
  }
  return samples.length * keys;
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
      aim: atMost(1.2),
      absolute: `${megabytes(whole.peakBytes)}, ${megabytes(quarter.peakBytes)}; ${megabytes(whole.bytes)} of samples`,
    },
    {
      name: `${what}: CPU time for a sample / with a quarter of the keys`,
      ratio: whole.seconds / whole.samples / (quarter.seconds / quarter.samples),
      aim: atMost(1.5),
      absolute: `${rounded(whole.seconds)} s, ${rounded(quarter.seconds)} s`,
    },
  ];
}

/**
 * As much as the process may keep, in MiB: it would end if it needed more. Without a bound, V8 lets garbage lie as long as
 * there is memory, and the peak says how busy the machine was.
 */
const HEAP_MEGABYTES = 160;

/** What judging a long run cost, and the size of its files. */
const measure = (run: LongLoad) =>
  inTemporaryFolder(async (folder) => {
    const samples = await writeLongLoad(folder, run);
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const options = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` };
    const judged = await worked('judgingLoad', folder, options);
    if (judged.found !== 'conforms') throw new Error(`A conforming run had the outcome ${judged.found}.`);
    return { ...judged, samples, bytes };
  });
