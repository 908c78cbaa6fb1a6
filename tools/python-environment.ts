import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Host } from '../load/k6/host.ts';
import { isExecutable, lastLineOf, onPath, toolCache } from '../load/k6/host.ts';
import type { MissingTool, ToolSearch } from './finding.ts';
import { findOrInstall, toolSearch } from './finding.ts';

/** A tool written in Python, in a virtual environment of its own in the tool cache. */
interface PythonTool<Found> {
  /** The name of its folder in the tool cache, and its name in progress output. */
  readonly name: string;
  /** Its name in the requirements file. */
  readonly package: string;
  /** The path of the file that pins it and its dependencies. */
  readonly requirements: string;
  readonly advice: string;
  /** Looks for it with this interpreter. A string says why it is not available, as a clause for a person. */
  readonly probe: (python: string) => Promise<Found | string>;
}

/** The advice for machines without Python. */
const NEEDS_PYTHON = 'Install Python 3.10 or newer with its venv module';

/**
 * Finds a tool in its environment in the tool cache. With `install` it creates the
 * environment if it is missing or does not work.
 */
async function findInEnvironment<Found>(
  tool: PythonTool<Found>,
  { host, install, onProgress }: ToolSearch,
  tried: string[] = [],
): Promise<Found | MissingTool> {
  const pinned = await pinnedVersion(tool);
  const folder = join(toolCache(host), tool.name, pinned);
  const python = pythonOf(host, folder);
  const present = async (why: string[]): Promise<Found | undefined> => {
    const found = (await isExecutable(python)) ? await tool.probe(python) : 'not in the tool cache';
    if (typeof found !== 'string') return found;
    why.push(found);
    return undefined;
  };
  const create = async (): Promise<string | undefined> => {
    onProgress(`${tool.name}: installing ${pinned} into a virtual environment`);
    await rm(folder, { recursive: true, force: true });
    return makeEnvironment(host, folder, tool.requirements);
  };
  return findOrInstall(install, { present, installers: [create], advice: tool.advice }, tried);
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

/** A Python that has a package, or why there is none. */
type PythonWithPackage =
  | { readonly kind: 'found'; readonly python: string; readonly version: string }
  | MissingTool;

/** A package that the tests use from Python, with the file that pins it. */
type PythonPackage = Pick<PythonTool<unknown>, 'name' | 'package' | 'requirements'>;

/**
 * Finds a Python package in the tool cache. With `install` it creates a virtual
 * environment there with the pinned release if necessary.
 */
function findPythonPackage(wanted: PythonPackage, options: Partial<ToolSearch>): Promise<PythonWithPackage> {
  const search = toolSearch(options);
  const tool = { ...wanted, advice: `${NEEDS_PYTHON}.` };
  return findInEnvironment(
    { ...tool, probe: (python) => probe(search.host, python, wanted.package) },
    search,
  );
}

async function probe(host: Host, python: string, name: string): Promise<PythonWithPackage | string> {
  const script = `from importlib.metadata import version; print("version", version("${name}"))`;
  const answer = await host.run(python, ['-c', script], { timeoutSeconds: 60 });
  const version = answer.kind === 'ended' ? /version (\d+\.\d+\.\d+)/.exec(answer.stdout)?.[1] : undefined;
  return version === undefined ? `${python}: ${lastLineOf(answer)}` : { kind: 'found', python, version };
}

/** The file that pins Flask-Limiter and everything that it needs. */
export const FLASK_LIMITER_REQUIREMENTS = fileURLToPath(new URL('./flask-limiter.txt', import.meta.url));

/** Finds Flask-Limiter, a third-party limiter that the tests run against. */
export const findFlaskLimiter = (options: Partial<ToolSearch> = {}): Promise<PythonWithPackage> =>
  findPythonPackage(
    { name: 'flask-limiter', package: 'Flask-Limiter', requirements: FLASK_LIMITER_REQUIREMENTS },
    options,
  );

const REQUIREMENTS = fileURLToPath(new URL('./in-toto.txt', import.meta.url));

/** Finds securesystemslib and in-toto-attestation, which verify our attestations in a test. */
export const findInToto = (options: Partial<ToolSearch> = {}): Promise<PythonWithPackage> =>
  findPythonPackage({ name: 'in-toto', package: 'securesystemslib', requirements: REQUIREMENTS }, options);

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
  const search = toolSearch(options);
  const { host } = search;
  const tried: string[] = [];
  const paths = await onPath(host, ['schemathesis', 'st']);
  if (paths.length === 0) tried.push('neither schemathesis nor st is in PATH');
  for (const path of paths) {
    const found = await schemathesisProbe(host, path, []);
    if (typeof found !== 'string') return found;
    tried.push(found);
  }
  const tool = {
    name: 'schemathesis',
    package: 'schemathesis',
    requirements: fileURLToPath(new URL('./schemathesis.txt', import.meta.url)),
    advice: ADVICE,
    probe: (python: string) => schemathesisProbe(host, python, AS_MODULE),
  };
  return findInEnvironment(tool, search, tried);
}

async function schemathesisProbe(
  host: Host,
  command: string,
  args: readonly string[],
): Promise<Schemathesis | string> {
  const answer = await host.run(command, [...args, '--version'], { timeoutSeconds: 60 });
  const version = answer.kind === 'ended' ? /version (\d+\.\d+\.\d+)/.exec(answer.stdout)?.[1] : undefined;
  if (version === undefined) return `${command}: ${lastLineOf(answer)}`;
  if (Number.parseInt(version, 10) !== MAJOR) return `${command} is Schemathesis ${version}, not ${MAJOR}.x`;
  return { kind: 'found', command, args, version };
}
