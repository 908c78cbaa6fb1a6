import { countOf } from '../../kernel/basics/text.ts';
import { leavesOutcomeOpen } from '../../kernel/findings/findings.ts';
import { gateOf } from '../../kernel/findings/gate.ts';
import type { BaselineCheck, RunRecord } from '../../kernel/findings/record.ts';

/** What a comparison with a baseline found, a sentence each; empty where the run had none. */
export function baselineSentences(record: RunRecord): readonly string[] {
  const { baseline } = record;
  if (baseline === undefined) return [];
  const { known, unknown, expired, stale, undecided } = baseline;
  const lines = [
    known.length === 0 ? '' : `${countOf(known.length, 'known violation')}: ${known.join(', ')}.`,
    unknown.length === 0
      ? ''
      : `${countOf(unknown.length, 'violation')} not in the baseline: ${unknown.join(', ')}.`,
    expired.length === 0
      ? ''
      : `${countOf(expired.length, 'entry', 'entries')} of the baseline expired: ${expired.map(expiredText).join(', ')}.`,
    stale.length === 0
      ? ''
      : `${countOf(stale.length, 'entry', 'entries')} of the baseline ${stale.length === 1 ? 'is' : 'are'} stale, because the requirement no longer fails: ${stale.join(', ')}. Remove ${stale.length === 1 ? 'it' : 'them'}.`,
    undecided.length === 0
      ? ''
      : `${countOf(undecided.length, 'entry', 'entries')} of the baseline ${undecided.length === 1 ? 'was' : 'were'} not decided by this run: ${undecided.join(', ')}.`,
    openText(record),
  ].filter((line) => line !== '');
  return lines.length === 0 ? ['The baseline is empty, and nothing failed.'] : lines;
}

/** Why a run does not pass although every violation is known; empty where it passes, or fails. */
function openText(record: RunRecord): string {
  if (record.outcome !== 'violates' || gateOf(record) !== 'incomplete') return '';
  const open = record.requirements.filter(leavesOutcomeOpen).map(({ id }) => id);
  return `The run is incomplete nevertheless, because ${countOf(open.length, 'MUST requirement')} ${open.length === 1 ? 'is' : 'are'} inconclusive: ${open.join(', ')}.`;
}

/** How the violations of a record stand to its baseline, as the end of the sentence that counts them. */
export function knownText({ unknown, expired, known }: BaselineCheck): string {
  const others = unknown.length + expired.length;
  if (others === 0) return known.length === 1 ? ', which is known' : ', all of them known';
  return known.length === 0
    ? ', and none of them is known'
    : `, and ${others} of them ${others === 1 ? 'is' : 'are'} not known`;
}

const expiredText = ({ id, expires }: BaselineCheck['expired'][number]): string => `${id} (${expires})`;
