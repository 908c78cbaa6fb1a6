import { shortened } from '../../kernel/basics/text.ts';
import type { KeyCount } from '../../kernel/findings/load.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import { bounded } from '../foreign-text.ts';
import type { Screen } from '../terminal.ts';
import { hanging, tame } from '../terminal.ts';
import type { Markdown } from '../written.ts';
import { markdown } from '../written.ts';
import { LATENCY_COLUMNS, millisecondsText, nextStep, PHASE_COLUMNS, totalOfKeys } from './texts.ts';

// What the texts of a load run say besides what every report says: what to do next, how it ended, phases, keys, latency.

/** Keys that get a row; a fleet may have hundreds. */
const MOST_KEYS = 20;

const TEXT_LIMIT = 600;

/** The sections of a load run in `summary.md`. */
export function loadBlocks(record: LoadRecord): readonly Markdown[] {
  const { phases = [], latencyMs, environment, ended } = record;
  const { k6, http, node, platform, cpus } = environment;
  const shown = record.keys.slice(0, MOST_KEYS);
  const rows = record.keys.length === 1 ? shown : [...shown, totalOfKeys(record)];
  return [
    ...(phases.length === 0
      ? []
      : [
          tableOf(
            PHASE_COLUMNS.map(([name]) => name),
            phases.map((phase) => PHASE_COLUMNS.map(([, text]) => text(phase))),
          ),
        ]),
    tableOf(
      KEY_COLUMNS.map(([name]) => name),
      rows.map((one) => KEY_COLUMNS.map(([, text]) => String(text(one)))),
    ),
    ...(latencyMs === null
      ? []
      : [
          tableOf(
            LATENCY_COLUMNS.map(([name]) => name),
            [LATENCY_COLUMNS.map(([, field]) => millisecondsText(latencyMs[field]))],
          ),
        ]),
    markdown`${bounded(ended.because, TEXT_LIMIT)} k6 ${bounded(k6, TEXT_LIMIT)}${http === undefined ? '' : ` over ${http}, as certify`}, Node ${node}, ${platform}, ${cpus} CPUs.`,
  ];
}

const KEY_COLUMNS: readonly (readonly [name: string, text: (keys: KeyCount) => string | number])[] = [
  ['key', ({ key }) => key],
  ['planned', ({ planned }) => planned],
  ['sent', ({ sent }) => sent],
  ['accepted', ({ accepted }) => accepted],
  ['rate-limited', ({ rateLimited }) => rateLimited],
  ['failed', ({ failed }) => failed],
];

/** A table of these columns. */
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): Markdown =>
  markdown`|${head.map((name) => markdown` ${name} |`)}
|${head.map(() => markdown` --- |`)}${rows.map(
    (row) => markdown`
|${row.map((cell) => markdown` ${bounded(cell, TEXT_LIMIT)} |`)}`,
  )}`;

/** The phases as a table for a terminal, each line after a bar, since their results may repeat words of the target. */
export function phaseLines({ phases = [] }: LoadRecord): readonly string[] {
  if (phases.length === 0) return [];
  const rows = [
    PHASE_COLUMNS.map(([name]) => name),
    ...phases.map((phase) => PHASE_COLUMNS.map(([, text]) => shortened(tame(text(phase))))),
  ];
  const widths = PHASE_COLUMNS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) =>
        at === 0 || at === row.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [...rows.map((row) => `│ ${line(row)}`), ''];
}

/** What to do next, and how the run ended, for the last lines of a terminal. */
export function endingLines(record: LoadRecord, screen: Screen): readonly string[] {
  const next = nextStep(record);
  return [
    ...(next === undefined ? [] : hanging(`Next: ${next}`, screen)),
    ...hanging(`Ended: ${tame(record.ended.because)}`, screen),
  ];
}
