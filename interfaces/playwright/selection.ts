import { register } from '../../spec/register.ts';

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

/** The requirements that Playwright selected; undefined where it selected all, or nothing says which. */
export function selectedIds(env: NodeJS.ProcessEnv): readonly string[] | undefined {
  const ids = new Set((env[VARIABLE] ?? '').split(',').filter((id) => testedIds.has(id)));
  return ids.size === 0 || ids.size === testedIds.size ? undefined : [...ids];
}

const testedIds: ReadonlySet<string> = new Set(testedEntries.map(({ id }) => id));
