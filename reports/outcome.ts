import { countOf, durationText } from '../kernel/basics/text.ts';
import { leavesOutcomeOpen, ownFixOf } from '../kernel/findings/finding.ts';
import { isNoRun, partialAnswer } from '../kernel/findings/gate.ts';
import { conformsText } from '../kernel/findings/levels.ts';
import type {
  Cause,
  Finding,
  LoadRecord,
  Outcome,
  PartialAnswer,
  RunRecord,
  Verdict,
} from '../kernel/findings/record.ts';
import type { Selection } from '../kernel/findings/tested.ts';
import { NOT_REQUIRED } from '../spec/sets.ts';
import { knownText } from './baseline.ts';
import { idsText, sentText } from './load/texts.ts';
import { isWithoutVerdict, nounOf, noVerdictSentence } from './subject.ts';

/** How a verdict is shown: a mark for the eye and a word, never colour alone. */
export interface Sign {
  readonly mark: string;
  readonly word: string;
}

export const signText = ({ mark, word }: Sign): string => `${mark} ${word}`;

export const VERDICT_SIGNS: Readonly<Record<Verdict, Sign>> = {
  fail: { mark: '✗', word: 'fail' },
  inconclusive: { mark: '?', word: 'inconclusive' },
  warn: { mark: '!', word: 'warn' },
  pass: { mark: '✓', word: 'pass' },
  'not-tested': { mark: '–', word: 'not tested' },
};

export const VERDICTS = Object.keys(VERDICT_SIGNS) as readonly Verdict[];

const OUTCOME_SIGNS: Readonly<Record<Outcome, Sign>> = {
  violates: { mark: '✗', word: 'violates' },
  incomplete: { mark: '?', word: 'incomplete' },
  conforms: { mark: '✓', word: 'conforms' },
};

const PARTIAL_SIGNS: Readonly<Record<PartialAnswer, Sign>> = {
  fail: { mark: '✗', word: 'partial: violates' },
  inconclusive: { mark: '?', word: 'partial: inconclusive' },
  pass: { mark: '✓', word: 'partial' },
};

/** The outcome as every report shows it. That of a partial run is `partial`, with what its selection showed. */
export function outcomeSign(record: RunRecord): Sign {
  if (isNoRun(record)) return { mark: '?', word: 'no verdict' };
  if (record.selection !== undefined)
    return PARTIAL_SIGNS[record.partial ?? partialAnswer(record.requirements, [], record.selection)];
  const { mark, word } = OUTCOME_SIGNS[record.outcome];
  return { mark, word: record.outcome === 'conforms' ? conformsText(record) : word };
}

/** The findings of a run by verdict, each in the order of the register, but every MUST before every SHOULD. */
export type Tally = Readonly<Record<Verdict, readonly Finding[]>>;

/** The findings that a report shows one by one: none where there is no verdict. */
export function reportedOf(record: RunRecord): Tally {
  const tally = tallyOf(record);
  return isWithoutVerdict(record) ? { ...tally, fail: [], inconclusive: [], warn: [] } : tally;
}

export function tallyOf(record: RunRecord): Tally {
  const isMust = ({ level }: Finding): number => Number(level === 'MUST');
  const sorted = record.requirements.toSorted((one, other) => isMust(other) - isMust(one));
  const having = (verdict: Verdict) => sorted.filter((one) => one.verdict === verdict);
  return {
    fail: having('fail'),
    inconclusive: having('inconclusive'),
    warn: having('warn'),
    pass: having('pass'),
    'not-tested': having('not-tested'),
  };
}

export interface VerdictCount extends Sign {
  readonly verdict: Verdict;
  readonly count: number;
}

export const verdictCounts = (
  findings: readonly { readonly verdict: string }[],
  verdicts: readonly Verdict[],
): readonly VerdictCount[] =>
  verdicts.map((verdict) => ({
    ...VERDICT_SIGNS[verdict],
    verdict,
    count: findings.filter((one) => one.verdict === verdict).length,
  }));

