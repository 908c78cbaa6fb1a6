import { shortened } from '../../../kernel/basics/text.ts';
import { momentOf, verdictCounts } from '../../../reports/outcome.ts';
import { tame } from '../../../reports/terminal.ts';
import type { AttestedReport, AttestedRun, JudgedAgain } from '../../certificate/attested-run.ts';
import { besidesOf, REPORT, RUN_WORDS, shortcomingsOf } from '../../certificate/attested-run.ts';
import type { Statement } from '../../certificate/statement.ts';
import { annotationOf, dayText, momentIn, uncheckedFields } from '../../certificate/statement.ts';
import type { Verification } from '../../certificate/verify.ts';
import { columns, planText } from '../terminal.ts';
import type { ClaimedRun } from './certification-run.ts';
import { uncoveredFiles } from './files.ts';

/** What a true statement about the run in a folder is about and says, for a terminal. @param signers who signed, as texts. */
export function certificateLines(
  folder: string,
  run: AttestedRun,
  { statement, judged }: Extract<Verification, { kind: 'true' }>,
  signers: readonly string[],
): readonly string[] {
  const uncovered = uncoveredFiles(folder, statement);
  const { certified, report } = judged;
  const { plan } = certified;
  const { suite, spec } = report;
  const unchecked = uncheckedFields(statement, run.kind, report);
  return [
    ...certificateRows(
      {
        ...certified,
        plan: plan && planText(shortened(plan.name), plan.limits),
        window: `${plan?.limits.minuteSeconds} s`,
      },
      [suite.version, `${spec.version} (${spec.digest})`],
      statement,
      signers,
    ),
    ...resultLines(judged),
    ...(judged.earlier === undefined
      ? [
          `  The digests and the date are valid, and ${RUN_WORDS[run.kind].confirms}.`,
          ...furtherLines(statement, run),
        ]
      : earlierLines(judged)),
    ...(unchecked.length === 0 ? [] : [`  Signed, but not checked: ${namesText(unchecked)}.`]),
    ...(uncovered.length === 0
      ? []
      : [`  Not signed and not checked in this folder: ${namesText(uncovered)}.`]),
    '  The certificate proves that the holder of the key vouches for this record, and that the verdicts follow from it. It does not prove which server or client was tested: to be sure of that, repeat the run, or countersign one that you watched.',
  ];
}

/** What a certificate says of its run, where it is not true or could not be checked. @param signers who signed, as texts. */
export const claimedLines = (
  statement: Statement | undefined,
  claimed: ClaimedRun,
  signers: readonly string[],
): readonly string[] => [
  'Claimed, and not verified:',
  ...certificateRows(
    claimed,
    [statedIn(statement, 'suite', 'version'), statedIn(statement, 'specification', 'version')],
    statement,
    signers,
  ),
];

const statedIn = (
  statement: Statement | undefined,
  configuration: 'suite' | 'specification',
  annotation: string,
): string => foreign((statement && annotationOf(statement, configuration, annotation)) ?? 'not stated');

/** What a certificate is about. @param stated the suite and the specification, as texts. */
function certificateRows(
  { subject, plan, window, startedAt }: ClaimedRun,
  stated: readonly [suite: string, specification: string],
  statement: Statement | undefined,
  signers: readonly string[],
): readonly string[] {
  return columns([
    [plan === undefined ? 'Client' : 'Target', foreign(subject)],
    ...(plan === undefined
      ? []
      : [
          ['Plan', tame(plan)],
          ['Window', window],
        ]),
    ['Run', foreign(momentOf(startedAt))],
    ['Suite', stated[0]],
    ['Specification', stated[1]],
    ['Signed', validityText(statement)],
    ...signers.map((signer, at) => [at === 0 ? 'By' : '', signer]),
  ]);
}

function validityText(statement: Statement | undefined): string {
  const signedAt = statement && momentIn(statement, 'signedAt');
  const expiresAt = statement && momentIn(statement, 'expiresAt');
  return `${signedAt === undefined ? 'on an unknown day' : `on ${dayText(signedAt)}`}, valid until ${expiresAt === undefined ? 'an unknown day' : dayText(expiresAt)}`;
}

/** A text of whoever made the folder. */
const foreign = (text: string): string => tame(shortened(text));

function resultLines(judged: JudgedAgain): readonly string[] {
  const { certified, report } = judged;
  const shortcomings = shortcomingsOf(certified, report);
  const counts = countsText(report);
  if (shortcomings.length === 0)
    return [`✓ The certificate is true, and says: ${certified.words} (${counts}).`];
  return [
    `! The certificate is true, but it does not say that its subject conforms (${counts}).`,
    ...shortcomings.map((sentence) => `  ${sentence}`),
  ];
}

/** What this version confirms of a run that another one made. */
const earlierLines = (judged: JudgedAgain): readonly string[] => [
  `  The digests and the date are valid. Another version of the suite made the run, and this one finds the same verdicts under the set ${judged.earlier?.set}, which that version scores. What else the report and its page show was not compared.`,
  ...besidesOf(judged).map((sentence) => `  ${sentence}`),
];

/** Further files that were signed, and whether the page that a reader opens is the one that was signed. */
function furtherLines({ subject }: Statement, { kind, digests }: AttestedRun): readonly string[] {
  const { further, pages } = RUN_WORDS[kind];
  const signed = new Set(subject.map(({ name }) => name));
  const pageLines = pages.flatMap((page, at) => {
    const programs = page.replace(/\.html$/, '.json');
    if (digests[page] !== undefined)
      return [`  ${page} is the page that was signed, and shows what ${programs} states.`];
    if (signed.has(page))
      return [`  ${page} was signed, but it is not in the folder, so it was not checked.`];
    return at === 0 ? [`  No page for readers was signed; ${REPORT} was.`] : [];
  });
  return [
    ...further.filter((name) => signed.has(name)).map((name) => `  The journal gives ${name}, too.`),
    ...pageLines,
  ];
}

const VERDICTS = ['pass', 'warn', 'fail', 'inconclusive', 'not-tested'] as const;

const countsText = ({ requirements }: AttestedReport): string =>
  verdictCounts(requirements, VERDICTS)
    .filter(({ verdict, count }) => count > 0 || verdict === 'fail')
    .map(({ word, count }) => `${count} ${word}`)
    .join(', ');

const MOST_NAMES = 12;

const namesText = (names: readonly string[]): string =>
  [
    ...names.slice(0, MOST_NAMES).map(foreign),
    ...(names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : []),
  ].join(', ');
