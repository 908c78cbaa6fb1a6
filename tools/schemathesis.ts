import { fileURLToPath } from 'node:url';
import type { Host } from '../load/k6/host.ts';
import { lastLineOf, onPath } from '../load/k6/host.ts';
import type { Missing, Search } from './finding.ts';
import { search } from './finding.ts';
import { findInEnvironment, NEEDS_PYTHON } from './python-environment.ts';

/** A Schemathesis that answered with its version, or why there is none. */
export type Schemathesis =
  | {
      readonly kind: 'found';
      /** Run this … */
      readonly command: string;
      /** … with these arguments before those of your own. */
      readonly args: readonly string[];
      readonly version: string;
    }
  | Missing;

const MAJOR = 4;
/** The scripts of an environment do not survive its move into place; its modules do. */
const AS_MODULE = ['-m', 'schemathesis.cli'];
const ADVICE = `${NEEDS_PYTHON}, or put schemathesis 4 on PATH.`;

/**
 * Finds Schemathesis, a tool of strangers that the tests let loose on the
 * reference server: on `PATH`, then in the tool cache; with `install` also makes
 * a virtual environment there with the pinned release.
 */
export async function findSchemathesis(options: Partial<Search> = {}): Promise<Schemathesis> {
  const { host, install, say } = search(options);
  const tried: string[] = [];
  const paths = await onPath(host, ['schemathesis', 'st']);
  if (paths.length === 0) tried.push('neither schemathesis nor st is in PATH');
  for (const path of paths) {
    const found = await ask(host, path, []);
    if (typeof found !== 'string') return found;
    tried.push(found);
  }

  const kept = await findInEnvironment(
    {
      name: 'schemathesis',
      package: 'schemathesis',
      requirements: fileURLToPath(new URL('./schemathesis.txt', import.meta.url)),
      ask: (python) => ask(host, python, AS_MODULE),
    },
    { host, install, say },
    (why) => tried.push(why),
  );
  return kept ?? { kind: 'missing', tried, advice: ADVICE };
}

async function ask(host: Host, command: string, args: readonly string[]): Promise<Schemathesis | string> {
  const answer = await host.run(command, [...args, '--version'], { timeoutSeconds: 60 });
  const version = answer.kind === 'ended' ? /version (\d+\.\d+\.\d+)/.exec(answer.stdout)?.[1] : undefined;
  if (version === undefined) return `${command}: ${lastLineOf(answer)}`;
  if (Number.parseInt(version, 10) !== MAJOR) return `${command} is Schemathesis ${version}, not ${MAJOR}.x`;
  return { kind: 'found', command, args, version };
}
