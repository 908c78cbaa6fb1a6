import type { RequirementId } from '../../spec/register.ts';
import { register } from '../../spec/register.ts';

/** Carries the selection from Playwright's main process, which knows it, to the worker, which needs it. */
const VARIABLE = 'PETSTORE_SELECTED_REQUIREMENTS';

/** The entries that have a test: everything but the duties of clients, of which a server gives no evidence. */
export const examined = register.filter(({ judged }) => judged === 'by certify');

/** The title of an entry's test: its id, then its sentence without the marks of code spans. */
export const titleOf = ({ id, sentence }: (typeof examined)[number]): string =>
  `${id} ${sentence.replaceAll('`', '')}`;

/** Writes down which of these titles are requirements. */
export function select(titles: readonly string[], env: NodeJS.ProcessEnv): void {
  const ids = titles.map((title) => title.split(' ', 1)[0] ?? '').filter((id) => known.has(id));
  env[VARIABLE] = ids.join(',');
}

/** The selected requirements; undefined where nothing was written down, or nothing but the examination was selected. */
export function selected(env: NodeJS.ProcessEnv): ReadonlySet<RequirementId> | undefined {
  const ids = (env[VARIABLE] ?? '').split(',');
  const found = examined.map(({ id }) => id).filter((id) => ids.includes(id));
  return found.length === 0 ? undefined : new Set(found);
}

const known: ReadonlySet<string> = new Set(examined.map(({ id }) => id));
