import { join } from 'node:path';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { LineFile } from '../../kernel/recording/line-file.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import { virtualRun } from '../simulation/virtual-run.ts';
import { body } from '../testing/suites/synthetic.ts';
import { inTemporaryFolder } from '../testing/tools/folder.ts';
import { worked } from './judging.ts';
import type { BenchRow } from './row.ts';
import { atMost, mediansOf, rowOf } from './row.ts';

const ROUNDS = 3;

/**
 * Judges a journal of creations and lists in turn, each list unlike the last, and one with four times as many: a judge
 * that compares each list with each creation takes sixteen times as long.
 * @param exchanges of the shorter one.
 */
export const measureGrowth = (exchanges: number) =>
  inTemporaryFolder(async (folder): Promise<readonly BenchRow[]> => {
    const { lines } = await virtualRun({});
    const [short, long] = [join(folder, 'short.ndjson'), join(folder, 'long.ndjson')];
    write(short, lines, exchanges);
    write(long, lines, 4 * exchanges);
    const { one, four } = await mediansOf(ROUNDS, {
      one: async () => (await worked('judging', short)).seconds,
      four: async () => (await worked('judging', long)).seconds,
    });
    const name = `judging ${4 * exchanges} lists and creations in turn: CPU time / four times that of ${exchanges}`;
    return [rowOf(name, [four, 4 * one], atMost(1.2))];
  });

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
    const isCreation = i % 2 === 0;
    const { outcome, request, ...one } = isCreation ? creation : list;
    const at = (ms: number) => ({ wall: last.received.wall + ms, mono: last.received.mono + ms });
    const text = JSON.stringify(isCreation ? category : [category]);
    yield {
      ...one,
      ...{ n: exchanges.length + i + 1, probe: last.probe, step: last.step },
      request: isCreation ? { ...request, body: body(JSON.stringify({ name: category.name })) } : request,
      sent: at(3 * (i + 1)),
      received: at(3 * (i + 1) + 1),
      outcome: { ...outcome, body: body(text) } as Exchange['outcome'],
    };
  }
  yield* lines.slice(-1);
}
