import { createColors } from 'picocolors';
import { partsOf } from '../suites/model/finding-text.ts';
import { repeatOf } from '../suites/model/findings.ts';
import type { Cause, Finding, RunRecord, Verdict } from '../suites/model/record.ts';
import { baselineSentences } from './baseline/texts.ts';
import { bounded, visibleLine } from './foreign-text.ts';
import {
  citationOf,
  countsOf,
  durationOf,
  fixOf,
  groupsOf,
  OUTCOME_SIGNS,
  outcomeSentence,
  reportedOf,
  requestsOf,
  VERDICT_SIGNS,
} from './outcome.ts';
import { circumstancesOf, subjectFacts } from './subject.ts';
import { citedTimelines } from './timelines/cited.ts';
import { MARKS_LEGEND, timelineMarks, timelineText } from './timelines/line.ts';
import { untestedGroupsOf, untestedSentence, untestedText } from './untested.ts';

/** How the closing verdict is to look. */
export interface VerdictStyle {
  /** Whether the terminal shows colours; without them the words are the same. */
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

/** Characters of one text: more of it is in the report. */
const TEXT_LIMIT = 1200;
const NARROWEST = 40;
const WIDEST = 110;

/** Gives a text its colour, or leaves it. */
export type Paint = (text: string) => string;
/** The colours of a terminal, or none. */
export type Colours = ReturnType<typeof createColors>;

/**
 * The closing verdict for a terminal: what explains most of it first, then violations, then what stayed
 * inconclusive, then warnings, and the outcome in the last lines, where the eye is when the run ends. Every line begins with a character of ours,
 * so that nothing from a target can begin a line and be obeyed as a command by a build server.
 */
export function renderVerdict(record: RunRecord, { colour, width }: VerdictStyle): string {
  const colours = createColors(colour);
  const columns = columnsOf(width);
  const tally = reportedOf(record);
  const shown: readonly Verdict[] = ['fail', 'inconclusive', 'warn'];
  const lines = [
    ...headlineLines(record, columns, colours),
    ...shown.flatMap((verdict) =>
      groupsOf(tally[verdict], record.causes).flatMap(({ cause, findings }) =>
        cause === undefined || findings.length === 1
          ? []
          : [...causeLines(cause, findings, columns, colours), ''],
      ),
    ),
    ...shown.flatMap((verdict) =>
      reasonsOf(record, alone(tally[verdict], record.causes)).flatMap((sameReason) => [
        ...groupLines(sameReason, record, columns, colours),
        '',
      ]),
    ),
    ...remarkLines(record, columns),
    ...observationLines(record, columns),
    ...closingLines(record, columns, colours),
  ];
  return `${lines.join('\n')}\n`;
}

/** As many columns as are used of a terminal of this width. */
export const columnsOf = (width: number): number =>
  Math.min(Math.max(Math.floor(width) || 0, NARROWEST), WIDEST);

/** Findings with the same reason, such as an interrupted run, are shown once. */
function byReason(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.because);
    if (group === undefined) groups.set(finding.because, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

/** After a rejected key, everything that stayed inconclusive is one group: the headline is the reason. */
function reasonsOf({ headline }: RunRecord, findings: readonly Finding[]): readonly (readonly Finding[])[] {
  if (headline?.kind !== 'key-rejected' || findings[0]?.verdict !== 'inconclusive') return byReason(findings);
  const reason = `${headline.text} The reason for each is in report.html.`;
  return [findings.map((finding) => (finding.verdict === 'inconclusive' ? { ...finding, reason } : finding))];
}

/** The findings of one verdict that share their cause with no other finding of it. */
const alone = (findings: readonly Finding[], causes: readonly Cause[]): readonly Finding[] =>
  groupsOf(findings, causes).flatMap(({ findings: members }) => (members.length === 1 ? members : []));

function headlineLines({ headline }: RunRecord, columns: number, colours: Colours): readonly string[] {
  if (headline === undefined) return [];
  const [first = '', ...rest] = wrapped(`! ${tame(headline.text)}`, columns - 2);
  return [
    colours.red(colours.bold(first)),
    ...rest.map((line) => colours.red(`│ ${colours.bold(line)}`)),
    ...wrapped(tame(headline.fix), columns - 2).map((line) => `${colours.red('│')} ${line}`),
    '',
  ];
}

/** Several findings of one verdict with one cause: the cause, how to fix it, and the first finding as an example. */
function causeLines(
  cause: Cause,
  findings: readonly Finding[],
  columns: number,
  colours: Colours,
): readonly string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const paint = paintOf(first.verdict, colours);
  const { mark, word } = VERDICT_SIGNS[first.verdict];
  const ids = findings.map(({ id }) => id).join(', ');
  const [head = '', ...rest] = wrapped(
    `${mark} ${findings.length} ${word}, one cause: ${tame(cause.title)}`,
    columns - 2,
  );
  const body = [
    `${ids}.`,
    ...(cause.fix === undefined ? [] : [`Fix: ${tame(cause.fix)}`]),
    `For example ${first.id}:`,
    ...partLines(first),
  ];
  return [
    paint(colours.bold(head)),
    ...rest.map((line) => paint(`│ ${colours.bold(line)}`)),
    ...body.flatMap((text) => wrapped(text, columns - 2)).map((line) => `${paint('│')} ${line}`),
    ...repeatLines(first).map((line) => `${paint('│')} ${colours.dim(line)}`),
  ];
}

function groupLines(
  sameReason: readonly Finding[],
  record: RunRecord,
  columns: number,
  colours: Colours,
): readonly string[] {
  const [first, second] = sameReason;
  if (first === undefined) return [];
  if (second === undefined) return findingLines(first, record, columns, colours);
  const paint = paintOf(first.verdict, colours);
  const { mark, word } = VERDICT_SIGNS[first.verdict];
  const ids = sameReason.map(({ id }) => id).join(', ');
  const [head = '', ...rest] = wrapped(`${mark} ${sameReason.length} ${word}: ${ids}`, columns - 2);
  return [
    paint(colours.bold(head)),
    ...rest.map((line) => paint(`│ ${colours.bold(line)}`)),
    ...partLines(first)
      .flatMap((text) => wrapped(text, columns - 2))
      .map((line) => `${paint('│')} ${line}`),
  ];
}

function findingLines(
  finding: Finding,
  record: RunRecord,
  columns: number,
  colours: Colours,
): readonly string[] {
  const paint = paintOf(finding.verdict, colours);
  const { mark, word } = VERDICT_SIGNS[finding.verdict];
  const [first = '', ...rest] = wrapped(
    `${mark} ${finding.id} ${word} (${finding.level}): ${tame(finding.sentence)}`,
    columns - 2,
  );
  const cited = citationOf(finding.exchanges);
  const fix = fixOf(finding, record.causes);
  const body = [
    ...partLines(finding),
    ...(fix === undefined ? [] : [`Fix: ${tame(fix)}`]),
    ...(cited === '' ? [] : [`Evidence: ${cited}`]),
  ].flatMap((text) => wrapped(text, columns - 2));
  return [
    paint(colours.bold(first)),
    ...rest.map((line) => paint(`│ ${colours.bold(line)}`)),
    ...body.map((line) => `${paint('│')} ${line}`),
    ...timelineLines(finding, record, columns).map((line) => `${paint('│')} ${line}`),
    ...repeatLines(finding).map((line) => `${paint('│')} ${colours.dim(line)}`),
  ];
}

/** The timelines of the starts that a finding against a client rests on, in words and as an axis with marks. */
function timelineLines(finding: Finding, record: RunRecord, columns: number): readonly string[] {
  const lines = citedTimelines(record, finding).flatMap((timeline) => [
    ...wrapped(tame(timelineText(timeline)), columns - 2),
    timelineMarks(timeline, columns - 2),
  ]);
  return lines.length === 0 ? [] : [...lines, ...wrapped(MARKS_LEGEND, columns - 2)];
}

/** The parts of a finding with their labels; a reason has none. */
const partLines = (finding: Finding): readonly string[] =>
  partsOf(finding).map(({ label, text }) => (label === 'Reason' ? tame(text) : `${label}: ${tame(text)}`));

/** The command stays unwrapped, so that it can be copied. */
function repeatLines(finding: Finding): readonly string[] {
  const repeat = repeatOf(finding);
  if (repeat === undefined) return [];
  return repeat.split('\n').map((line, at) => `${at === 0 ? '$' : ' '} ${tame(line)}`);
}

function remarkLines({ remarks }: RunRecord, columns: number): readonly string[] {
  if (remarks.length === 0) return [];
  return [...remarks.flatMap((remark) => hanging(`· ${tame(remark)}`, columns)), ''];
}

/** What a client does where the specification leaves it open; what a service does is in its report. */
function observationLines({ subject, observations }: RunRecord, columns: number): readonly string[] {
  if (subject === 'service' || observations.length === 0) return [];
  const texts = observations.map(
    ({ id, value, advice }) =>
      `${id} (not judged): ${value}${advice === undefined ? '' : ` Advice: ${advice}`}`,
  );
  return [...texts.flatMap((text) => hanging(`· ${tame(text)}`, columns)), ''];
}

/** A text over as many lines as it needs, of which only the first begins as it does. */
export function hanging(text: string, columns: number): readonly string[] {
  const [first = '', ...rest] = wrapped(text, columns - 2);
  return [first, ...rest.map((line) => `│ ${line}`)];
}

function closingLines(record: RunRecord, columns: number, colours: Colours): readonly string[] {
  const paint = { violates: colours.red, incomplete: colours.yellow, conforms: colours.green }[
    record.outcome
  ];
  const sentence = wrapped(`${OUTCOME_SIGNS[record.outcome].mark} ${outcomeSentence(record)}`, columns);
  const [subject] = subjectFacts(record);
  const counts = countsOf(record)
    .filter(({ count }) => count > 0)
    .map(({ verdict, word, count }) => paintOf(verdict, colours)(`${count} ${word}`));
  const run = [requestsOf(record), durationOf(record), ...circumstancesOf(record).map(tame)].join(' · ');
  return [
    ...sentence.map((line) => paint(colours.bold(line))),
    ...baselineSentences(record).flatMap((sentence) => hanging(`· ${sentence}`, columns)),
    ...untestedLines(record, columns, colours),
    ...hanging(`${subject?.name}: ${tame(subject?.value ?? '')}`, columns),
    [...counts, run].join(' · '),
  ];
}

/** What the outcome says nothing about: right behind it, so that it is not read as more. */
function untestedLines(record: RunRecord, columns: number, colours: Colours): readonly string[] {
  const sentence = untestedSentence(record);
  if (sentence === undefined) return [];
  const details = untestedGroupsOf(record).map(untestedText);
  return [
    ...wrapped(`${VERDICT_SIGNS['not-tested'].mark} ${sentence}`, columns).map(colours.bold),
    ...details
      .flatMap(({ ids, text }) => wrapped(`${ids}: ${tame(text)}`, columns - 2))
      .map((line) => `│ ${line}`),
  ];
}

/** The colour of a verdict. */
export const paintOf = (verdict: Verdict, colours: Colours): Paint =>
  ({
    fail: colours.red,
    inconclusive: colours.magenta,
    warn: colours.yellow,
    pass: colours.green,
    'not-tested': colours.dim,
  })[verdict];

/** Bounded, with every character visible, and without the `##…[` that some build servers obey anywhere in a line. */
export const tame = (text: string): string =>
  visibleLine(bounded(text, TEXT_LIMIT)).replace(/##(?=[\w-]*\[)/g, '# #');

/**
 * Text in lines of at most `columns` characters. A long word is divided. Written here, because
 * wrap-ansi 10 takes time that grows faster than the text, and the text may be a target's.
 */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line: readonly string[] = [];
  for (const word of text.split(/ +/).flatMap((long) => pieces([...long], columns))) {
    if (line.length > 0 && line.length + 1 + word.length <= columns) line = [...line, ' ', ...word];
    else {
      if (line.length > 0) lines.push(line.join(''));
      line = word;
    }
  }
  return [...lines, line.join('')];
}

function pieces(word: readonly string[], columns: number): readonly (readonly string[])[] {
  const count = Math.max(1, Math.ceil(word.length / columns));
  return Array.from({ length: count }, (_, at) => word.slice(at * columns, (at + 1) * columns));
}
