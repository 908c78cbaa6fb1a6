import { didYouMean } from '../../../kernel/basics/nearest.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import type { Selection } from '../../../kernel/findings/tested.ts';
import { register } from '../../../spec/register.ts';
import type { InputNames } from './input-names.ts';
import { quickIds } from './select.ts';

/** What a user limits a run to: each text holds ids, chapters and levels, separated by commas. */
export interface SelectionOptions {
  readonly only?: string | readonly string[] | undefined;
  readonly skip?: string | readonly string[] | undefined;
  readonly quick?: boolean | undefined;
}

const tested = register.filter(({ judged }) => judged === 'by certify');

/** Every name that selects requirements, in capitals, and the ids that it stands for. */
const names: ReadonlyMap<string, readonly string[]> = namesOf();

function namesOf(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { id, chapter, level } of tested) {
    for (const name of [id, id.replace(/-\d+$/, ''), chapter, level]) {
      const key = name.toUpperCase();
      found.set(key, [...(found.get(key) ?? []), id]);
    }
  }
  return found;
}

/**
 * What a run is limited to; undefined where no option limits it. `--skip` takes requirements away from what `--only`
 * and `--quick` leave.
 * @param inputs what the user calls the options.
 * @param selected ids that the run is limited to beforehand; undefined where it is not.
 * @throws {UserError} when a name is unknown, or no requirement is left.
 */
export function readSelection(
  { only, skip, quick }: SelectionOptions,
  inputs: Pick<InputNames, 'only' | 'skip'>,
  selected?: readonly string[],
): Selection | undefined {
  if (only === undefined && skip === undefined && quick !== true && selected === undefined) return undefined;
  const wanted = only === undefined ? undefined : idsIn(only, inputs.only);
  const skipped = idsIn(skip ?? [], inputs.skip);
  const requirements = tested.flatMap(({ id }) => {
    const isWanted = (wanted?.has(id) ?? true) && (selected?.includes(id) ?? true);
    const isInTime = quick !== true || quickIds.has(id);
    return isWanted && isInTime && !skipped.has(id) ? [id] : [];
  });
  if (requirements.length === 0) {
    const inQuick = quick === true ? ' A quick run tests nothing that needs a 429.' : '';
    const among = selected === undefined ? '' : ' among the selected tests';
    throw new UserError(`The options leave no requirement to test${among}.${inQuick}`);
  }
  return { kind: quick === true ? 'quick' : 'selected', requirements };
}

function idsIn(texts: string | readonly string[], option: string): ReadonlySet<string> {
  const words = [texts]
    .flat()
    .flatMap((text) => text.split(','))
    .map((word) => word.trim());
  return new Set(words.flatMap((word) => idsNamed(word, option)));
}

function idsNamed(word: string, option: string): readonly string[] {
  const ids = names.get(word.toUpperCase());
  if (ids !== undefined) return ids;
  throw new UserError(
    `${option} takes ids (CREATE-4), chapters (CREATE, "Create a category") and levels (MUST, SHOULD, OBSERVE), not "${word}".${didYouMean(word, [...names.keys()])}`,
  );
}
