import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Host } from '../load/k6/host.ts';
import { isExecutable, lastLineOf } from '../load/k6/host.ts';
import { toolCache } from '../load/k6/tool-cache.ts';
import type { Search } from './finding.ts';

/** A tool written in Python, in a virtual environment of its own in the tool cache. */
export interface PythonTool<Found> {
  /** The name of its folder in the tool cache, and in what is said. */
  readonly name: string;
  /** Its name in the requirements. */
  readonly package: string;
  /** The file that pins it and everything that it needs. */
  readonly requirements: string;
  /** Asks the environment's interpreter for it; a string is a clause for a person that says why it is not there. */
  readonly ask: (python: string) => Promise<Found | string>;
}

/** What to install where there is no Python. */
export const NEEDS_PYTHON = 'Install Python 3.10 or newer with its venv module';

/**
 * Finds a tool in its environment in the tool cache; with `install` makes that
 * where it is not there or does not run. `tried` hears every reason why not.
 */
export async function findInEnvironment<Found>(
  tool: PythonTool<Found>,
  { host, install, say }: Search,
  tried: (why: string) => void,
): Promise<Found | undefined> {
  const keep = (asked: Found | string): Found | undefined => {
    if (typeof asked !== 'string') return asked;
    tried(asked);
    return undefined;
  };
  const pinned = await pinnedVersion(tool);
  const folder = join(toolCache(host), tool.name, pinned);
  const python = pythonOf(host, folder);
  const there = await isExecutable(python);
  const kept = keep(there ? await tool.ask(python) : 'nothing kept in the tool cache yet');
  if (kept !== undefined || !install) return kept;

  say(`${tool.name}: installing ${pinned} into a virtual environment of its own`);
  if (there) await rm(folder, { recursive: true, force: true });
  return keep((await makeEnvironment(host, folder, tool.requirements)) ?? (await tool.ask(python)));
}

/** The version of a package that its requirements pin. */
export async function pinnedVersion({
  package: name,
  requirements,
}: Pick<PythonTool<unknown>, 'package' | 'requirements'>): Promise<string> {
  const lines = (await readFile(requirements, 'utf8')).split('\n');
  const version = lines.find((line) => line.startsWith(`${name}==`))?.slice(name.length + 2);
  if (version === undefined) throw new Error(`${requirements} pins no version of ${name}.`);
  return version;
}

/** Makes the environment beside its place and moves it there in one step. What went wrong, or undefined. */
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

/** Another run may have moved its environment into place meanwhile: then that one serves as well. */
function unlessAnotherWasFirst(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST' && error.code !== 'EPERM') throw error;
}
