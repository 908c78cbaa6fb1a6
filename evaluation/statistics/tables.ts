import type { StatisticsRow } from './results.ts';
import { readResults, uncertain } from './results.ts';
import type { Subject } from './subjects.ts';
import { subjects } from './subjects.ts';

/** A table of the document: its heads and its rows. */
interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The rows of the committed proof for each name, by where they were examined. */
function byName(conforms: boolean): ReadonlyMap<string, ReadonlyMap<Subject['where'], StatisticsRow>> {
  const rows = new Map((readResults()?.rows ?? []).map((row) => [row.subject, row]));
  const found = new Map<string, Map<Subject['where'], StatisticsRow>>();
  for (const subject of subjects) {
    const row = rows.get(subject.id);
    if (row === undefined || subject.conforms !== conforms) continue;
    const of = found.get(subject.name) ?? new Map<Subject['where'], StatisticsRow>();
    found.set(subject.name, of.set(subject.where, row));
  }
  return found;
}

/** How often each conforming service was accused, in every weather. */
export function conformingTable(): Table {
  const of = (row: StatisticsRow | undefined): string =>
    row === undefined ? '–' : `${row.accused} of ${row.runs}`;
  return {
    heads: ['Service', 'Accused, calm', 'Accused, lossy', 'Accused, shared key'],
    rows: [...byName(true)].map(([name, rows]) => [
      `\`${name}\``,
      ...(['calm', 'lossy', 'shared'] as const).map((where) => of(rows.get(where))),
    ]),
  };
}

/** How often each fault was found, in every stratum. */
export function faultTable(): Table {
  const of = (row: StatisticsRow | undefined): string =>
    row === undefined ? '–' : `${((100 * row.found) / row.runs).toFixed(row.found === row.runs ? 0 : 1)} %`;
  return {
    heads: [
      'Fault',
      'Calm',
      'Every algorithm',
      'Lossy',
      'Shared key',
      'Something else failed',
      'Why not always',
    ],
    rows: [...byName(false)].map(([name, rows]) => [
      `\`${name}\``,
      ...(['calm', 'any-algorithm', 'lossy', 'shared'] as const).map((where) => of(rows.get(where))),
      besides([...rows.values()]),
      uncertain[name] ?? '',
    ]),
  };
}

/** How often a run failed something that the fault does not break, which is blamed on it all the same. */
function besides(rows: readonly StatisticsRow[]): string {
  const runs = rows.reduce((sum, row) => sum + row.runs, 0);
  const accused = rows.reduce((sum, row) => sum + row.accused, 0);
  return accused === 0 ? '' : `in ${accused} of ${runs}`;
}

/** The committed proof in one sentence. */
export function summary(): string {
  const { seed, rows } = readResults() ?? { seed: 0, rows: [] };
  const runs = rows.reduce((sum, row) => sum + row.runs, 0);
  const ids = new Set(subjects.filter(({ conforms }) => conforms).map(({ id }) => id));
  const conforming = rows.filter(({ subject }) => ids.has(subject));
  const accused = conforming.reduce((sum, row) => sum + row.accused, 0);
  const of = conforming.reduce((sum, row) => sum + row.runs, 0);
  return `${runs.toLocaleString('en')} examinations with seed ${seed}. Of ${of.toLocaleString('en')} examinations of conforming services ${accused} ended in a \`fail\`.`;
}
