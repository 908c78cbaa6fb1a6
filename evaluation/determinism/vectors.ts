/** A verdict on a requirement, or on an expectation of a load profile. */
export interface ComparableVerdict {
  readonly id: string;
  readonly verdict: string;
  /** Why, for a person. */
  readonly because: string;
}

/** The runs that came to the same verdicts: how many, and the record of one of them. */
export interface VerdictGroup<T> {
  readonly runs: number;
  readonly record: T;
}

/** `id verdict` for each verdict; two runs against the same server must agree on all of them. */
export const verdictVector = (verdicts: readonly ComparableVerdict[]): readonly string[] =>
  verdicts.map(({ id, verdict }) => `${id} ${verdict}`);

/** The differences between two runs, each with both verdicts and the reason of the second. */
export function verdictDifferences(
  expected: readonly ComparableVerdict[],
  actual: readonly ComparableVerdict[],
): readonly string[] {
  const vector = verdictVector(expected);
  return actual.flatMap(({ id, verdict, because }, at) =>
    vector[at] === `${id} ${verdict}` ? [] : [`${vector[at]}, but ${verdict}: ${because}`],
  );
}

/** Groups runs with the same verdicts, the largest group first. */
export function groupByVerdicts<T>(
  records: readonly T[],
  verdictsOf: (record: T) => readonly ComparableVerdict[],
): readonly VerdictGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const vector = verdictVector(verdictsOf(record)).join('\n');
    groups.set(vector, [...(groups.get(vector) ?? []), record]);
  }
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((group) => (group[0] === undefined ? [] : [{ runs: group.length, record: group[0] }]));
}

/** How the runs outside the largest group differ from those in it, one line each. */
export const differencesIn = <T>(
  [largest, ...others]: readonly VerdictGroup<T>[],
  verdictsOf: (record: T) => readonly ComparableVerdict[],
): readonly string[] =>
  others.flatMap(({ runs, record }) =>
    verdictDifferences(largest === undefined ? [] : verdictsOf(largest.record), verdictsOf(record)).map(
      (difference) => `  ${runs} times: ${difference}`,
    ),
  );

/** Calls `once` for each run, from 0 to before `runs`, with this many calls in progress at the same time. */
export async function runInParallel<T>(
  runs: number,
  parallelRuns: number,
  once: (run: number) => Promise<T>,
): Promise<readonly T[]> {
  const done: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < runs) {
      const run = next;
      next += 1;
      done.push(await once(run));
    }
  };
  await Promise.all(Array.from({ length: parallelRuns }, worker));
  return done;
}
