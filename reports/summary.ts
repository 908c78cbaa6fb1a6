import { COMMAND } from '../kernel/basics/text.ts';
import { ownFixOf } from '../kernel/findings/finding.ts';
import type { Cause, Finding, RunRecord } from '../kernel/findings/record.ts';
import { baselineSentences } from './baseline.ts';
import { loadBlocks, nextStep } from './load/texts.ts';
import {
  countsOf,
  durationOf,
  groupsOf,
  momentOf,
  outcomeSentence,
  outcomeSign,
  reportedOf,
  requestsOf,
  VERDICT_SIGNS,
} from './outcome.ts';
import { subjectFacts } from './subject.ts';
import { textsOf } from './timelines.ts';
import { untestedIn } from './verdict.ts';
import type { Markdown } from './written.ts';
import { bounded, bulletList, joined, markdown, markdownTable, spansOf } from './written.ts';

/** Characters of one text: a comment on a pull request holds 65,536 in all. */
const TEXT_LIMIT = 600;

/** `summary.md`: the outcome for a job summary or a comment on a pull request, in GitHub-flavoured Markdown. */
export function renderSummary(record: RunRecord): string {
  const { fail, inconclusive, warn, pass } = reportedOf(record);
  const { headline, spec, suite } = record;
  const next = record.subject === 'load' ? nextStep(record) : undefined;
  const blocks = [
    markdown`## ${outcomeSign(record).mark} ${suite.name}: ${outcomeSign(record).word}`,
    ...(headline === undefined ? [] : [markdown`**${prose(headline.text)}** ${prose(headline.fix)}`]),
    markdown`**${outcomeSentence(record)}**`,
    ...(next === undefined ? [] : [markdown`${next}`]),
    ...baselineSentences(record).map((sentence) => markdown`${sentence}`),
    ...untestedBlocks(record),
    runLine(record),
    countTable(record),
    ...causesTable(record.causes),
    ...table('Fail', fail, record),
    ...table('Inconclusive', inconclusive, { ...record, causes: [] }),
    ...table('Warn', warn, record),
    ...(record.subject === 'load' ? [...table('Pass', pass, record), ...loadBlocks(record)] : []),
    ...remarks(record),
    ...observed(record),
    markdown`The evidence is in \`report.html\`, and every ${record.subject === 'load' ? 'request in the samples' : markdown`exchange in \`journal.ndjson\``}. \`${COMMAND} explain ID\` prints how a requirement is judged, what it cannot see and how to fix it. Specification ${spec.version} (${spec.digest}), suite ${suite.version}.`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

const runLine = (record: RunRecord): Markdown =>
  markdown`${subjectFacts(record).map(([name, value], at) => markdown`${at === 0 ? name : `, ${name.toLowerCase()}`} ${prose(value)}`)}${
    record.strict ? ', strict' : ''
  }. ${requestsOf(record)} from ${momentOf(record.startedAt)}, in ${durationOf(record)}.`;

function countTable(record: RunRecord): Markdown {
  const all = countsOf(record);
  return markdown`|${all.map(({ mark, word }) => markdown` ${mark} ${word} |`)}
|${all.map(() => markdown` ---: |`)}
|${all.map(({ count }) => markdown` ${count} |`)}`;
}

/** What the outcome says nothing about, right behind it. */
function untestedBlocks(record: RunRecord): readonly Markdown[] {
  const untested = untestedIn(record);
  if (untested === undefined) return [];
  return [
    markdown`**${untested.sentence}**`,
    bulletList(untested.reasons.map(({ ids, text }) => markdown`**${ids}:** ${prose(text)}`)),
  ];
}

function causesTable(causes: readonly Cause[]): readonly Markdown[] {
  if (causes.length === 0) return [];
  const rows = causes.map(({ title, requirements, fix = '' }) => [
    prose(title),
    requirements.join(', '),
    prose(fix),
  ]);
  return [markdown`### Causes`, markdownTable(['cause', 'requirements', 'fix'], rows)];
}

function table(title: string, findings: readonly Finding[], record: RunRecord): readonly Markdown[] {
  if (findings.length === 0) return [];
  const rows = groupsOf(findings, record.causes).flatMap((group) =>
    group.findings.map((one) => rowOf(one, record)),
  );
  return [markdown`### ${title}`, markdownTable(['', 'requirement', 'finding'], rows)];
}

function rowOf(finding: Finding, record: RunRecord): readonly (Markdown | string)[] {
  const { id, level, sentence, verdict } = finding;
  const parts = textsOf(record, finding, ownFixOf(finding)).map(
    ({ label, text }) => markdown`**${label}:** ${prose(text)}`,
  );
  return [
    VERDICT_SIGNS[verdict].mark,
    markdown`**${id}** ${level}: ${prose(sentence)}`,
    markdown`${joined(parts, markdown`<br>`)}`,
  ];
}

function remarks(record: RunRecord): readonly Markdown[] {
  if (record.remarks.length === 0) return [];
  return [markdown`### Remarks`, bulletList(record.remarks.map(prose))];
}

/** What a client does where the specification leaves it open; what a service does is in its report. */
function observed({ subject, observations }: RunRecord): readonly Markdown[] {
  if (subject !== 'client' || observations.length === 0) return [];
  const items = observations.map(
    ({ id, value, advice }) =>
      markdown`**${id}:** ${prose(value)}${advice === undefined ? '' : markdown` **Advice:** ${prose(advice)}`}`,
  );
  return [markdown`### Observed`, bulletList(items)];
}

function prose(text: string): Markdown {
  const spans = spansOf(bounded(text, TEXT_LIMIT));
  return markdown`${spans.map(({ kind, text: part }) => (kind === 'code' ? markdown`<code>${part}</code>` : part))}`;
}
