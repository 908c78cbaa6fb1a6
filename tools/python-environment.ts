import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Host } from '../load/k6/host.ts';
import { isExecutable, lastLineOf } from '../load/k6/host.ts';
import { toolCache } from '../load/k6/tool-cache.ts';
import type { ToolSearch } from './finding.ts';

/** A tool written in Python, in a virtual environment of its own in the tool cache. */
export interface PythonTool<Found> {
  /** The name of its folder in the tool cache, and its name in progress output. */
  readonly name: string;
  /** Its name in the requirements file. */
  readonly package: string;
  /** The path of the file that pins it and its dependencies. */
  readonly requirements: string;
  /** Looks for it with this interpreter. A string says why it is not available, as a clause for a person. */
  readonly probe: (python: string) => Promise<Found | string>;
}

/** The advice for machines without Python. */
export const NEEDS_PYTHON = 'Install Python 3.10 or newer with its venv module';

/**
 * Finds a tool in its environment in the tool cache. With `install` it creates the
 * environment if it is missing or does not work. `tried` is called with the reason
 * of each failed attempt.
 */
export async function findInEnvironment<Found>(
  tool: PythonTool<Found>,
  { host, install, onProgress }: ToolSearch,
  tried: (why: string) => void,
): Promise<Found | undefined> {
  const foundOrNote = (result: Found | string): Found | undefined => {
    if (typeof result !== 'string') return result;
    tried(result);
    return undefined;
  };
  const pinned = await pinnedVersion(tool);
  const folder = join(toolCache(host), tool.name, pinned);
  const python = pythonOf(host, folder);
  const exists = await isExecutable(python);
  const found = foundOrNote(exists ? await tool.probe(python) : 'not in the tool cache');
  if (found !== undefined || !install) return found;

  onProgress(`${tool.name}: installing ${pinned} into a virtual environment`);
  if (exists) await rm(folder, { recursive: true, force: true });
  return foundOrNote((await makeEnvironment(host, folder, tool.requirements)) ?? (await tool.probe(python)));
}

/** The version of a package that the requirements file pins. @throws {Error} when it pins none. */
export async function pinnedVersion({
  package: name,
  requirements,
}: Pick<PythonTool<unknown>, 'package' | 'requirements'>): Promise<string> {
  const lines = (await readFile(requirements, 'utf8')).split('\n');
  const version = lines.find((line) => line.startsWith(`${name}==`))?.slice(name.length + 2);
  if (version === undefined) throw new Error(`${requirements} does not pin a version of ${name}.`);
  return version;
}

/** Creates the environment in a temporary folder and renames it. Resolves to why it failed, or undefined. */
async function makeEnvironment(
  host: Host,
  folder: string,
  requirements: string,
): Promise<string | undefined> {
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(join(dirname(folder), 'making-'));
  const windows = host.platform === 'win32';
  const steps: readonly Step[] = [
    ['venv', windows ? 'python' : 'python3', ['-m', 'venv', fresh]],
    [
      'pip',
      pythonOf(host, fresh),
      ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements],
    ],
  ];
  try {
    for (const [name, command, args] of steps) {
      const done = await host.run(command, args, { timeoutSeconds: 300 });
      if (done.kind !== 'ended' || done.code !== 0) return `${name}: ${lastLineOf(done)}`;
    }
    await rename(fresh, folder).catch(unlessAnotherWasFirst);
    return undefined;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

type Step = readonly [name: string, command: string, args: readonly string[]];

function pythonOf(host: Host, folder: string): string {
  return host.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}

/** Ignores the error if another process has created the same environment in the meantime. */
function unlessAnotherWasFirst(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST' && error.code !== 'EPERM') throw error;
}
