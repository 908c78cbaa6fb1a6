import type { KeyCount, LoadFinding, LoadRecord } from '../../load/model/record.ts';
import { bounded } from '../foreign-text.ts';
import { durationOf, momentOf, VERDICT_SIGNS } from '../outcome.ts';
import { pageCommand } from '../page-command.ts';
import { versionsText } from '../versions.ts';
import type { Markdown } from '../written.ts';
import { markdown } from '../written.ts';
import {
  LATENCY_COLUMNS,
  loadSentence,
  millisecondsText,
  nextStep,
  PHASE_COLUMNS,
  sentText,
  totalOfKeys,
} from './texts.ts';

/** Characters of one text: a comment on a pull request holds 65,536 in all. */
const TEXT_LIMIT = 600;

/** Keys that get a row; a fleet may have hundreds. */
const MOST_KEYS = 20;

/** `summary.md` of a load run, for a job summary or a comment on a pull request, in GitHub-flavoured Markdown. */
export function renderLoadSummary(record: LoadRecord): string {
  const blocks = [
    markdown`## ${VERDICT_SIGNS[record.verdict].mark} load ${record.profile}: ${record.verdict}`,
    markdown`**${loadSentence(record)}**`,
    ...nextBlock(record),
    targetText(record),
    ...(record.remarks ?? []).map((remark) => markdown`${bounded(remark, TEXT_LIMIT)}`),
    markdown`| | expectation | reason |
| --- | --- | --- |${record.findings.map((one) => markdown`\n${findingRow(one)}`)}`,
    ...phaseTable(record),
    keyTable(record),
    ...latencyTable(record),
    markdown`Charts are in \`load-report.html\`. \`${pageCommand('ID')}\` prints how an expectation is judged. ${environmentText(record)} ${versionsText(record)}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function nextBlock(record: LoadRecord): readonly Markdown[] {
  const step = nextStep(record);
  return step === undefined ? [] : [markdown`${step}`];
}

const targetText = (record: LoadRecord): Markdown =>
  markdown`Target ${bounded(record.target.baseUrl, TEXT_LIMIT)}, plan ${bounded(record.target.plan, TEXT_LIMIT)}. ${sentText(record)} from ${momentOf(record.startedAt)}, in ${durationOf(record)}. ${bounded(record.ended.because, TEXT_LIMIT)}`;

const environmentText = ({ environment: { k6, http, node, platform, cpus } }: LoadRecord): Markdown =>
  markdown`k6 ${bounded(k6, TEXT_LIMIT)}${http === undefined ? '' : ` over ${http}, as certify`}, Node ${node}, ${platform}, ${cpus} CPUs.`;

const findingRow = ({ id, verdict, expected, because }: LoadFinding): Markdown =>
  markdown`| ${VERDICT_SIGNS[verdict].mark} | **${id}** ${expected} | ${bounded(because, TEXT_LIMIT)} |`;

function keyTable(record: LoadRecord): Markdown {
  const shown = record.keys.slice(0, MOST_KEYS);
  const rows = record.keys.length === 1 ? shown : [...shown, totalOfKeys(record)];
  return markdown`| key | planned | sent | accepted | rate-limited | failed |
| --- | ---: | ---: | ---: | ---: | ---: |${rows.map((one) => markdown`\n${keyRow(one)}`)}`;
}

const keyRow = ({ key, planned, sent, accepted, rateLimited, failed }: KeyCount): Markdown =>
  markdown`| ${bounded(key, TEXT_LIMIT)} | ${planned} | ${sent} | ${accepted} | ${rateLimited} | ${failed} |`;

function phaseTable({ phases = [] }: LoadRecord): readonly Markdown[] {
  if (phases.length === 0) return [];
  return [
    markdown`|${PHASE_COLUMNS.map(([name]) => markdown` ${name} |`)}
|${PHASE_COLUMNS.map(() => markdown` --- |`)}${phases.map(
      (phase) => markdown`
|${PHASE_COLUMNS.map(([, text]) => markdown` ${bounded(text(phase), TEXT_LIMIT)} |`)}`,
    )}`,
  ];
}

function latencyTable({ latencyMs }: LoadRecord): readonly Markdown[] {
  if (latencyMs === null) return [];
  return [
    markdown`|${LATENCY_COLUMNS.map(([name]) => markdown` ${name} |`)}
|${LATENCY_COLUMNS.map(() => markdown` ---: |`)}
|${LATENCY_COLUMNS.map(([, field]) => markdown` ${millisecondsText(latencyMs[field])} |`)}`,
  ];
}
