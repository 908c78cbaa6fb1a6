import { fileURLToPath } from 'node:url';
import type { Host } from '../load/k6/host.ts';
import { lastLineOf, onPath } from '../load/k6/host.ts';
import type { MissingTool, ToolSearch } from './finding.ts';
import { toolSearch } from './finding.ts';
import { findInEnvironment, NEEDS_PYTHON } from './python-environment.ts';

/** A Schemathesis that reported its version, or why there is none. */
export type Schemathesis =
  | {
      readonly kind: 'found';
      /** The command to run. */
      readonly command: string;
      /** The arguments that come before all others. */
      readonly args: readonly string[];
      readonly version: string;
    }
  | MissingTool;

const MAJOR = 4;
/** The scripts of a virtual environment break when it is renamed; its modules do not. */
const AS_MODULE = ['-m', 'schemathesis.cli'];
const ADVICE = `${NEEDS_PYTHON}, or put schemathesis 4 on PATH.`;

/**
 * Finds Schemathesis, a third-party tool that tests the reference server: on `PATH`,
 * then in the tool cache. With `install` it creates a virtual environment there with
 * the pinned release if necessary.
 */
export async function findSchemathesis(options: Partial<ToolSearch> = {}): Promise<Schemathesis> {
  const { host, install, onProgress } = toolSearch(options);
  const tried: string[] = [];
  const paths = await onPath(host, ['schemathesis', 'st']);
  if (paths.length === 0) tried.push('neither schemathesis nor st is in PATH');
  for (const path of paths) {
    const found = await probe(host, path, []);
    if (typeof found !== 'string') return found;
    tried.push(found);
  }

  const installed = await findInEnvironment(
    {
      name: 'schemathesis',
      package: 'schemathesis',
      requirements: fileURLToPath(new URL('./schemathesis.txt', import.meta.url)),
      probe: (python) => probe(host, python, AS_MODULE),
    },
    { host, install, onProgress },
    (why) => tried.push(why),
  );
  return installed ?? { kind: 'missing', tried, advice: ADVICE };
}

async function probe(host: Host, command: string, args: readonly string[]): Promise<Schemathesis | string> {
  const answer = await host.run(command, [...args, '--version'], { timeoutSeconds: 60 });
  const version = answer.kind === 'ended' ? /version (\d+\.\d+\.\d+)/.exec(answer.stdout)?.[1] : undefined;
  if (version === undefined) return `${command}: ${lastLineOf(answer)}`;
  if (Number.parseInt(version, 10) !== MAJOR) return `${command} is Schemathesis ${version}, not ${MAJOR}.x`;
  return { kind: 'found', command, args, version };
}
