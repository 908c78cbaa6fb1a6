import { createColors } from 'picocolors';
import type { LoadFinding, LoadRecord } from '../../load/model/record.ts';
import { shortened } from '../../words/text.ts';
import { durationOf, VERDICT_SIGNS } from '../outcome.ts';
import type { Colours, VerdictStyle } from '../verdict.ts';
import { columnsOf, hanging, paintOf, tame, wrapped } from '../verdict.ts';
import { PHASE_COLUMNS } from './phases.ts';
import { loadSentence, millisecondsText, nextStep, sentText } from './texts.ts';

/**
 * The result of a load run for a terminal: the expectations that passed, then those that
 * are inconclusive or failed, each with its reason, and the verdict in the last
 * lines, where a person looks first when the run ends. No line starts
 * with text from a target.
 */
export function renderLoadVerdict(record: LoadRecord, { colour, width }: VerdictStyle): string {
  const colours = createColors(colour);
  const columns = columnsOf(width);
  const { findings } = record;
  const order = ['pass', 'inconclusive', 'fail'] as const;
  const lines = order.flatMap((verdict) =>
    findings.filter((one) => one.verdict === verdict).flatMap((one) => findingLines(one, columns, colours)),
  );
  return `${[...lines, ...phaseLines(record), '', ...closingLines(record, columns, colours)].join('\n')}\n`;
}

function findingLines(
  { id, verdict, expected, because }: LoadFinding,
  columns: number,
  colours: Colours,
): readonly string[] {
  const paint = paintOf(verdict, colours);
  const { mark } = VERDICT_SIGNS[verdict];
  const [first = '', ...rest] = wrapped(`${mark} ${id}: ${expected}`, columns - 2);
  const reason = wrapped(tame(because), columns - 2).map((line) => `${paint('│')} ${line}`);
  return [paint(colours.bold(first)), ...rest.map((line) => paint(`│ ${colours.bold(line)}`)), ...reason];
}

/** The phases as a table, each line after the mark of a finding, since their results may repeat words of the target. */
function phaseLines({ phases = [] }: LoadRecord): readonly string[] {
  if (phases.length === 0) return [];
  const rows = [
    PHASE_COLUMNS.map(([name]) => name),
    ...phases.map((phase) => PHASE_COLUMNS.map(([, text]) => shortened(tame(text(phase))))),
  ];
  const width = (at: number): number => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  const widths = PHASE_COLUMNS.map((_, at) => width(at));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) =>
        at === 0 || at === row.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return ['', ...rows.map((row) => `│ ${line(row)}`)];
}

function closingLines(record: LoadRecord, columns: number, colours: Colours): readonly string[] {
  const paint = paintOf(record.verdict, colours);
  const sentence = wrapped(`${VERDICT_SIGNS[record.verdict].mark} ${loadSentence(record)}`, columns);
  const { latencyMs } = record;
  const latency =
    latencyMs === null
      ? []
      : [`latency p50 ${millisecondsText(latencyMs.p50)}, p99 ${millisecondsText(latencyMs.p99)}`];
  const next = nextStep(record);
  return [
    ...sentence.map((line) => paint(colours.bold(line))),
    ...(next === undefined ? [] : hanging(`Next: ${next}`, columns)),
    ...hanging(`Ended: ${tame(record.ended.because)}`, columns),
    ...(record.remarks ?? []).flatMap((remark) => hanging(`Remark: ${tame(remark)}`, columns)),
    ...hanging(`Target: ${tame(record.target.baseUrl)}`, columns),
    [sentText(record), durationOf(record), `plan ${tame(record.target.plan)}`, ...latency].join(' · '),
  ];
}
