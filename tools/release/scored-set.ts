import { createHash } from 'node:crypto';
import type { Level } from '../../spec/register/statement.ts';
import type { ScoredSet } from '../../spec/sets.ts';
import { isNewer, scoredSets } from '../../spec/sets.ts';

interface Scored {
  readonly id: string;
  readonly level: Level;
  readonly sentence: string;
}

/** What a set states of these requirements. */
export const scoredOf = (register: readonly Scored[]): ScoredSet['requirements'] =>
  new Map(
    register.map(({ id, level, sentence }) => [
      id,
      { level, sentence: createHash('sha256').update(sentence).digest('base64url') },
    ]),
  );

/**
 * The set that a release scores: the newest one where the register has nothing else, or where that is of a version
 * still to come, and one of its own otherwise. It begins with the newest one as it is.
 */
export function setOfRelease(
  version: string,
  register: readonly Scored[],
): { readonly file: string; readonly text: string } {
  const newest = scoredSets().at(-1);
  const known = newest?.requirements ?? new Map<string, never>();
  const added = [...scoredOf(register)].filter(([id]) => !known.has(id));
  const name =
    newest !== undefined && (added.length === 0 || !isNewer(version, newest.version))
      ? newest.version
      : version;
  const lines = [...known, ...added].map(
    ([id, { level, sentence }]) => `  "${id}": { "level": "${level}", "sentence": "${sentence}" }`,
  );
  return { file: `spec/sets/${name}.json`, text: `{\n${lines.join(',\n')}\n}\n` };
}
