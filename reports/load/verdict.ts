import { shortened } from '../../kernel/basics/text.ts';
import type { LoadFinding, LoadRecord } from '../../load/model/record.ts';
import { durationOf, VERDICT_SIGNS } from '../outcome.ts';
import type { Screen, VerdictStyle } from '../terminal.ts';
import { framed, hanging, paintOf, screenOf, tame, wrapped } from '../terminal.ts';
import { loadSentence, millisecondsText, nextStep, PHASE_COLUMNS, sentText } from './texts.ts';

/**
 * The result of a load run for a terminal: the expectations that passed, then those that
 * are inconclusive or failed, each with its reason, and the verdict in the last
 * lines, where a person looks first when the run ends. No line starts
 * with text from a target.
 */
export function renderLoadVerdict(record: LoadRecord, style: VerdictStyle): string {
  const screen = screenOf(style);
  const order = ['pass', 'inconclusive', 'fail'] as const;
  const lines = order.flatMap((verdict) =>
    record.findings.filter((one) => one.verdict === verdict).flatMap((one) => findingLines(one, screen)),
  );
  return `${[...lines, ...phaseLines(record), '', ...closingLines(record, screen)].join('\n')}\n`;
}

const findingLines = ({ id, verdict, expected, because }: LoadFinding, screen: Screen): readonly string[] =>
  framed(
    `${VERDICT_SIGNS[verdict].mark} ${id}: ${expected}`,
    [tame(because)],
    paintOf(verdict, screen),
    screen,
  );

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

function closingLines(record: LoadRecord, screen: Screen): readonly string[] {
  const { columns, colours } = screen;
  const paint = paintOf(record.verdict, screen);
  const sentence = wrapped(`${VERDICT_SIGNS[record.verdict].mark} ${loadSentence(record)}`, columns);
  const { latencyMs } = record;
  const latency =
    latencyMs === null
      ? []
      : [`latency p50 ${millisecondsText(latencyMs.p50)}, p99 ${millisecondsText(latencyMs.p99)}`];
  const next = nextStep(record);
  return [
    ...sentence.map((line) => paint(colours.bold(line))),
    ...(next === undefined ? [] : hanging(`Next: ${next}`, screen)),
    ...hanging(`Ended: ${tame(record.ended.because)}`, screen),
    ...(record.remarks ?? []).flatMap((remark) => hanging(`Remark: ${tame(remark)}`, screen)),
    ...hanging(`Target: ${tame(record.target.baseUrl)}`, screen),
    [sentText(record), durationOf(record), `plan ${tame(record.target.plan)}`, ...latency].join(' · '),
  ];
}
