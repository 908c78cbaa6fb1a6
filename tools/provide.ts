import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLineOf, thisHost, toolCache } from '../load/k6/host.ts';

/** A command; one with a slash is a file in the folder of the software. */
type Step = readonly [command: string, ...args: string[]];

/** Software of others: its sources, and what builds it in a copy of them. */
export interface Software {
  /** The folder of its sources, from the root of the project. */
  readonly sources: string;
  /** In order; the first fails where the language is not on the machine. They fetch its libraries, or find those of the system. */
  readonly steps: readonly Step[];
}

/** Installs what `requirements.txt` pins into an environment of its own. */
export const PYTHON_STEPS: Software['steps'] = [
  ['python3', '-m', 'venv', 'env'],
  ['env/bin/python', '-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt'],
];

/** The folder outside the tree in which software can be started, or why it cannot be on this machine. */
export type Provided =
  | { readonly kind: 'provided'; readonly folder: string }
  | { readonly kind: 'missing'; readonly why: string };

const provided = new Map<string, Promise<Provided>>();

/** Builds software in the tool cache, once for the contents of its sources. Minutes the first time. */
export function provide(software: Software): Promise<Provided> {
  const providing = provided.get(software.sources) ?? build(software);
  provided.set(software.sources, providing);
  return providing;
}

/** The folder of software as it is built, whether it is or not. */
export async function placeOf(software: Software): Promise<string> {
  const { sources, steps } = software;
  const digest = createHash('sha256')
    .update(JSON.stringify([steps, await sourcesOf(software)]))
    .digest('hex');
  return join(toolCache(thisHost()), 'built', `${sources}-${digest.slice(0, 12)}`);
}

async function build(software: Software): Promise<Provided> {
  const { sources, steps } = software;
  const folder = await placeOf(software);
  if (existsSync(folder)) return { kind: 'provided', folder };
  console.log(`  … ${sources}: building it`);
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(join(dirname(folder), 'making-'));
  try {
    await cp(folderOf(sources), fresh, { recursive: true });
    for (const [command, ...args] of steps) {
      const path = command.includes('/') ? join(fresh, command) : command;
      const done = await thisHost().run(path, args, { timeoutSeconds: 1200, cwd: fresh });
      if (done.kind === 'ended' && done.code === 0) continue;
      return { kind: 'missing', why: `${[command, ...args].join(' ')}: ${lastLineOf(done)}` };
    }
    await rename(fresh, folder).catch((error) => {
      // Another process may have built the same in the meantime.
      if (!existsSync(folder)) throw error;
    });
    return { kind: 'provided', folder };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Its sources, with the lock file that pins its libraries. */
export async function sourcesOf({
  sources,
}: Software): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const folder = folderOf(sources);
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  const paths = files.map((one) => relative(folder, join(one.parentPath, one.name))).sort();
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(folder, path), 'utf8') })));
}

const folderOf = (sources: string): string => fileURLToPath(new URL(`../${sources}`, import.meta.url));
