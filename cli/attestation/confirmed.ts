import type { AttestedReport, AttestedRun } from '../../attestation/attested-run.ts';
import { RUN_WORDS } from '../../attestation/attested-run.ts';
import type { Statement } from '../../attestation/statement.ts';
import { annotationOf } from '../../attestation/statement.ts';
import type { ListedAtTarget } from './at-target.ts';

/** What was checked besides the attestation itself. */
export interface Confirmations {
  readonly challenge: string | undefined;
  readonly listed: ListedAtTarget | undefined;
}

/** What a true attestation says, and what it does not prove, for a terminal. */
export function confirmed(
  statement: Statement,
  run: AttestedRun,
  { challenge, listed }: Confirmations,
): readonly string[] {
  const { kind, report } = run;
  const words = RUN_WORDS[kind];
  const signed = new Set(statement.subject.map(({ name }) => name));
  const { result, passedTests, warnedTests, failedTests } = statement.predicate;
  const day = (annotation: string) =>
    annotationOf(statement, 'validity', annotation)?.slice(0, 10) ?? 'an unknown day';
  const counts = [
    `${passedTests.length} pass, ${warnedTests.length} warn, ${failedTests.length} fail`,
    ...undecidedCounts(report),
  ].join(', ');
  return [
    `✓ The attestation of a run of ${kind} is true: ${result} (${counts}), signed on ${day('signedAt')}, valid until ${day('expiresAt')}.`,
    `  The signatures, the digests and the date are valid, and ${words.confirms}.`,
    ...words.further.filter((name) => signed.has(name)).map((name) => `  The journal gives ${name}, too.`),
    ...pageSentences(signed, run),
    ...(report?.isPartial === true || report?.outcome === 'incomplete'
      ? [
          `  The run is ${report.isPartial ? 'partial' : 'incomplete'}: it certifies nothing, and the statement says FAILED.`,
        ]
      : []),
    ...(challenge === undefined ? [] : ['  The names of what the run created follow from the challenge.']),
    listed === undefined
      ? `  ${words.unproven}`
      : `  The target lists ${listed.listed} of the ${listed.created} categories that the run created.`,
  ];
}

/** Whether the page that a reader opens is the one that was signed. */
function pageSentences(signed: ReadonlySet<string>, { kind, digests }: AttestedRun): readonly string[] {
  const { pages, report } = RUN_WORDS[kind];
  return pages.flatMap((page, at) => {
    const programs = page.replace(/\.html$/, '.json');
    if (digests[page] !== undefined)
      return [`  ${page} is the page that was signed, and shows what ${programs} states.`];
    if (signed.has(page))
      return [`  ${page} was signed, but it is not in the folder, so it was not checked.`];
    return at === 0 ? [`  No page for readers was signed; ${report} was.`] : [];
  });
}

/** The statement has no place for what got no verdict. */
function undecidedCounts(report: AttestedReport | undefined): readonly string[] {
  const count = (verdict: string): number =>
    report?.requirements.filter((one) => one.verdict === verdict).length ?? 0;
  const undecided = [
    [count('inconclusive'), 'inconclusive'],
    [count('not-tested'), 'not tested'],
  ] as const;
  return undecided.flatMap(([number, name]) => (number === 0 ? [] : [`${number} ${name}`]));
}
