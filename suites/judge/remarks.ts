import type { Specification } from '../../spec/specification.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { testedWindows } from '../evidence/further-windows.ts';
import type { JournalContents } from '../model/journal.ts';
import type { Headline } from '../model/record.ts';
import { SUITE } from '../model/suite.ts';

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
  const found: string[] = [...damage];
  if (headline?.kind === 'wrong-target') return found;
  if (end === undefined)
    found.push('The journal has no last line: the run was cut off, and is judged as far as it was recorded.');
  else if (end.how !== 'finished') found.push(`The run did not finish: ${end.because}`);
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
  if (run.suite.version !== SUITE.version) {
    found.push(
      `The run was recorded by version ${run.suite.version} of the suite and judged by version ${SUITE.version}. What only one of the two versions tests or judges shows in this report.`,
    );
  }
  if (run.spec.digest !== specification.digest) {
    found.push(
      `The journal was recorded with another version of the specification (${run.spec.digest}) than the one it is judged by (${specification.digest}).`,
    );
  }
  return found;
}
