import { appendFileSync } from 'node:fs';
import { isKnown } from '../../kernel/findings/finding.ts';
import { partsOf } from '../../kernel/findings/finding-text.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { fixOf, groupsOf, tallyOf } from '../../reports/outcome.ts';
import { renderSummary } from '../../reports/summary.ts';
import { bounded, visibleLine } from '../../reports/written.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The most characters of one annotation; the summary and the report have the complete text. */
const TEXT_LIMIT = 1000;

/**
 * The annotations that GitHub Actions shows for a job, as workflow commands to print: the headline of the record, then
 * one annotation for each cause and for each violation without a common cause, a warning where a baseline knows it. Empty outside GitHub Actions.
 */
export function annotations(record: RunRecord, env: Environment): readonly string[] {
  if (env['GITHUB_ACTIONS'] !== 'true') return [];
  const { headline, causes } = record;
  return [
    ...(headline === undefined ? [] : [annotation(headline.kind, `${headline.text} ${headline.fix}`)]),
    ...groupsOf(tallyOf(record).fail, causes).map(({ cause, findings }) => {
      const title = findings.map(({ id }) => id).join(', ');
      const [first] = findings;
      const parts = first === undefined ? [] : partsOf(first).map(({ label, text }) => `${label}: ${text}`);
      const fix = first === undefined ? undefined : fixOf(first, causes);
      const texts = [cause?.title, ...parts, fix === undefined ? undefined : `Fix: ${fix}`];
      const level = findings.every(isKnown) ? 'warning' : 'error';
      return annotation(title, texts.filter((text) => text !== undefined).join(' '), level);
    }),
  ];
}

const annotation = (title: string, text: string, level: 'error' | 'warning' = 'error'): string =>
  `::${level} title=${escapedProperty(title)}::${escapedData(visibleLine(bounded(text, TEXT_LIMIT)))}`;

/**
 * Adds `summary.md` to the job summary of GitHub Actions.
 * @returns a sentence when it could not be added; the verdict counts nevertheless.
 */
export function appendJobSummary(record: RunRecord, env: Environment): string | undefined {
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (env['GITHUB_ACTIONS'] !== 'true' || path === '') return undefined;
  try {
    appendFileSync(path, renderSummary(record));
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The job summary could not be written to GITHUB_STEP_SUMMARY: ${reason}.`;
  }
}

/** The value of a workflow command, escaped as the runner expects. */
const escapedData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** A property of a workflow command, escaped as the runner expects. */
const escapedProperty = (text: string): string =>
  escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
