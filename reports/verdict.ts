import { countOf } from '../kernel/basics/text.ts';
import { groupedBy } from '../kernel/exchanges/collections.ts';
import { repeatOf } from '../kernel/findings/finding.ts';
import { partsOf } from '../kernel/findings/finding-text.ts';
import type { Finding, RunRecord, Verdict } from '../kernel/findings/record.ts';
import { furtherLevels } from '../spec/sets.ts';
import { baselineSentences } from './baseline.ts';
import { endingLines, phaseLines } from './load/texts.ts';
import type { FindingGroup } from './outcome.ts';
import {
  countsOf,
  durationOf,
  fixOf,
  groupsOf,
  outcomeSentence,
  outcomeSign,
  reportedOf,
  requestsOf,
  VERDICT_SIGNS,
  VERDICTS,
  verdictCounts,
} from './outcome.ts';
import { circumstancesOf, isWithoutVerdict, subjectFacts } from './subject.ts';
import type { Screen, VerdictStyle } from './terminal.ts';
import { framed, hanging, paintOf, screenOf, tame, wrapped } from './terminal.ts';
import type { Labelled } from './timelines.ts';
import { textsOf } from './timelines.ts';

/**
 * The MUST requirements on the subject that this run did not test, by reason, and then those that it tested in part;
 * undefined where there are none, or no verdict, because then nothing was tested.
 * @returns a sentence that names them as far as there is space; for each reason the ids, with what they require and need.
 */
export function untestedIn(record: RunRecord) {
  if (isWithoutVerdict(record) || record.subject === 'load') return undefined;
  const musts = record.requirements.filter(({ level }) => level === 'MUST');
  const untested = musts.flatMap((one) =>
    one.verdict === 'not-tested' && binds(one, record.subject) ? [one] : [],
  );
  const inPart = musts.flatMap((one) =>
    one.verdict === 'pass' && one.untested !== undefined
      ? [{ ids: withLevel([one]), text: one.untested }]
      : [],
  );
  if (untested.length + inPart.length === 0) return undefined;
  const sentences = [
    ...(untested.length === 0 ? [] : [notTestedSentence(untested.map(({ id }) => id))]),
    ...(inPart.length === 0 ? [] : [`Tested in part: ${inPart.map(({ ids }) => ids).join(', ')}.`]),
  ];
  const byReason = [...groupedBy(untested, ({ reason }) => reason)].map(([reason, findings]) => ({
    ids: withLevel(findings),
    text: [...sentencesOf(findings), reason].join(' '),
  }));
  return { sentence: sentences.join(' '), reasons: [...byReason, ...inPart] };
}

/** Whether a requirement is on what was tested: no test of a service shows what clients do. */
const binds = ({ id }: Finding, subject: RunRecord['subject']): boolean =>
  id.startsWith('CLIENT-') === (subject === 'client');

/** So many ids fit the sentence; more of them are only in the groups behind it. */
const MOST_IN_SENTENCE = 8;

const notTestedSentence = (ids: readonly string[]): string =>
  ids.length > MOST_IN_SENTENCE
    ? `${ids.length} MUST requirements were not tested.`
    : `${countOf(ids.length, 'MUST requirement was', 'MUST requirements were')} not tested: ${ids.join(', ')}.`;

/** The level that all of these belong to. */
const levelOf = (findings: readonly Finding[]) =>
  furtherLevels.find(({ requirements }) =>
    findings.every(({ id }) => requirements.some((one) => one === id)),
  );

function withLevel(findings: readonly Finding[]): string {
  const level = levelOf(findings);
  return level === undefined ? idsOf(findings) : `${idsOf(findings)} (level ${level.name})`;
}

/** More requirements than this with one reason are named by their ids alone, and so are those of a level. */
const MOST_WITH_SENTENCES = 4;

const sentencesOf = (findings: readonly Finding[]): readonly string[] =>
  levelOf(findings) !== undefined || findings.length > MOST_WITH_SENTENCES
    ? []
    : findings.map(({ sentence }) => sentence);

