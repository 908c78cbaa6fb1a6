import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { LineFile } from '../../kernel/recording/line-file.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import { virtualRun } from '../simulation/virtual-run.ts';
import { runChild } from './child.ts';
import type { Judged } from './judge-child.ts';
import type { BenchRow } from './row.ts';
import { median, rounded } from './row.ts';

const ROUNDS = 3;

/**
 * Judges a journal of creations and lists in turn, each list unlike the last, and one with four times as many: a judge
 * that compares each list with each creation takes sixteen times as long.
 * @param exchanges of the shorter one.
 */
export async function measureGrowth(exchanges: number): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const { lines } = await virtualRun({});
    const [short, long] = [join(folder, 'short.ndjson'), join(folder, 'long.ndjson')];
    write(short, lines, exchanges);
    write(long, lines, 4 * exchanges);
    const seconds = async (path: string): Promise<number> =>
      (await runChild<Judged>('./judge-child.ts', { JOURNAL: path })).seconds;
    const [shorter, longer]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      shorter.push(await seconds(short));
      longer.push(await seconds(long));
    }
    const [one, four] = [median(shorter), median(longer)];
    return [
      {
        name: `judging ${4 * exchanges} lists and creations in turn: CPU time / four times that of ${exchanges}`,
        ratio: four / (4 * one),
        aim: { is: 'at most', value: 1.2 },
        absolute: `${rounded(four)} s, ${rounded(one)} s`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(path: string, lines: readonly JournalLine[], count: number): void {
  const journal = new LineFile(path);
  for (const line of withTurns(lines, count)) journal.append(line);
  journal.close();
}

/** The lines of a run with many creations and lists before its end. */
function* withTurns(lines: readonly JournalLine[], count: number): Generator<JournalLine> {
  const exchanges = lines.filter((line): line is Exchange => line.kind === 'exchange');
  const answered = (method: string, status: number): Exchange => {
    const found = exchanges.find(
      ({ request, outcome }) =>
        request.method === method && outcome.kind === 'answer' && outcome.status === status,
    );
    if (found === undefined) throw new TypeError(`The run has no ${method} with ${status}.`);
    return found;
  };
  const [list, creation] = [answered('GET', 200), answered('POST', 201)];
  const last = exchanges.at(-1) ?? list;
  yield* lines.slice(0, -1);
  for (let i = 0; i < count; i += 1) {
    const id = 1000 + Math.floor(i / 2);
    const category = { id, name: `growing ${id}` };
    const body = i % 2 === 0 ? category : [category];
    const n = exchanges.length + i + 1;
    yield turned(i % 2 === 0 ? creation : list, { n, body, name: category.name, last, after: 3 * (i + 1) });
  }
  yield* lines.slice(-1);
}

function turned(
  one: Exchange,
  { n, body, name, last, after }: { n: number; body: unknown; name: string; last: Exchange; after: number },
): Exchange {
  const at = (ms: number) => ({ wall: last.received.wall + ms, mono: last.received.mono + ms });
  const kept = (text: string) => ({
    text,
    encoding: 'utf8' as const,
    bytes: Buffer.byteLength(text),
    cut: false as const,
  });
  const { outcome, request } = one;
  if (outcome.kind !== 'answer') throw new TypeError('Only a response can be repeated.');
  return {
    ...one,
    n,
    probe: last.probe,
    step: last.step,
    request: request.body === null ? request : { ...request, body: kept(JSON.stringify({ name })) },
    sent: at(after),
    received: at(after + 1),
    outcome: { ...outcome, body: kept(JSON.stringify(body)) } as Exchange['outcome'],
  };
}
