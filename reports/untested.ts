import { countOf } from '../kernel/basics/text.ts';
import { groupedBy } from '../kernel/exchanges/collections.ts';
import type { Finding, RunRecord } from '../kernel/findings/record.ts';
import { furtherLevels } from '../spec/levels.ts';
import { isWithoutVerdict } from './subject.ts';

/** MUST requirements that a run did not test, or not completely, for one reason. */
export interface UntestedGroup {
  readonly findings: readonly Finding[];
  /** Whether they passed in what was tested of them. */
  readonly inPart: boolean;
  /** What it needs, in whole sentences. */
  readonly reason: string;
}

/** More requirements than this with one reason are named by their ids alone. */
const MOST_WITH_SENTENCES = 4;

/**
 * The MUST requirements on the subject that this run did not test, by reason, and then those that it tested in part: the
 * outcome says nothing about them. Empty where there is no verdict, because then nothing was tested.
 */
export function untestedGroupsOf(record: RunRecord): readonly UntestedGroup[] {
  if (isWithoutVerdict(record) || record.subject === 'load') return [];
  const { requirements, subject } = record;
  const untested = requirements.flatMap((finding) =>
    finding.verdict === 'not-tested' && finding.level === 'MUST' && binds(finding, subject) ? [finding] : [],
  );
  const inPart = requirements.flatMap((finding): readonly UntestedGroup[] =>
    finding.verdict === 'pass' && finding.level === 'MUST' && finding.untested !== undefined
      ? [{ findings: [finding], reason: finding.untested, inPart: true }]
      : [],
  );
  const groups = [...groupedBy(untested, ({ reason }) => reason)];
  return [...groups.map(([reason, findings]) => ({ findings, reason, inPart: false })), ...inPart];
}

/** Whether a requirement is on what was tested: no test of a service shows what clients do. */
const binds = ({ id }: Finding, subject: RunRecord['subject']): boolean =>
  id.startsWith('CLIENT-') === (subject === 'client');

/** So many ids fit the sentence; more of them are only in the groups behind it. */
const MOST_IN_SENTENCE = 8;

/** The sentence that names what was not tested, as far as it has space; undefined where every MUST was. */
export function untestedSentence(record: RunRecord): string | undefined {
  const groups = untestedGroupsOf(record);
  const idsOf = (inPart: boolean): readonly string[] =>
    groups.flatMap((group) => (group.inPart === inPart ? group.findings.map(({ id }) => id) : []));
  const [ids, tested] = [idsOf(false), idsOf(true)];
  const sentences = [
    ...(ids.length === 0 ? [] : [notTestedSentence(ids)]),
    ...(tested.length === 0 ? [] : [`Tested in part: ${tested.join(', ')}.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

const notTestedSentence = (ids: readonly string[]): string =>
  ids.length > MOST_IN_SENTENCE
    ? `${ids.length} MUST requirements were not tested.`
    : `${countOf(ids.length, 'MUST requirement was', 'MUST requirements were')} not tested: ${ids.join(', ')}.`;

/** One group as a line for a person: its ids with their level, or else what they require, and what it needs to test them. */
export function untestedText({ findings, reason, inPart }: UntestedGroup): {
  readonly ids: string;
  readonly text: string;
} {
  const level = furtherLevels.find(({ requirements }) => requirements.some((id) => id === findings[0]?.id));
  const sentences =
    inPart || level !== undefined || findings.length > MOST_WITH_SENTENCES
      ? []
      : findings.map(({ sentence }) => sentence);
  const ids = findings.map(({ id }) => id).join(', ');
  return {
    ids: level === undefined ? ids : `${ids} (level ${level.name})`,
    text: [...sentences, reason].join(' '),
  };
}