/**
 * The closing verdict for a terminal: what explains most of it first, then violations, then what stayed
 * inconclusive, then warnings, and the outcome in the last lines, where the eye is when the run ends. Every line begins with a character of ours,
 * so that nothing from a target can begin a line and be obeyed as a command by a build server.
 */
export function renderVerdict(record: RunRecord, style: VerdictStyle): string {
  const screen = screenOf(style);
  const tally = reportedOf(record);
  // A load run has few expectations, so it names those that passed, too.
  const shown: readonly Verdict[] = [
    ...(record.subject === 'load' ? (['pass'] as const) : []),
    'fail',
    'inconclusive',
    'warn',
  ];
  const groups = groupsOf(
    shown.flatMap((verdict) => tally[verdict]),
    record.causes,
  );
  const alone = groups.flatMap(({ findings }) => (findings.length === 1 ? findings : []));
  const lines = [
    ...headlineLines(record, screen),
    ...groups.flatMap(({ cause, findings }) =>
      cause === undefined || findings.length === 1 ? [] : causeLines(cause, findings, screen),
    ),
    ...shown.flatMap((verdict) =>
      byReason(
        record,
        alone.filter((one) => one.verdict === verdict),
      ).flatMap((sameReason) => [...groupLines(sameReason, record, screen), '']),
    ),
    ...(record.subject === 'load' ? phaseLines(record) : []),
    ...remarkLines(record, screen),
    ...observationLines(record, screen),
    ...closingLines(record, screen),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Findings with the same reason, such as an interrupted run, are shown once. After a rejected key, this is everything
 * that stayed inconclusive: the headline is the reason.
 */
function byReason({ headline }: RunRecord, findings: readonly Finding[]) {
  const rejected =
    headline?.kind === 'key-rejected' ? `${headline.text} The reason for each is in report.html.` : undefined;
  const shown = findings.map((finding) =>
    rejected !== undefined && finding.verdict === 'inconclusive'
      ? { ...finding, reason: rejected, because: rejected }
      : finding,
  );
  return [...groupedBy(shown, ({ because }) => because).values()];
}

function headlineLines({ headline }: RunRecord, screen: Screen): readonly string[] {
  if (headline === undefined) return [];
  return [...framed(`! ${tame(headline.text)}`, [tame(headline.fix)], screen.colours.red, screen), ''];
}

function causeLines(
  cause: NonNullable<FindingGroup['cause']>,
  findings: readonly Finding[],
  screen: Screen,
): readonly string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const counts = verdictCounts(findings, VERDICTS).filter(({ count }) => count > 0);
  const texts = [
    `${idsOf(findings)}.`,
    ...(cause.fix === undefined ? [] : [`Fix: ${tame(cause.fix)}`]),
    `For example ${first.id}:`,
    ...partTexts(first),
  ];
  const head = `${counts[0]?.mark ?? ''} ${counts.map(({ count, word }) => `${count} ${word}`).join(', ')}, one cause: ${tame(cause.title)}`;
  return [...framed(head, texts, paintOf(first.verdict, screen), screen), ...repeatLines(first, screen), ''];
}

function groupLines(
  sameReason: readonly [Finding, ...Finding[]],
  record: RunRecord,
  screen: Screen,
): readonly string[] {
  const [first] = sameReason;
  if (sameReason.length === 1) return findingLines(first, record, screen);
  const { mark, word } = VERDICT_SIGNS[first.verdict];
  const head = `${mark} ${sameReason.length} ${word}: ${idsOf(sameReason)}`;
  return framed(head, partTexts(first), paintOf(first.verdict, screen), screen);
}

function findingLines(finding: Finding, record: RunRecord, screen: Screen): readonly string[] {
  const { id, level, verdict, sentence } = finding;
  const { mark, word } = VERDICT_SIGNS[verdict];
  const texts = textsOf(record, finding, fixOf(finding, record.causes)).map(lineOf);
  const head = `${mark} ${id} ${word} (${level}): ${tame(sentence)}`;
  return [...framed(head, texts, paintOf(verdict, screen), screen), ...repeatLines(finding, screen)];
}

const idsOf = (findings: readonly Finding[]): string => findings.map(({ id }) => id).join(', ');

const partTexts = (finding: Finding): readonly string[] => partsOf(finding).map(lineOf);

const lineOf = ({ label, text }: Labelled): string =>
  (SELF_EVIDENT.has(label) ? '' : `${label}: `) + tame(text);

/** What a reader recognizes without its label. */
const SELF_EVIDENT: ReadonlySet<string> = new Set(['Reason', 'Timeline']);

/** A longer command, such as one with a name of 2,000 characters, would hide the finding that it belongs to. */
const LONGEST_REPEAT = 600;

/** The command stays unwrapped, so that it can be copied. */
function repeatLines(finding: Finding, screen: Screen): readonly string[] {
  const repeat = repeatOf(finding);
  if (repeat === undefined) return [];
  const bar = paintOf(finding.verdict, screen)('│');
  if (repeat.length > LONGEST_REPEAT)
    return [`${bar} ${screen.colours.dim('The command that repeats it is long: the report has it.')}`];
  return repeat
    .split('\n')
    .map((line, at) => `${bar} ${screen.colours.dim(`${at === 0 ? '$' : ' '} ${tame(line)}`)}`);
}

function remarkLines({ remarks }: RunRecord, screen: Screen): readonly string[] {
  if (remarks.length === 0) return [];
  return [...remarks.flatMap((remark) => hanging(`· ${tame(remark)}`, screen)), ''];
}

/** What a client does where the specification leaves it open; what a service does is in its report. */
function observationLines({ subject, observations }: RunRecord, screen: Screen): readonly string[] {
  if (subject !== 'client' || observations.length === 0) return [];
  const texts = observations.map(
    ({ id, value, advice }) =>
      `${id} (not judged): ${value}${advice === undefined ? '' : ` Advice: ${advice}`}`,
  );
  return [...texts.flatMap((text) => hanging(`· ${tame(text)}`, screen)), ''];
}

function closingLines(record: RunRecord, screen: Screen): readonly string[] {
  const { columns, colours } = screen;
  const paint = { violates: colours.red, incomplete: colours.yellow, conforms: colours.green }[
    record.outcome
  ];
  const sentence = wrapped(`${outcomeSign(record).mark} ${outcomeSentence(record)}`, columns);
  const [[subject, tested]] = subjectFacts(record);
  const counts = countsOf(record)
    .filter(({ count }) => count > 0)
    .map(({ verdict, word, count }) => paintOf(verdict, screen)(`${count} ${word}`));
  const run = [requestsOf(record), durationOf(record), ...circumstancesOf(record).map(tame)];
  return [
    ...sentence.map((line) => paint(colours.bold(line))),
    ...baselineSentences(record).flatMap((text) => hanging(`· ${text}`, screen)),
    ...untestedLines(record, screen),
    ...(record.subject === 'load' ? endingLines(record, screen) : []),
    ...hanging(`${subject}: ${tame(tested)}`, screen),
    [...counts, ...run].join(' · '),
  ];
}

/** What the outcome says nothing about: right behind it, so that it is not read as more. */
function untestedLines(record: RunRecord, { columns, colours }: Screen): readonly string[] {
  const untested = untestedIn(record);
  if (untested === undefined) return [];
  return [
    ...wrapped(`${VERDICT_SIGNS['not-tested'].mark} ${untested.sentence}`, columns).map(colours.bold),
    ...untested.reasons
      .flatMap(({ ids, text }) => wrapped(`${ids}: ${tame(text)}`, columns - 2))
      .map((line) => `│ ${line}`),
  ];
}