/** How many findings of a run have each verdict, worst first: a load run warns of nothing, and leaves nothing out. */
export const countsOf = ({ subject, requirements }: RunRecord): readonly VerdictCount[] =>
  verdictCounts(requirements, subject === 'load' ? LOAD_VERDICTS : VERDICTS);

const LOAD_VERDICTS: readonly Verdict[] = ['fail', 'inconclusive', 'pass'];

/** The outcome in one sentence, for a person who reads nothing else. */
export function outcomeSentence(record: RunRecord): string {
  if (isNoRun(record)) return noVerdictSentence(record);
  const tally = tallyOf(record);
  if (record.subject === 'load') return loadSentence(record, tally);
  if (record.selection !== undefined) return partialSentence(record, record.selection);
  switch (record.outcome) {
    case 'violates':
      return `${violationText(record, tally)}${explained(record, tally)}`;
    case 'incomplete':
      return `The run is incomplete: no requirement failed, but ${openEnd(record, tally)}.`;
    case 'conforms':
      return `The ${nounOf(record)} ${conformsText(record)}. ${requirements(tally.pass.length)} passed, and none failed${warned(tally)}.${notRequired(tally)}`;
  }
}

function loadSentence({ profile, outcome, baseline, requirements: all }: LoadRecord, tally: Tally): string {
  const { fail, inconclusive } = tally;
  switch (outcome) {
    case 'violates':
      return `The target violates ${countOf(fail.length, 'expectation')} of load profile ${profile}${baseline === undefined ? '' : knownText(baseline)}: ${idsText(fail)}.`;
    case 'incomplete':
      return `Load profile ${profile} is incomplete: no expectation failed, but these are inconclusive: ${idsText(inconclusive)}.`;
    case 'conforms':
      return `The target conforms in load profile ${profile}: ${all.length === 1 ? 'its only expectation' : `all ${all.length} expectations`} passed.`;
  }
}

/** The outcome of a partial run, which never says that the target conforms. */
function partialSentence(record: RunRecord, { kind, requirements: selected }: Selection): string {
  const tally = tallyOf(record);
  const judged = record.requirements.filter(({ id }) => selected.includes(id)).length;
  const partial = `${kind === 'quick' ? 'Quick' : 'Partial'} run: ${judged} of ${requirements(record.requirements.length)}.`;
  if (record.outcome === 'violates')
    return `${violationText(record, tally)}${explained(record, tally)} ${partial}`;
  const open = tally.inconclusive.length === 0 ? '' : `, ${tally.inconclusive.length} inconclusive`;
  return `${partial} ${tally.pass.length} passed, none failed${open}${warned(tally)}. It cannot certify.`;
}

/** How many requirements are violated, and whether a baseline knows them. */
function violationText(record: RunRecord, { fail }: Tally): string {
  const { baseline } = record;
  const known = baseline === undefined ? '' : knownText(baseline);
  return `The ${nounOf(record)} violates ${requirements(fail.length)} of the specification${known}.`;
}

/** How many of the violations share a cause. */
function explained({ causes }: RunRecord, { fail }: Tally): string {
  const violated = new Set(fail.map(({ id }) => id));
  const ours = causes
    .map(({ requirements: ids }) => ids.filter((id) => violated.has(id)).length)
    .filter((count) => count > 1);
  const sum = ours.reduce((total, count) => total + count, 0);
  if (sum === 0) return '';
  return ours.length === 1
    ? ` One cause explains ${sum} of them.`
    : ` ${ours.length} causes explain ${sum} of them.`;
}

/** What several findings have in common: a cause, or a reason. */
type Common = Pick<Cause, 'title' | 'requirements' | 'fix'>;

/** Findings that are shown together: one that has nothing in common with others, or all that have. */
export interface FindingGroup {
  readonly cause?: Common;
  readonly findings: readonly Finding[];
}

