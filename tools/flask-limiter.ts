import { fileURLToPath } from 'node:url';
import type { Host } from '../load/k6/host.ts';
import { lastLineOf } from '../load/k6/host.ts';
import type { MissingTool, ToolSearch } from './finding.ts';
import { toolSearch } from './finding.ts';
import { findInEnvironment, NEEDS_PYTHON } from './python-environment.ts';

/** A Python that has Flask-Limiter, or why there is none. */
export type FlaskLimiter =
  | { readonly kind: 'found'; readonly python: string; readonly version: string }
  | MissingTool;

/** The file that pins Flask-Limiter and everything that it needs. */
export const FLASK_LIMITER_REQUIREMENTS = fileURLToPath(new URL('./flask-limiter.txt', import.meta.url));

const VERSION = 'from importlib.metadata import version; print("version", version("Flask-Limiter"))';

/**
 * Finds Flask-Limiter, a third-party limiter that the tests run against, in the
 * tool cache. With `install` it creates a virtual environment there with the
 * pinned release if necessary.
 */
export async function findFlaskLimiter(options: Partial<ToolSearch> = {}): Promise<FlaskLimiter> {
  const { host, install, onProgress } = toolSearch(options);
  const tried: string[] = [];
  const tool = {
    name: 'flask-limiter',
    package: 'Flask-Limiter',
    requirements: FLASK_LIMITER_REQUIREMENTS,
    probe: (python: string) => probe(host, python),
  };
  const found = await findInEnvironment(tool, { host, install, onProgress }, (why) => tried.push(why));
  return found ?? { kind: 'missing', tried, advice: `${NEEDS_PYTHON}.` };
}

async function probe(host: Host, python: string): Promise<FlaskLimiter | string> {
  const answer = await host.run(python, ['-c', VERSION], { timeoutSeconds: 60 });
  const version = answer.kind === 'ended' ? /version (\d+\.\d+\.\d+)/.exec(answer.stdout)?.[1] : undefined;
  return version === undefined ? `${python}: ${lastLineOf(answer)}` : { kind: 'found', python, version };
}
