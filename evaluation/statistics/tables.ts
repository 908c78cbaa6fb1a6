import { groupedNumber } from '../../kernel/basics/text.ts';
import { readResults } from '../study.ts';
import type { Subject } from './subjects.ts';
import { subjects } from './subjects.ts';
import type { SubjectResult } from './thresholds.ts';
import { COMMITTED_SEED, notAlwaysFound } from './thresholds.ts';

/** A table of the document: its column heads and its rows. */
interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The committed results of each service or fault, by the conditions of its runs. */
function resultsByName(conforms: boolean): ReadonlyMap<string, ReadonlyMap<Subject['where'], SubjectResult>> {
  const results = readResults<SubjectResult>('statistics');
  const byName = new Map<string, Map<Subject['where'], SubjectResult>>();
  for (const subject of subjects) {
    const result = results[subject.id];
    if (result === undefined || subject.conforms !== conforms) continue;
    const byConditions = byName.get(subject.name) ?? new Map<Subject['where'], SubjectResult>();
    byName.set(subject.name, byConditions.set(subject.where, result));
  }
  return byName;
}

/** How many runs of each conforming service ended in a `fail`, under all network conditions. */
export function falseFailTable(): Table {
  const cell = (result: SubjectResult | undefined): string =>
    result === undefined ? '–' : `${result.unexpected} of ${result.runs}`;
  return {
    heads: ['Service', 'False fails, calm', 'False fails, lossy', 'False fails, shared key'],
    rows: [...resultsByName(true)].map(([name, results]) => [
      `\`${name}\``,
      ...(['calm', 'lossy', 'shared'] as const).map((where) => cell(results.get(where))),
    ]),
  };
}

/** How many runs found each fault, in percent, in every stratum. */
export function detectionTable(): Table {
  const cell = (result: SubjectResult | undefined): string => {
    if (result === undefined) return '–';
    const { found, runs } = result;
    return `${((100 * found) / runs).toFixed(found === runs ? 0 : 1)} %`;
  };
  return {
    heads: [
      'Fault',
      'Calm',
      'Every algorithm',
      'Lossy',
      'Shared key',
      'Other requirements failed',
      'Why not in every run',
    ],
    rows: [...resultsByName(false)].map(([name, results]) => [
      `\`${name}\``,
      ...(['calm', 'any-algorithm', 'lossy', 'shared'] as const).map((where) => cell(results.get(where))),
      otherFails([...results.values()]),
      notAlwaysFound[name] ?? '',
    ]),
  };
}

/** How many runs failed a requirement that the fault is not listed under: often a consequence of the same fault. */
function otherFails(results: readonly SubjectResult[]): string {
  const runs = results.reduce((sum, result) => sum + result.runs, 0);
  const unexpected = results.reduce((sum, result) => sum + result.unexpected, 0);
  return unexpected === 0 ? '' : `in ${unexpected} of ${runs}`;
}

/** The committed results in one line. */
export function statisticsSummary(): string {
  const rows = Object.entries(readResults<SubjectResult>('statistics'));
  const runs = rows.reduce((sum, [, row]) => sum + row.runs, 0);
  const ids = new Set(subjects.filter(({ conforms }) => conforms).map(({ id }) => id));
  const conforming = rows.filter(([subject]) => ids.has(subject));
  const falseFails = conforming.reduce((sum, [, row]) => sum + row.unexpected, 0);
  const conformingRuns = conforming.reduce((sum, [, row]) => sum + row.runs, 0);
  return `${groupedNumber(runs)} runs with seed ${COMMITTED_SEED}. Of ${groupedNumber(conformingRuns)} runs against conforming services, ${falseFails} ended in a \`fail\`.`;
}
