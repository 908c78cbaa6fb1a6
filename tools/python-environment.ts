import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Host } from '../load/k6/host.ts';
import { isExecutable, lastLineOf, toolCache } from '../load/k6/host.ts';
import type { FoundTool, MissingTool, ToolSearch } from './finding.ts';
import { findOrInstall, toolSearch } from './finding.ts';

/**
 * What tests use of Python, each in a virtual environment of its own in the tool cache: a tool that
 * tests the reference server, and what verifies our attestations. By its name, the package that
 * shows its version; a file of that name pins it and everything that it needs.
 */
const PACKAGES = {
  schemathesis: 'schemathesis',
  'in-toto': 'securesystemslib',
} as const;

/** The name of such a tool. */
export type PythonToolName = keyof typeof PACKAGES;

/**
 * Finds the Python that has a tool, in its environment in the tool cache. With `install` it creates the environment,
 * with the pinned release, where it is missing or does not work.
 */
export async function findPythonTool(
  name: PythonToolName,
  options: Partial<ToolSearch> = {},
): Promise<FoundTool | MissingTool> {
  const { host, install, onProgress } = toolSearch(options);
  const pinned = await pinnedVersion(name);
  const folder = join(toolCache(host), name, pinned);
  const python = pythonOf(host, folder);
  return findOrInstall<FoundTool>(install, {
    async present(tried) {
      const found = (await isExecutable(python)) ? await probe(host, python, name) : 'not in the tool cache';
      if (typeof found !== 'string') return found;
      tried.push(found);
      return undefined;
    },
    installers: [
      async () => {
        onProgress(`${name}: installing ${pinned} into a virtual environment`);
        await rm(folder, { recursive: true, force: true });
        return makeEnvironment(host, folder, requirementsOf(name));
      },
    ],
    advice: 'Install Python 3.10 or newer with its venv module.',
  });
}

const requirementsOf = (name: PythonToolName): string =>
  fileURLToPath(new URL(`./${name}.txt`, import.meta.url));

/** The version that is pinned. @throws {Error} when none is. */
export async function pinnedVersion(name: PythonToolName): Promise<string> {
  const lines = (await readFile(requirementsOf(name), 'utf8')).split('\n');
  const start = `${PACKAGES[name]}==`;
  const version = lines.find((line) => line.startsWith(start))?.slice(start.length);
  if (version === undefined) throw new Error(`${name}.txt does not pin a version of ${PACKAGES[name]}.`);
  return version;
}

/** Asks a Python for the tool; a string says why it has none, as a clause for a person. */
async function probe(host: Host, python: string, name: PythonToolName): Promise<FoundTool | string> {
  const script = `from importlib.metadata import version; print("version", version("${PACKAGES[name]}"))`;
  const answer = await host.run(python, ['-c', script], { timeoutSeconds: 60 });
  const version = answer.kind === 'ended' ? /version (\d+\.\d+\.\d+)/.exec(answer.stdout)?.[1] : undefined;
  return version === undefined
    ? `${python}: ${lastLineOf(answer)}`
    : { kind: 'found', path: python, version };
}

/** Creates the environment in a temporary folder and renames it. Resolves to why it failed, or undefined. */
async function makeEnvironment(
  host: Host,
  folder: string,
  requirements: string,
): Promise<string | undefined> {
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(join(dirname(folder), 'making-'));
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements];
  const steps = [
    ['venv', host.platform === 'win32' ? 'python' : 'python3', ['-m', 'venv', fresh]],
    ['pip', pythonOf(host, fresh), pip],
  ] as const;
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

const pythonOf = (host: Host, folder: string): string =>
  host.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');

/** Ignores the error if another process has created the same environment in the meantime. */
function unlessAnotherWasFirst(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST' && error.code !== 'EPERM') throw error;
}
