import { quoted } from '../../kernel/basics/text.ts';
import type { AttestedReport } from './attested-run.ts';
import type { Statement } from './statement.ts';
import { resultsOf } from './statement.ts';

/**
 * Where a report and the signed statement have other verdicts than the recorded requests give, in sentences.
 * @param evidenceGives what the verdicts follow from, as the beginning of a clause.
 */
export function verdictProblems(
  { predicate }: Statement,
  report: AttestedReport,
  again: AttestedReport,
  evidenceGives: string,
): readonly string[] {
  const stated = resultsOf(again);
  const { result } = predicate;
  const otherResult =
    result === stated.result
      ? []
      : [`The signed statement says ${quoted(result)}, but ${evidenceGives} "${stated.result}".`];
  const otherLists = LISTS.filter(([list]) => sorted(predicate[list]) !== sorted(stated[list])).map(
    ([, tests]) => `The signed statement names other ${tests} than ${evidenceGives}.`,
  );
  return [...editedVerdicts(report, again, evidenceGives), ...otherResult, ...otherLists];
}

const LISTS = [
  ['failedTests', 'failures'],
  ['warnedTests', 'warnings'],
  ['passedTests', 'passes'],
] as const;

function editedVerdicts(
  report: AttestedReport,
  again: AttestedReport,
  evidenceGives: string,
): readonly string[] {
  const verdicts = new Map(again.requirements.map(({ id, verdict }) => [id, verdict]));
  const known = new Set(report.requirements.map(({ id }) => id));
  const edited = report.requirements
    .filter(({ id, verdict }) => verdicts.get(id) !== verdict)
    .map(({ id, verdict }) => sentence(quotedId(id), verdict, verdicts.get(id) ?? 'nothing', evidenceGives));
  const removed = again.requirements
    .filter(({ id }) => !known.has(id))
    .map(({ id, verdict }) => `The report leaves out ${id}, for which ${evidenceGives} "${verdict}".`);
  const outcome =
    report.outcome === again.outcome
      ? []
      : [sentence('The outcome', report.outcome, again.outcome, evidenceGives)];
  return [...edited, ...removed, ...outcome];
}

const sentence = (what: string, stated: string, found: string, evidenceGives: string): string =>
  `${what} is ${quoted(stated)} in the report, but ${evidenceGives} "${found}".`;

/** An id as it is, and other text as the foreign text that it is. */
const quotedId = (id: string): string => (/^[A-Z0-9-]{1,20}$/.test(id) ? id : quoted(id));

const sorted = (ids: readonly string[]): string => [...ids].sort().join();
