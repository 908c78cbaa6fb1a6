import type { RunRecord, Verdict } from '../../kernel/findings/record.ts';
import { loadRegister, register } from '../../spec/register.ts';

/** A report with the name of its column. */
export interface NamedRecord {
  readonly name: string;
  readonly record: RunRecord;
}

/** One requirement and its verdict in each report; undefined where a report does not have it. */
export interface MatrixRow {
  readonly id: string;
  readonly level: string;
  readonly chapter: string;
  readonly sentence: string;
  readonly verdicts: readonly (Verdict | undefined)[];
}

/** Several reports in one table. */
export interface VerdictMatrix {
  readonly columns: readonly NamedRecord[];
  /** In the order of the register. */
  readonly rows: readonly MatrixRow[];
}

/** Arranges reports in one table, a column for each, in their order. Requirements that none of them decided are left out. Pure. */
export function matrixOf(columns: readonly NamedRecord[]): VerdictMatrix {
  const rows = [...register, ...loadRegister].flatMap(
    ({ id, level, chapter, sentence }): readonly MatrixRow[] => {
      const verdicts = columns.map(({ record }) => record.requirements.find((one) => one.id === id)?.verdict);
      const isDecided = verdicts.some((verdict) => verdict !== undefined && verdict !== 'not-tested');
      return isDecided ? [{ id, level, chapter, sentence, verdicts }] : [];
    },
  );
  return { columns, rows };
}
