import type { Specification } from '../../spec/specification.ts';
import { SUITE } from '../model/suite.ts';

/** The last line of a journal, whether a service was tested or a client. */
interface End {
  readonly how: 'finished' | 'interrupted' | 'failed';
  readonly because: string;
}

/** Why a run that did not come to its end says less than it could, as sentences. */
export function endRemarks(end: End | undefined): readonly string[] {
  if (end === undefined)
    return ['The journal has no last line: the run was cut off, and is judged as far as it was recorded.'];
  return end.how === 'finished' ? [] : [`The run did not finish: ${end.because}`];
}

/** The first line of a journal, as far as it names versions. */
interface RecordedBy {
  readonly suite: { readonly version: string };
  readonly spec: { readonly digest: string };
}

/** What a reader has to know where a run is judged by another version than it was recorded by, as sentences. */
export function versionRemarks({ suite, spec }: RecordedBy, { digest }: Specification): readonly string[] {
  const found: string[] = [];
  if (suite.version !== SUITE.version)
    found.push(
      `The run was recorded by version ${suite.version} of the suite and judged by version ${SUITE.version}. What only one of the two versions tests or judges shows in this report.`,
    );
  if (spec.digest !== digest)
    found.push(
      `The journal was recorded with another version of the specification (${spec.digest}) than the one it is judged by (${digest}).`,
    );
  return found;
}
