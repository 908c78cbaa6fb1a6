import type { LoadEnvironment, LoadRecord } from '../model/record.ts';

// What makes runs incomparable, or differs between them without a figure that shows it. One sentence each.

/** Differences from the first run that make runs incomparable. */
export function setupDifferences(first: LoadRecord, others: readonly LoadRecord[]): readonly string[] {
  const plannedBy = ({ keys }: LoadRecord): string =>
    keys.map(({ key, planned }) => `${key} ${planned}`).join(', ');
  const limitsBy = ({ limits }: LoadRecord): string =>
    `${limits.perMinute} in ${limits.minuteSeconds} s and ${limits.perDay} in ${limits.daySeconds} s`;
  return differences(first, others, [
    ['The profiles differ', ({ profile }) => profile],
    ['The limits differ', limitsBy],
    ['The planned requests differ', plannedBy],
  ]);
}

/** Which of the runs did not finish. */
export const unfinishedRuns = (which: string, set: readonly LoadRecord[]): readonly string[] =>
  set.flatMap(({ ended }, i) => {
    const name = set.length === 1 ? `The ${which} run` : `Run ${i + 1} of the ${which} set`;
    return ended.how === 'finished' ? [] : [`${name} did not finish: ${ended.because}`];
  });

/** Differences of the machines: latencies are then not comparable. */
export function environmentDifferences(first: LoadRecord, others: readonly LoadRecord[]): readonly string[] {
  const of =
    (field: keyof LoadEnvironment) =>
    ({ environment }: LoadRecord): string =>
      String(environment[field]);
  const found = differences(first, others, [
    ['The k6 differs', of('k6')],
    ['The platform differs', of('platform')],
    ['The number of CPUs differs', of('cpus')],
  ]);
  return found.map((text) => `${text} Latencies are not comparable.`);
}

/** Differences that do not affect the comparison. */
export const otherDifferences = (first: LoadRecord, others: readonly LoadRecord[]): readonly string[] =>
  differences(first, others, [
    ['The targets differ', ({ target }) => target.baseUrl],
    ['The plans have different names', ({ target }) => target.plan],
    ['The suite versions differ', ({ suite }) => suite.version],
  ]);

type Field = readonly [what: string, of: (record: LoadRecord) => string];

/** The fields in which another run differs from the first, each once. */
const differences = (
  first: LoadRecord,
  others: readonly LoadRecord[],
  fields: readonly Field[],
): readonly string[] =>
  fields.flatMap(([what, of]) => {
    const other = others.find((one) => of(one) !== of(first));
    return other === undefined ? [] : [`${what}: ${of(first)} and ${of(other)}.`];
  });

/** A remark where one set was recorded after the other: a machine whose load changed meanwhile disturbed them differently. */
export function notInTurn(first: readonly LoadRecord[], second: readonly LoadRecord[]): readonly string[] {
  const [a, b] = [first, second].map((set) => set.map(({ startedAt }) => Date.parse(startedAt)));
  const isAfter = (later: readonly number[] = [], earlier: readonly number[] = []): boolean =>
    Math.min(...later) > Math.max(...earlier);
  return isAfter(b, a) || isAfter(a, b)
    ? [
        'One set was recorded after the other: if the load of this machine changed meanwhile, that may be the reason for other latencies. Runs of both sets in turn rule it out.',
      ]
    : [];
}
