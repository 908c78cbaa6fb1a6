import type { LoadRecord } from '../../kernel/findings/record.ts';

/** A program that judges, and the specification that belongs to it. */
export interface Judging {
  readonly suite: LoadRecord['suite'];
  readonly spec: NonNullable<LoadRecord['spec']>;
}

/** What a report has to say where another version judges than the one that recorded the run. */
export function otherJudgeRemarks(
  recorded: Pick<LoadRecord, 'suite' | 'spec'>,
  { suite, spec }: Judging,
): readonly string[] {
  const [before, now] = [recorded.suite.version, suite.version];
  const otherSpec = recorded.spec !== undefined && recorded.spec.digest !== spec.digest;
  return [
    before === now
      ? []
      : `The run was recorded by version ${before} of the suite and judged by version ${now}. What only one of the two versions judges shows in this report.`,
    otherSpec
      ? `The run was recorded with another version of the specification (${recorded.spec?.digest}) than the one that belongs to the suite which judged it (${spec.digest}).`
      : [],
  ].flat();
}
