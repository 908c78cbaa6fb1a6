import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Finished, Host, RunOptions } from '../../../load/k6/host.ts';

/** Creates an executable at `path` that prints `text`; only a host of `fakeHost` can run it. */
export async function program(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
  return path;
}

/** The result of a command that printed `stdout`. */
export const ended = (stdout: string, code = 0): Finished => ({ kind: 'ended', code, stdout, stderr: '' });

/** The behaviour of commands, by their names. Any other executable prints its own text. */
export type Commands = Readonly<
  Record<string, (args: readonly string[], options: RunOptions) => Promise<Finished>>
>;

/** A machine without a network, whose only programs are `commands` and those in `folder`. */
export function fakeHost(folder: string, commands: Commands = {}): Host {
  return {
    env: { PATH: join(folder, 'bin'), XDG_CACHE_HOME: join(folder, 'cache') },
    platform: 'linux',
    arch: 'x64',
    home: folder,
    root: false,
    run: async (command, args, options) => {
      const behaviour = commands[command];
      if (behaviour !== undefined) return behaviour(args, options);
      const text = await readFile(command, 'utf8').catch(() => undefined);
      return text === undefined ? { kind: 'never started', why: 'ENOENT' } : ended(text);
    },
    download: () => Promise.reject(new Error('github.com: not found')),
  };
}
