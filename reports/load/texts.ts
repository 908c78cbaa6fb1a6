import { countOf, durationText, groupedNumber, shortened } from '../../kernel/basics/text.ts';
import type { KeyCount, LatencySummary, LoadPhase } from '../../kernel/findings/load.ts';
import type { Finding, LoadRecord } from '../../kernel/findings/record.ts';
import type { Figures } from '../tables.ts';
import type { Screen } from '../terminal.ts';
import { figureColumns, hanging, tame } from '../terminal.ts';
import type { Markdown } from '../written.ts';
import { bounded, markdown, markdownTable } from '../written.ts';

const MOST_IDS = 6;

/** The ids of these findings, for a sentence: `SENT, CONTRACT`; `all` where there are none. */
export const idsText = (findings: readonly Finding[]): string =>
  firstOf(
    findings.map(({ id }) => id),
    MOST_IDS,
  ) || 'all';

/** The first of these names, and how many more there are. */
function firstOf(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function nextStep({ outcome, ended }: LoadRecord): string | undefined {
  switch (outcome) {
    case 'violates':
      return 'Fix the target as the findings show, then run the profile again. The samples in this folder contain every request; certify checks each rule of the limit separately.';
    case 'incomplete':
      return ended.how === 'finished'
        ? 'There is no verdict on the target; the findings state the reasons. Resolve them, then run the profile again.'
        : 'There is no verdict on the target, because the run did not finish. Resolve the reason, then run the profile again.';
    case 'conforms':
      return undefined;
  }
}

export function totalOfKeys({ keys }: LoadRecord): KeyCount {
  const sum = (field: Exclude<keyof KeyCount, 'key'>): number =>
    keys.reduce((total, one) => total + one[field], 0);
  return {
    key: 'all keys',
    planned: sum('planned'),
    sent: sum('sent'),
    accepted: sum('accepted'),
    rateLimited: sum('rateLimited'),
    failed: sum('failed'),
  };
}

const MOST_KEY_NAMES = 4;

/** The names of the keys, which stand for their values everywhere: `fleet-1, fleet-2, fleet-3, fleet-4 and 26 more`. */
export const keyNamesText = ({ keys }: LoadRecord): string =>
  firstOf(
    keys.map(({ key }) => key),
    MOST_KEY_NAMES,
  );

/** `65 of 65 requests with 1 key`. */
export function sentText(record: LoadRecord): string {
  const { sent, planned } = totalOfKeys(record);
  return `${sent} of ${planned} requests with ${countOf(record.keys.length, 'key')}`;
}

/** Milliseconds for a person, with about three significant digits: `4.56 ms`, `123 ms`, `12.3 s`. */
export function millisecondsText(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  if (value >= 100) return `${Math.round(value)} ms`;
  return `${value.toFixed(value >= 10 ? 1 : 2)} ms`;
}

/** Seconds for a person, in milliseconds where they are fewer than two: `19.0 ms`, `43 s`. */
export const shortText = (seconds: number): string =>
  seconds > 0 && seconds < 2 ? millisecondsText(seconds * 1000) : durationText(seconds);

/** Characters of a cell: results may repeat words of the target. */
const CELL_LIMIT = 200;

export const latencyFigures = ({ count, min, p50, p90, p99, p999, max }: LatencySummary): Figures => ({
  head: ['responses', 'min', 'p50', 'p90', 'p99', 'p99.9', 'max'],
  rows: [[String(count), ...[min, p50, p90, p99, p999, max].map(millisecondsText)]],
});

/** The first and the last column hold words. */
export const phaseFigures = (phases: readonly LoadPhase[]): Figures => ({
  head: ['phase', 'duration', 'requests', 'offered/s', 'accepted/s', 'p50', 'p99', 'errors', '429', 'result'],
  rows: phases.map((one) => [
    bounded(one.name, CELL_LIMIT),
    durationText(one.seconds),
    String(one.requests),
    rateText(one.offeredPerSecond),
    rateText(one.acceptedPerSecond),
    latencyText(one.p50),
    latencyText(one.p99),
    String(one.errors),
    String(one.rateLimited),
    bounded(one.result, CELL_LIMIT),
  ]),
});

export const keyFigures = (keys: readonly KeyCount[]): Figures => ({
  head: ['key', 'planned', 'sent', 'accepted', 'rate-limited', 'failed'],
  rows: keys.map(({ key, planned, sent, accepted, rateLimited, failed }) => [
    bounded(key, CELL_LIMIT),
    ...[planned, sent, accepted, rateLimited, failed].map(String),
  ]),
});

export const rateText = (perSecond: number): string =>
  perSecond >= 100 ? groupedNumber(Math.round(perSecond)) : String(Number(perSecond.toPrecision(3)));

/** A latency in a table or a tile, which may have none. */
export const latencyText = (milliseconds: number | null = null): string =>
  milliseconds !== null && Number.isFinite(milliseconds) ? millisecondsText(milliseconds) : '–';

// What the texts of a load run say besides what every report says: what to do next, how it ended, phases, keys, latency.

/** Keys that get a row; a fleet may have hundreds. */
const MOST_KEYS = 20;

const TEXT_LIMIT = 600;

export function loadBlocks(record: LoadRecord): readonly Markdown[] {
  const { phases = [], latencyMs, environment, ended } = record;
  const { k6, http, node, platform, cpus } = environment;
  const shown = record.keys.slice(0, MOST_KEYS);
  const rows = record.keys.length === 1 ? shown : [...shown, totalOfKeys(record)];
  return [
    ...(phases.length === 0 ? [] : [tableOf(phaseFigures(phases))]),
    tableOf(keyFigures(rows)),
    ...(latencyMs === null ? [] : [tableOf(latencyFigures(latencyMs))]),
    markdown`Ended: ${bounded(ended.because, TEXT_LIMIT)} k6 ${bounded(k6, TEXT_LIMIT)}${http === undefined ? '' : ` over ${http}, as certify`}, Node ${node}, ${platform}, ${cpus} CPUs.`,
  ];
}

const tableOf = ({ head, rows }: Figures): Markdown => markdownTable(head, rows);

/** The phases as a table for a terminal, each line after a bar, since their results may repeat words of the target. */
export function phaseLines({ phases = [] }: LoadRecord): readonly string[] {
  if (phases.length === 0) return [];
  const { head, rows: figures } = phaseFigures(phases);
  const rows = [head, ...figures.map((row) => row.map((cell) => shortened(tame(cell))))];
  return [...figureColumns(rows).map((line) => `│ ${line}`), ''];
}

/** What to do next, and how the run ended, for the last lines of a terminal. */
export function endingLines(record: LoadRecord, screen: Screen): readonly string[] {
  const next = nextStep(record);
  return [
    ...(next === undefined ? [] : hanging(`Next: ${next}`, screen)),
    ...hanging(`Ended: ${tame(record.ended.because)}`, screen),
  ];
}
