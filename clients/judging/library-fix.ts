import type { Exchange } from '../../exchanges/exchange.ts';
import { headerValue } from '../../exchanges/headers.ts';
import type { ClientLibrary } from '../libraries/index.ts';
import { libraryOf } from '../libraries/index.ts';

/**
 * The library that the client names in the User-Agent of these requests, those that a finding cites: watched traffic may
 * be that of several programs. Undefined where they name none that is known. It decides advice, never a verdict.
 */
export function libraryIn(exchanges: readonly Exchange[]): ClientLibrary | undefined {
  const agents = new Set(exchanges.map(({ request }) => headerValue(request.headers, 'User-Agent') ?? ''));
  for (const agent of agents) {
    const library = libraryOf(agent);
    if (library !== undefined) return library;
  }
  return undefined;
}

/** How to fix a violation in any library, and in the one at hand where it is known. */
export const fixWith = (fix: string, library: ClientLibrary | undefined): string =>
  library === undefined
    ? fix
    : `${fix} The client names ${library.name} in its User-Agent (proven with ${library.version}): ${library.fix}`;
