import { createHash } from 'node:crypto';
import type { Level } from '../../spec/register/statement.ts';
import { isNewer, scoredSets } from '../../spec/sets.ts';

interface Scored {
  readonly id: string;
  readonly level: Level;
  readonly sentence: string;
}

/**
 * The set that a release scores: the newest one where the register has nothing else, or where that is of a version
 * still to come, and one of its own otherwise.
 */
export function setOfRelease(
  version: string,
  register: readonly Scored[],
): { readonly file: string; readonly text: string } {
  const newest = scoredSets().at(-1);
  const isKnown = register.every(({ id }) => newest?.requirements.has(id));
  const name =
    newest !== undefined && (isKnown || !isNewer(version, newest.version)) ? newest.version : version;
  const lines = register.map(({ id, level, sentence }) => {
    const digest = createHash('sha256').update(sentence).digest('base64url');
    return `  "${id}": { "level": "${level}", "sentence": "${digest}" }`;
  });
  return { file: `spec/sets/${name}.json`, text: `{\n${lines.join(',\n')}\n}\n` };
}
