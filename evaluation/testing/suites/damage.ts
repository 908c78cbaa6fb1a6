import type { Exchange, HeaderLine } from '../../../exchanges/exchange.ts';
import type { JournalLine } from '../../../suites/model/journal.ts';

/** Another value of the same type, as a damaged disk or a strange target would have it. */
function mutated(value: unknown, next: () => number): unknown {
  const pick = (values: readonly unknown[]): unknown => values[Math.floor(next() * values.length)];
  const here = next() < 0.03;
  if (typeof value === 'string') {
    return here
      ? pick(['', 'null', '{', '\u0000', '\uFEFF[]', '9'.repeat(400), `${value}${value}`, '[[[['])
      : value;
  }
  if (typeof value === 'number') return here ? pick([0, -1, 1e308, 2 ** 53, value + 1e9, value / 3]) : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mutated(item, next));
    return here ? items.slice(1) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, KEPT.has(key) ? one : mutated(one, next)]),
  );
}

/** What this program wrote by itself and no target can change. */
const KEPT: ReadonlySet<string> = new Set([
  'kind',
  'n',
  'encoding',
  'cause',
  'connection',
  'caller',
  'sent',
  'received',
]);

/** A journal of which lines are missing, doubled, or hold other values; `next` gives numbers from 0 to below 1. */
export function damaged(lines: readonly JournalLine[], next: () => number): readonly JournalLine[] {
  const [head, ...rest] = lines;
  const damagedLines = rest.flatMap((line): readonly JournalLine[] => {
    const chance = next();
    if (chance < 0.1) return [];
    if (chance < 0.2) return [line, line];
    if (line.kind !== 'exchange') return [line];
    // A header is a pair, whatever its two words are.
    const { outcome, ...told } = mutated(line, next) as Exchange;
    const pairs = (headers: readonly HeaderLine[]) => headers.filter((header) => header.length === 2);
    const request = { ...told.request, headers: pairs(told.request.headers) };
    return [
      {
        ...told,
        request,
        outcome: outcome.kind === 'no-response' ? outcome : { ...outcome, headers: pairs(outcome.headers) },
      },
    ];
  });
  return head === undefined ? [] : [head, ...damagedLines];
}
