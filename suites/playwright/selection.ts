import type { RequirementId } from '../../spec/register.ts';
import { register } from '../../spec/register.ts';

/** Passes the selection from Playwright's main process to its workers. */
const VARIABLE = 'PETSTORE_SELECTED_REQUIREMENTS';

/** The entries of the register that have a test: all but those that bind clients, for which a server gives no evidence. */
export const testedEntries = register.filter(({ judged }) => judged === 'by certify');

/** The title of an entry's test: its id, then its sentence without backticks. */
export const titleOf = ({ id, sentence }: (typeof testedEntries)[number]): string =>
  `${id} ${sentence.replaceAll('`', '')}`;

/** Stores which of these titles are requirements. */
export function storeSelection(titles: readonly string[], env: NodeJS.ProcessEnv): void {
  const ids = titles.map((title) => title.split(' ', 1)[0] ?? '').filter((id) => testedIds.has(id));
  env[VARIABLE] = ids.join(',');
}

/** The selected requirements; undefined where no selection is stored, or where it contains no requirement or every one. */
export function selectedRequirements(env: NodeJS.ProcessEnv): ReadonlySet<RequirementId> | undefined {
  const ids = (env[VARIABLE] ?? '').split(',');
  const selected = testedEntries.map(({ id }) => id).filter((id) => ids.includes(id));
  const isLimited = selected.length > 0 && selected.length < testedEntries.length;
  return isLimited ? new Set(selected) : undefined;
}

const testedIds: ReadonlySet<string> = new Set(testedEntries.map(({ id }) => id));
