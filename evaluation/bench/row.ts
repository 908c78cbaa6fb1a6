import { nearestMedian } from '../../load/model/latency.ts';

/**
 * A ratio of two figures that were measured side by side in one run, and its aim. Absolute
 * times differ by a factor of two between machines, so no aim rests on them.
 */
export interface BenchRow {
  readonly name: string;
  readonly ratio: number;
  readonly aim: { readonly is: 'at most' | 'at least'; readonly value: number };
  /** The figures of the ratio with their units, for information. */
  readonly absolute: string;
}

export const atMost = (value: number): BenchRow['aim'] => ({ is: 'at most', value });
export const atLeast = (value: number): BenchRow['aim'] => ({ is: 'at least', value });

/** A figure with at most two decimals. */
export const rounded = (value: number): string => String(Number(value.toFixed(2)));

const inSeconds = (seconds: number): string => `${rounded(seconds)} s`;

/** A row of two figures, in seconds unless `text` says otherwise. */
export const rowOf = (
  name: string,
  [one, other]: readonly [number, number],
  aim: BenchRow['aim'],
  text: (figure: number) => string = inSeconds,
): BenchRow => ({ name, ratio: one / other, aim, absolute: `${text(one)}, ${text(other)}` });

/** A row as one line of text. */
export function lineOf({ name, ratio, aim, absolute }: BenchRow): string {
  const wanted = `${aim.is} ${rounded(aim.value)}`;
  const met = (aim.is === 'at most' ? ratio <= aim.value : ratio >= aim.value) ? 'met' : 'NOT MET';
  return `${name.padEnd(80)} ${rounded(ratio).padStart(6)}   ${wanted.padEnd(13)} ${met.padEnd(7)}   ${absolute}`;
}

/** The median of each figure. They are measured in turn, so that a slow moment of the machine affects all of them. */
export async function mediansOf<Name extends string>(
  rounds: number,
  figures: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(figures) as Name[];
  const measured: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) measured[name]?.push(await figures[name]());
  const medians = names.map((name) => [name, nearestMedian(measured[name] ?? [])]);
  return Object.fromEntries(medians) as Record<Name, number>;
}
