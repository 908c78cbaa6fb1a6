import type { LoadEnvironment } from '../../kernel/findings/load.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';

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

/**
 * Whether the runs of both sets were recorded in turn: of each two in the order of time, one belongs to each set. A
 * machine whose load changes meanwhile then disturbs both alike.
 */
export function areInTurn(first: readonly LoadRecord[], second: readonly LoadRecord[]): boolean {
  const sets = [...first.map((run) => ({ run, step: 1 })), ...second.map((run) => ({ run, step: -1 }))].sort(
    (a, b) => Date.parse(a.run.startedAt) - Date.parse(b.run.startedAt),
  );
  let ahead = 0;
  return sets.every(({ step }, i) => {
    ahead += step;
    return i % 2 === 0 || ahead === 0;
  });
}
