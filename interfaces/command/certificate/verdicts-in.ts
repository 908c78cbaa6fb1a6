import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jsonFields } from '../../../kernel/basics/json.ts';
import { quoted } from '../../../kernel/basics/text.ts';
import { readRegularFile } from '../../../kernel/basics/user-files.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { ReportError } from '../../../reports/files.ts';
import { renderHtml } from '../../../reports/html/page.ts';
import { momentOf } from '../../../reports/outcome.ts';
import { readReport } from '../../../reports/read.ts';
import type { AttestedReport } from '../../certificate/attested-run.ts';
import { attestedReport, REPORT } from '../../certificate/attested-run.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What a report states, as far as an attestation needs it; undefined where it does not state that. */
export const statedReport = (fields: Fields): AttestedReport | undefined =>
  attestedReport.is(fields) ? fields : undefined;

export const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** The entries of a list, each without the fields of these names; none where it is no list. */
export const eachWithout = (list: unknown, names: readonly string[]): readonly Fields[] =>
  (Array.isArray(list) ? list : []).map((one) => without(jsonFields(one), names));

/**
 * The fields in which a report differs from the record that its evidence gives, as one sentence. Both are compared as
 * the report is written: as JSON.
 * @param what the report, at the beginning of a sentence.
 * @param comparable takes out what the evidence does not decide, or what other sentences are about.
 */
export function differenceProblems(
  what: string,
  report: Fields,
  again: object,
  comparable: (record: Fields) => Fields,
  evidenceGives: string,
): readonly string[] {
  const stated = comparable(report);
  const found = comparable(jsonFields(JSON.parse(JSON.stringify(again))));
  const names = new Set([...Object.keys(stated), ...Object.keys(found)]);
  const other = [...names].filter((name) => canonical(stated[name]) !== canonical(found[name]));
  return other.length === 0
    ? []
    : [`${what} differs from what ${evidenceGives}: ${other.map(quotedName).join(', ')}.`];
}

/** The clock of a machine may be set while a run goes on. */
const MOST_APART_MS = 3_600_000;

/**
 * The dates of a run stand in its first line and its last. Those of its requests lie between them, and the first one leaves
 * at once, unless the run waits for a client that someone else starts.
 * @param dates of the requests, in milliseconds since the Unix epoch.
 */
export function dateProblems(
  { startedAt, finishedAt }: { readonly startedAt: string; readonly finishedAt: string },
  dates: readonly number[],
  waits = false,
): readonly string[] {
  const [from, until] = [Date.parse(startedAt), Date.parse(finishedAt)];
  const isWithin = dates.every((date) => date >= from - MOST_APART_MS && date <= until + MOST_APART_MS);
  const beginsAtOnce = dates.length === 0 || dates.some((date) => date <= from + MOST_APART_MS);
  if (isWithin && (waits || beginsAtOnce)) return [];
  return [
    `The run states that it lasted from ${quoted(momentOf(startedAt))} to ${quoted(momentOf(finishedAt))}, and its requests were sent at another time.`,
  ];
}

/** The order of fields means nothing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? 'absent';

/** The name of a field of this program, and no foreign text. */
const quotedName = (name: string): string => (/^\w{1,40}$/.test(name) ? `"${name}"` : 'an unknown field');

/**
 * Why a page does not show what its report states, as a sentence: of the same report, a version of this program always
 * makes the same page. Nothing where the folder has no page.
 * @param within the folder of page and report, as a path within that of the run.
 * @param trace what the page of a load run draws.
 * @throws {UserError} when the page cannot be read.
 */
export function pageProblems(folder: string, within: string, trace?: Trace): readonly string[] {
  const [page, report] = [join(within, 'report.html'), join(within, REPORT)];
  const path = join(folder, page);
  if (!existsSync(path)) return [];
  const shown = readRegularFile(path, 'The page');
  try {
    return shown === renderHtml(readReport(join(folder, within)), trace)
      ? []
      : [`${page} shows something else than what ${report} states.`];
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    return [`${report} breaks the schema of reports, so ${page} cannot be compared with it.`];
  }
}
