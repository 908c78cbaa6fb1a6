import { appendFileSync } from 'node:fs';
import { bounded, visibleLine } from '../../reports/foreign-text.ts';
import { renderSummary } from '../../reports/index.ts';
import { fixOf, groupsOf, tallyOf } from '../../reports/outcome.ts';
import type { RunRecord } from '../../suites/index.ts';
import { partsOf } from '../../suites/model/finding-text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Characters of one annotation; the summary and the report say the rest. */
const TEXT_LIMIT = 1000;

/**
 * What GitHub Actions shows beside a job, as workflow commands to print: what
 * explains most of the record first, then one annotation for each cause and
 * for each violation that stands alone. Empty anywhere else.
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
      return annotation(title, texts.filter((text) => text !== undefined).join(' '));
    }),
  ];
}

const annotation = (title: string, text: string): string =>
  `::error title=${property(title)}::${data(visibleLine(bounded(text, TEXT_LIMIT)))}`;

/**
 * Adds `summary.md` to the summary of the job, where there is one.
 * @returns a sentence when it could not be added, because a verdict must not be lost over it.
 */
export function appendJobSummary(record: RunRecord, env: Environment): string | undefined {
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (env['GITHUB_ACTIONS'] !== 'true' || path === '') return undefined;
  try {
    appendFileSync(path, renderSummary(record));
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The summary of the job could not be written: ${reason}.`;
  }
}

/** The value of a workflow command, as the runner decodes it. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** A property of a workflow command. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
