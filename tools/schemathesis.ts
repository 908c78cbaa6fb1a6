import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Host } from '../load/k6/host.ts';
import { isExecutable, lastWords, onPath, thisHost } from '../load/k6/host.ts';
import { toolCache } from '../load/k6/tool-cache.ts';

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
  | {
      readonly kind: 'missing';
      /** What was tried in vain, a clause for a person each. */
      readonly tried: readonly string[];
      /** One line: what to do. */
      readonly advice: string;
    };

/** How to look for Schemathesis. All of it has a default. */
export interface SchemathesisOptions {
  readonly host?: Host;
  /** False looks without installing anything, as tests do. */
  readonly install?: boolean;
  /** Hears what takes time, before it begins, one line each. */
  readonly say?: (line: string) => void;
}

/** The release, and everything that it needs, each at the version it was tried with. */
const REQUIREMENTS = fileURLToPath(new URL('./schemathesis.txt', import.meta.url));
const MAJOR = 4;
/** The scripts of an environment do not survive its move into place; its modules do. */
const AS_MODULE = ['-m', 'schemathesis.cli'];
const ADVICE = 'Install Python 3.10 or newer with its venv module, or put schemathesis 4 on PATH.';

/**
 * Finds Schemathesis, a tool of strangers that the tests let loose on the
 * reference server: on `PATH`, then in the tool cache; with `install` also makes
 * a virtual environment there with the pinned release.
 */
export async function findSchemathesis(options: SchemathesisOptions = {}): Promise<Schemathesis> {
  const { host = thisHost(), install = false, say = () => undefined } = options;
  const tried: string[] = [];
  const keep = (asked: Schemathesis | string) => {
    if (typeof asked !== 'string') return asked;
    tried.push(asked);
    return undefined;
  };

  const paths = await onPath(host, ['schemathesis', 'st']);
  if (paths.length === 0) tried.push('neither schemathesis nor st is in PATH');
  for (const path of paths) {
    const found = keep(await ask(host, path, []));
    if (found !== undefined) return found;
  }

  const pinned = await pinnedVersion();
  const folder = join(toolCache(host), 'schemathesis', pinned);
  const python = pythonOf(host, folder);
  const there = await isExecutable(python);
  const kept = keep(there ? await ask(host, python, AS_MODULE) : 'nothing kept in the tool cache yet');
  if (kept !== undefined) return kept;

  if (install) {
    say(`schemathesis: installing ${pinned} into a virtual environment of its own`);
    if (there) await rm(folder, { recursive: true, force: true });
    const made = keep((await makeEnvironment(host, folder)) ?? (await ask(host, python, AS_MODULE)));
    if (made !== undefined) return made;
  }
  return { kind: 'missing', tried, advice: ADVICE };
}

async function pinnedVersion(): Promise<string> {
  const version = /^schemathesis==(\S+)$/m.exec(await readFile(REQUIREMENTS, 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${REQUIREMENTS} pins no version of schemathesis.`);
  return version;
}

async function ask(host: Host, command: string, args: readonly string[]): Promise<Schemathesis | string> {
  const answer = await host.run(command, [...args, '--version'], { timeoutSeconds: 60 });
  const version = answer.kind === 'ended' ? /version (\d+\.\d+\.\d+)/.exec(answer.stdout)?.[1] : undefined;
  if (version === undefined) return `${command}: ${lastWords(answer)}`;
  if (Number.parseInt(version, 10) !== MAJOR) return `${command} is Schemathesis ${version}, not ${MAJOR}.x`;
  return { kind: 'found', command, args, version };
}

/** Makes the environment beside its place and moves it there in one step. What went wrong, or undefined. */
async function makeEnvironment(host: Host, folder: string): Promise<string | undefined> {
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(join(dirname(folder), 'making-'));
  const windows = host.platform === 'win32';
  const steps: readonly Step[] = [
    ['venv', windows ? 'python' : 'python3', ['-m', 'venv', fresh]],
    [
      'pip',
      pythonOf(host, fresh),
      ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS],
    ],
  ];
  try {
    for (const [name, command, args] of steps) {
      const done = await host.run(command, args, { timeoutSeconds: 300 });
      if (done.kind !== 'ended' || done.code !== 0) return `${name}: ${lastWords(done)}`;
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
