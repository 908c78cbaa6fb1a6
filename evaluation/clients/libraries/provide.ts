import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLineOf, thisHost, toolCache } from '../../../load/k6/host.ts';
import type { LibraryLanguage, ToolFolder } from './subjects.ts';

type Step = readonly [command: string, ...args: string[]];

/** What installs the libraries of a language, pinned by its lock file, and compiles its programs. */
const STEPS: Readonly<Record<LibraryLanguage, readonly Step[]>> = {
  node: [['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund']],
  python: [
    ['python3', '-m', 'venv', 'env'],
    ['env/bin/python', '-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt'],
  ],
  go: [['go', 'build', '-o', 'bin/', './...']],
  java: [
    ['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=jars'],
    [
      'javac',
      '-cp',
      'jars/*',
      '-d',
      'classes',
      'Petstore.java',
      'WithOkHttp.java',
      'WithResilience4j.java',
      'WithApache.java',
    ],
  ],
  sh: [],
};

/**
 * Provides the programs of a language in the tool cache, in a folder that is named after their contents. It installs
 * what is missing; a string says why it could not.
 */
export async function provideLibraries(
  language: LibraryLanguage,
  onProgress: (line: string) => void,
): Promise<ToolFolder | string> {
  const source = fileURLToPath(new URL(`./${language}`, import.meta.url));
  const folder = join(toolCache(thisHost()), 'client-libraries', `${language}-${await digestOf(source)}`);
  const found: ToolFolder = { at: (...names) => join(folder, ...names) };
  if (await exists(folder)) return found;
  onProgress(`${language}: installing the libraries`);
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(join(dirname(folder), 'making-'));
  try {
    await cp(source, fresh, { recursive: true });
    for (const [command, ...args] of STEPS[language]) {
      const path = command.includes('/') ? join(fresh, command) : command;
      const done = await thisHost().run(path, args, { timeoutSeconds: 600, cwd: fresh });
      if (done.kind !== 'ended' || done.code !== 0) return `${command}: ${lastLineOf(done)}`;
    }
    await rename(fresh, folder);
    return found;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

const exists = async (folder: string): Promise<boolean> =>
  readdir(folder).then(
    () => true,
    () => false,
  );

/** A name for the contents of a folder: its programs, and the lock file that pins its libraries. */
async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  const paths = files.map((one) => join(one.parentPath, one.name)).sort();
  for (const path of paths) hash.update(`${path.slice(folder.length)}\0`).update(await readFile(path));
  return hash.digest('hex').slice(0, 12);
}