/** Findings by their cause; a cause takes the place of its first finding. */
export function groupsOf(findings: readonly Finding[], causes: readonly Common[]): readonly FindingGroup[] {
  const groups = new Map<Common | Finding, FindingGroup>();
  for (const finding of findings) {
    const cause = causeOf(finding, causes);
    if (cause === undefined) groups.set(finding, { findings: [finding] });
    else if (!groups.has(cause)) groups.set(cause, { cause, findings: membersOf(cause, findings) });
  }
  return [...groups.values()];
}

/** The findings that a cause explains, in its order: what follows from others stands behind them. */
const membersOf = ({ requirements: ids }: Common, findings: readonly Finding[]): readonly Finding[] =>
  ids.flatMap((id) => findings.filter((finding) => finding.id === id));

export const causeOf = <One extends Common>({ id }: Finding, causes: readonly One[]): One | undefined =>
  causes.find(({ requirements: ids }) => ids.includes(id));

export const fixOf = (finding: Finding, causes: readonly Cause[]): string | undefined =>
  causeOf(finding, causes)?.fix ?? ownFixOf(finding);

const requirements = (count: number): string => countOf(count, 'requirement');

function openEnd({ headline }: RunRecord, tally: Tally): string {
  if (headline?.kind === 'fault-not-shown') return 'the run does not show the injected fault';
  const open = tally.inconclusive.filter(leavesOutcomeOpen).length;
  if (open === 0) return 'it ended before a verdict';
  return `${countOf(open, 'MUST requirement is', 'MUST requirements are')} inconclusive`;
}

const warned = ({ warn }: Tally): string =>
  warn.length === 0 ? '' : `; ${countOf(warn.length, 'warning remains', 'warnings remain')}`;

/** Why a level does not need what a warning is about. */
const notRequired = ({ warn }: Tally): string =>
  NOT_REQUIRED.filter((one) => warn.some(({ id }) => id === one.id))
    .map(({ id, why }) => ` ${id}: ${why}`)
    .join('');

/** `83 requests (62 with the key)`, or `65 of 65 requests with 1 key` of a load run. */
export const requestsOf = (record: RunRecord): string =>
  record.subject === 'load'
    ? sentText(record)
    : `${countOf(record.requests.total, 'request')} (${record.requests.keyed} with the key)`;

type RunTimes = Pick<RunRecord, 'startedAt' | 'finishedAt'>;

/** How long a run took, in milliseconds; 0 where its times cannot be read. */
export const runMilliseconds = ({ startedAt, finishedAt }: RunTimes): number =>
  Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt) || 0);

/** How long a run took, as in `2 min 5 s` or `less than 0.1 s`; `an unknown time` where its times cannot be read. */
export function durationOf({ startedAt, finishedAt }: RunTimes): string {
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  if (!(seconds >= 0)) return 'an unknown time';
  return seconds < 0.05 ? 'less than 0.1 s' : durationText(seconds);
}

/** An ISO 8601 time as a person reads it, in UTC to the second; as it is where it cannot be read. */
export function momentOf(iso: string): string {
  const milliseconds = Date.parse(iso);
  if (Number.isNaN(milliseconds)) return iso;
  return `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Consecutive exchanges, by number; both ends belong to it. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** The numbers of exchanges gathered into stretches: 1, 2, 3 and 7 are `1–3` and `7`. */
export function stretchesOf(exchanges: readonly number[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const n of [...new Set(exchanges)].sort((a, b) => a - b)) {
    const before = stretches.at(-1);
    if (before?.last === n - 1) stretches[stretches.length - 1] = { first: before.first, last: n };
    else stretches.push({ first: n, last: n });
  }
  return stretches;
}

export const stretchText = ({ first, last }: Stretch): string =>
  first === last ? String(first) : `${first}–${last}`;

/** `exchange 12` or `exchanges 12–14, 20`; empty where none is cited. */
export function citationOf(exchanges: readonly number[]): string {
  if (exchanges.length === 0) return '';
  const noun = new Set(exchanges).size === 1 ? 'exchange' : 'exchanges';
  return `${noun} ${stretchesOf(exchanges).map(stretchText).join(', ')}`;
}
