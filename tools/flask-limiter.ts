import { fileURLToPath } from 'node:url';
import type { Host } from '../load/k6/host.ts';
import { lastLineOf } from '../load/k6/host.ts';
import type { Missing, Search } from './finding.ts';
import { search } from './finding.ts';
import { findInEnvironment, NEEDS_PYTHON } from './python-environment.ts';

/** A Python that has Flask-Limiter, or why there is none. */
export type FlaskLimiter =
  | { readonly kind: 'found'; readonly python: string; readonly version: string }
  | Missing;

/** The file that pins Flask-Limiter and everything that it needs. */
export const REQUIREMENTS = fileURLToPath(new URL('./flask-limiter.txt', import.meta.url));

const VERSION = 'from importlib.metadata import version; print("version", version("Flask-Limiter"))';

/**
 * Finds Flask-Limiter, software of strangers that the tests examine, in the
 * tool cache; with `install` also makes a virtual environment there with the
 * pinned release.
 */
export async function findFlaskLimiter(options: Partial<Search> = {}): Promise<FlaskLimiter> {
  const { host, install, say } = search(options);
  const tried: string[] = [];
  const tool = {
    name: 'flask-limiter',
    package: 'Flask-Limiter',
    requirements: REQUIREMENTS,
    ask: (python: string) => ask(host, python),
  };
  const found = await findInEnvironment(tool, { host, install, say }, (why) => tried.push(why));
  return found ?? { kind: 'missing', tried, advice: `${NEEDS_PYTHON}.` };
}

async function ask(host: Host, python: string): Promise<FlaskLimiter | string> {
  const answer = await host.run(python, ['-c', VERSION], { timeoutSeconds: 60 });
  const version = answer.kind === 'ended' ? /version (\d+\.\d+\.\d+)/.exec(answer.stdout)?.[1] : undefined;
  return version === undefined ? `${python}: ${lastLineOf(answer)}` : { kind: 'found', python, version };
}
