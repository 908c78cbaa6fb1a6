import { groupedBy } from '../../exchanges/collections.ts';
/** A judgement as two runs may be compared by: of a requirement, or of an expectation of a load profile. */
export interface Judgement {
  readonly id: string;
  readonly verdict: string;
  /** Why, for a person. */
  readonly because: string;
}

/** A run that came to its own vector of verdicts, and how many came to the same. */
export interface Alike<T> {
  readonly runs: number;
  readonly record: T;
}

/** `id verdict`, one for each judgement: what two runs against the same server must agree on. */
export const vectorOf = (judgements: readonly Judgement[]): readonly string[] =>
  judgements.map(({ id, verdict }) => `${id} ${verdict}`);

/** The judgements in which a run differs from another, with both verdicts and the reason of the second. */
export function differences(usual: readonly Judgement[], other: readonly Judgement[]): readonly string[] {
  const before = vectorOf(usual);
  return other.flatMap(({ id, verdict, because }, at) =>
    before[at] === `${id} ${verdict}` ? [] : [`${before[at]}, now ${verdict}: ${because}`],
  );
}

/** Every different vector of verdicts, the commonest first. */
export function grouped<T>(
  records: readonly T[],
  judgementsOf: (record: T) => readonly Judgement[],
): readonly Alike<T>[] {
  const groups = groupedBy(records, (record) => vectorOf(judgementsOf(record)).join('\n'));
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .map((group) => ({ runs: group.length, record: group[0] }));
}

/** Does something so many times, so many at a time; each is told its position, from 0. */
export async function severalAtOnce<T>(
  runs: number,
  atOnce: number,
  once: (at: number) => Promise<T>,
): Promise<readonly T[]> {
  const done: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < runs) {
      const at = next;
      next += 1;
      done.push(await once(at));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return done;
}
