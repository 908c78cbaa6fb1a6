import type { Exchange, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';

/** Randomly, another value of the same type, as after a disk error or from a hostile target. */
function mutated(value: unknown, next: () => number): unknown {
  const pick = (values: readonly unknown[]): unknown => values[Math.floor(next() * values.length)];
  const isChanged = next() < 0.03;
  if (typeof value === 'string') {
    return isChanged
      ? pick(['', 'null', '{', '\u0000', '\uFEFF[]', '9'.repeat(400), `${value}${value}`, '[[[['])
      : value;
  }
  if (typeof value === 'number')
    return isChanged ? pick([0, -1, 1e308, 2 ** 53, value + 1e9, value / 3]) : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mutated(item, next));
    return isChanged ? items.slice(1) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, UNCHANGED_FIELDS.has(key) ? one : mutated(one, next)]),
  );
}

/** The fields that this program writes and no target can change. */
const UNCHANGED_FIELDS: ReadonlySet<string> = new Set([
  'kind',
  'n',
  'encoding',
  'cause',
  'connection',
  'caller',
  'sent',
  'received',
]);

/** A journal with missing, duplicated and changed lines; `next` returns random numbers from 0 to below 1. */
export function damagedJournal(lines: readonly JournalLine[], next: () => number): readonly JournalLine[] {
  const [head, ...body] = lines;
  const damagedLines = body.flatMap((line): readonly JournalLine[] => {
    const chance = next();
    if (chance < 0.1) return [];
    if (chance < 0.2) return [line, line];
    if (line.kind !== 'exchange') return [line];
    // A header line stays a pair of texts.
    const { outcome, ...rest } = mutated(line, next) as Exchange;
    const pairs = (headers: readonly HeaderLine[]) => headers.filter((header) => header.length === 2);
    const request = { ...rest.request, headers: pairs(rest.request.headers) };
    return [
      {
        ...rest,
        request,
        outcome: outcome.kind === 'no-response' ? outcome : { ...outcome, headers: pairs(outcome.headers) },
      },
    ];
  });
  return head === undefined ? [] : [head, ...damagedLines];
}
