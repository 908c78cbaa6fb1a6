import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CommandResult, Host, RunOptions } from '../../../load/k6/host.ts';

/** Puts an executable at `path` that says `text`; only a host of `fakeHost` can run it. */
export async function program(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
  return path;
}

/** A command that ended with this `stdout`. */
export const ended = (stdout: string, code = 0): CommandResult => ({
  kind: 'ended',
  code,
  stdout,
  stderr: '',
});

/** What commands do, by their name; every other file says its own text. */
export type Commands = Readonly<
  Record<string, (args: readonly string[], options: RunOptions) => Promise<CommandResult>>
>;

/** A machine whose whole world is `folder`: no network, and no programs but those put there and `commands`. */
export function fakeHost(folder: string, commands: Commands = {}): Host {
  return {
    env: { PATH: join(folder, 'bin'), XDG_CACHE_HOME: join(folder, 'cache') },
    platform: 'linux',
    arch: 'x64',
    home: folder,
    root: false,
    run: async (command, args, options) => {
      const known = commands[command];
      if (known !== undefined) return known(args, options);
      const text = await readFile(command, 'utf8').catch(() => undefined);
      return text === undefined
        ? { kind: 'not started', why: 'there is no such file or folder' }
        : ended(text);
    },
    download: () => Promise.reject(new Error('github.com: not found')),
  };
}
