import { register } from '../../spec/register.ts';
import { UserError } from '../../words/user-error.ts';
import type { Selection } from '../model/journal.ts';

/** Passes the selection from Playwright's main process to its workers. */
const VARIABLE = 'PETSTORE_SELECTED_REQUIREMENTS';

/** The entries of the register that have a test: all but those that bind clients, for which a server gives no evidence. */
export const testedEntries = register.filter(({ judged }) => judged === 'by certify');

/** The tag of every test of this package, so that `--grep @petstore` selects them all. */
export const TAG = '@petstore';

/** The title of an entry's test: its id, then its sentence without backticks. */
export const titleOf = ({ id, sentence }: (typeof testedEntries)[number]): string =>
  `${id} ${sentence.replaceAll('`', '')}`;

/** Stores which of these titles are requirements. */
export function storeSelection(titles: readonly string[], env: NodeJS.ProcessEnv): void {
  const ids = titles.map((title) => title.split(' ', 1)[0] ?? '').filter((id) => testedIds.has(id));
  env[VARIABLE] = ids.join(',');
}

/**
 * What a run is limited to: the tests that Playwright selected, and of these what the options leave. Undefined where
 * neither limits it.
 * @throws {UserError} when nothing is left.
 */
export function selectionOf(chosen: Selection | undefined, env: NodeJS.ProcessEnv): Selection | undefined {
  const ids = (env[VARIABLE] ?? '').split(',');
  const stored = testedEntries.map(({ id }) => id).filter((id) => ids.includes(id));
  if (stored.length === 0 || stored.length === testedEntries.length) return chosen;
  if (chosen === undefined) return { kind: 'selected', requirements: stored };
  const requirements = chosen.requirements.filter((id) => ids.includes(id));
  if (requirements.length > 0) return { ...chosen, requirements };
  throw new UserError('The tests that Playwright selected and the options have no requirement in common.');
}

const testedIds: ReadonlySet<string> = new Set(testedEntries.map(({ id }) => id));
