import type { LoadRecord, RunRecord, Verdict } from '../../kernel/findings/record.ts';

type Judged = Pick<RunRecord | LoadRecord, 'requirements'>;

/** The ids of the requirements with one of these verdicts, in the order of the record. */
export const idsWith = ({ requirements }: Judged, ...verdicts: readonly Verdict[]): readonly string[] =>
  requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);

/** The same with verdicts and reasons, one line each: `LIST-1 fail: …`. */
export const reasonsOf = ({ requirements }: Judged, ...verdicts: readonly Verdict[]): readonly string[] =>
  requirements
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ id, verdict, because }) => `${id} ${verdict}: ${because}`);
