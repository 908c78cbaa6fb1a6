import { completeText } from '../exchanges/body.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { challengeTag } from '../suites/inputs/tag.ts';
import type { JournalLine } from '../suites/model/journal.ts';
import { NAME_PREFIX } from '../suites/probes/category-names.ts';
import { jsonFields, parsedJson } from '../words/json.ts';

/** Why a journal does not carry this challenge; empty where it does. */
export function challengeProblems(lines: readonly JournalLine[], text: string): readonly string[] {
  const [run] = lines;
  const challenge = run?.kind === 'run' ? run.challenge : undefined;
  if (challenge === undefined) {
    return ['The run carries no challenge: it was recorded without --challenge.'];
  }
  if (challenge.text !== text) {
    return [`The run carries another challenge than "${text}": it was recorded for another occasion.`];
  }
  const begin = `${NAME_PREFIX}${challengeTag(challenge)}-`;
  const carries = lines.some(
    (line) => line.kind === 'exchange' && sentName(line)?.startsWith(begin) === true,
  );
  return carries
    ? []
    : ['No name that the run sent follows from the challenge: the first line of the journal was edited.'];
}

/** A category that a journal shows as created. */
export interface CreatedCategory {
  readonly id: number;
  readonly name: string;
}

/** What the run created with a name of this challenge, as the responses gave it. */
export const createdCategories = (lines: readonly JournalLine[]): readonly CreatedCategory[] =>
  lines.flatMap((line) => {
    if (line.kind !== 'exchange' || line.outcome.kind !== 'answer' || line.outcome.status !== 201) return [];
    const { id, name } = jsonFields(parsedJson(completeText(line.outcome) ?? ''));
    return typeof id === 'number' && typeof name === 'string' ? [{ id, name }] : [];
  });

function sentName({ request }: Exchange): string | undefined {
  const { name } = jsonFields(parsedJson(request.body?.text ?? ''));
  return typeof name === 'string' ? name : undefined;
}
