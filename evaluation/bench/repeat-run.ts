import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';

/** The ids of one repetition begin this much above those of the one before. */
const IDS_APART = 1000;

/**
 * One run, repeated as a whole until it has at least `count` exchanges: later each time by its own
 * length and two windows, with names and ids of its own, so that no repetition
 * can be judged by remembering another.
 * @param windowSeconds the window of the run.
 */
export function* repeatRun(
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
