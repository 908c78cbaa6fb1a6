import { groupedBy } from '../exchanges/collections.ts';
import { entry } from '../spec/register.ts';
import type { Finding, RunRecord } from '../suites/model/record.ts';
import { countOf } from '../words/text.ts';
import { isWithoutVerdict } from './subject.ts';

/** MUST requirements that a run did not test, for one reason. */
export interface UntestedGroup {
  readonly findings: readonly Finding[];
  /** What it needs, in whole sentences. */
  readonly reason: string;
}

/** More requirements than this with one reason are named by their ids alone. */
const MOST_WITH_SENTENCES = 4;

/**
 * The MUST requirements on the subject that this run did not test, by reason: the outcome says nothing about them.
 * Empty where there is no verdict, because then nothing was tested.
 */
export function untestedGroupsOf(record: RunRecord): readonly UntestedGroup[] {
  if (isWithoutVerdict(record)) return [];
  const { requirements, subject } = record;
  const untested = requirements.flatMap((finding) =>
    finding.verdict === 'not-tested' && finding.level === 'MUST' && binds(finding, subject) ? [finding] : [],
  );
  return [...groupedBy(untested, ({ reason }) => reason)].map(([reason, findings]) => ({ findings, reason }));
}

/** Whether a requirement is on what was tested: no test of a service shows what clients do. */
const binds = ({ id }: Finding, subject: RunRecord['subject']): boolean =>
  (entry(id).judged === 'by certify') === (subject === 'service');

/** So many ids fit the sentence; more of them are only in the groups behind it. */
const MOST_IN_SENTENCE = 8;

/** The sentence that names what was not tested, as far as it has space; undefined where every MUST was. */
export function untestedSentence(record: RunRecord): string | undefined {
  const ids = untestedGroupsOf(record).flatMap(({ findings }) => findings.map(({ id }) => id));
  if (ids.length === 0) return undefined;
  if (ids.length > MOST_IN_SENTENCE) return `${ids.length} MUST requirements were not tested.`;
  return `${countOf(ids.length, 'MUST requirement was', 'MUST requirements were')} not tested: ${ids.join(', ')}.`;
}

/** One group as a line for a person: its ids, what they require, and what it needs to test them. */
export function untestedText({ findings, reason }: UntestedGroup): {
  readonly ids: string;
  readonly text: string;
} {
  const sentences =
    findings.length > MOST_WITH_SENTENCES ? [] : findings.map(({ sentence }) => withoutHint(sentence));
  return { ids: findings.map(({ id }) => id).join(', '), text: [...sentences, reason].join(' ') };
}

/** The register names the option in parentheses, which the reason names, too. */
const withoutHint = (sentence: string): string => sentence.replace(/ \(opt-in: [^)]*\)/, '');
