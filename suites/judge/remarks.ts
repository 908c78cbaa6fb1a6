import type { Specification } from '../../spec/specification.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { testedWindows } from '../evidence/further-windows.ts';
import { endRemarks, versionRemarks } from '../evidence/run-remarks.ts';
import type { JournalContents } from '../model/journal.ts';
import type { Headline } from '../model/record.ts';

/** A window shorter than this is for demonstrations and tests, in seconds. */
const SHORT_WINDOW = 30;

/** The windows of a thorough run. */
const THOROUGH_WINDOWS = 3;

/** Why a run says less than it could, one sentence each. */
export function remarksOf(
  evidence: Evidence,
  { damage }: JournalContents,
  specification: Specification,
  headline: Headline | undefined,
): readonly string[] {
  const { run, end } = evidence;
  if (headline?.kind === 'wrong-target') return damage;
  const found = [...damage, ...endRemarks(end)];
  const windows = testedWindows(evidence);
  if (run.inputs.thorough && windows < THOROUGH_WINDOWS) {
    found.push(
      `Of the three windows of --thorough this run tested ${windows}: a further one needs a 429 at the end of the first one, and a key that is accepted again after that.`,
    );
  }
  if (run.limits.minuteSeconds < SHORT_WINDOW) {
    found.push(
      `The minute of this run lasted ${run.limits.minuteSeconds} s. Such a short window weakens every proof about time: LIMIT-2, LIMIT-4, RATE-8, RATE-9 and RETRY-4 allow a second or two for clocks and rounding. For a certificate, run with the real window.`,
    );
  }
  return [...found, ...versionRemarks(run, specification)];
}
