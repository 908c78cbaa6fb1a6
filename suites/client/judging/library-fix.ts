import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { headerValue } from '../../../kernel/exchanges/headers.ts';
import { libraryOf } from '../libraries/index.ts';
import type { ClientRequirement } from './requirement.ts';

/**
 * How to fix a violation: in any library, and in the one that the client names in the User-Agent of the requests that show
 * the violation, where it is known. Watched traffic may be that of several programs. It decides advice, never a verdict.
 */
export function fixFor({ fix, fixedIn }: ClientRequirement, shownBy: readonly Exchange[]): string {
  if (fixedIn === 'program') return fix;
  const agents = shownBy.map(({ request }) => headerValue(request.headers, 'User-Agent') ?? '');
  const [library] = agents.flatMap((agent) => libraryOf(agent) ?? []);
  return library === undefined
    ? fix
    : `${fix} The client names ${library.name} in its User-Agent (proven with ${library.version}): ${library.fix}`;
}
