import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Download } from './download.ts';

/** How a command ended. `never started` and `took too long` carry a clause for a person. */
export type Finished =
  | { readonly kind: 'ended'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'never started' | 'took too long'; readonly why: string };

/** How to run a command. */
export interface RunOptions {
  /** After so many seconds the command is ended. */
  readonly timeoutSeconds: number;
  readonly cwd?: string;
  /** Added to the environment of the host. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Everything that finding and installing a tool needs of the machine, so that
 * tests can give a machine of their own.
 */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Processor, in the words of Node (`x64`, `arm64`). */
  readonly arch: string;
  /** Home folder of the user, also where the environment names none. */
  readonly home: string;
  /** True where the user is root, and so may install packages of the system. */
  readonly root: boolean;
  readonly run: (command: string, args: readonly string[], options: RunOptions) => Promise<Finished>;
  readonly download: Download;
}

/** The machine that this runs on. */
export function thisHost(): Host {
  // An empty HOME, as bare machines set it, is no home: the user's entry names the real one.
  const home = process.env['HOME'] || homedir() || userInfo().homedir;
  return {
    env: process.env,
    platform: process.platform,
    arch: process.arch,
    home,
    root: process.getuid?.() === 0,
    run: (command, args, options) => run({ ...process.env, HOME: home }, command, args, options),
    // Most runs download nothing, and shall not wait for what it takes.
    download: async (url, limits) => (await import('./download.ts')).download(url, limits),
  };
}

/** The environment of the host with a home in it: build tools refuse to work without one. */
function run(
  hostEnv: NodeJS.ProcessEnv,
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<Finished> {
  return new Promise((done) => {
    const child = execFile(
      command,
      [...args],
      {
        env: { ...hostEnv, ...options.env },
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        timeout: options.timeoutSeconds * 1000,
        killSignal: 'SIGKILL',
        maxBuffer: 16 * 1024 * 1024,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        if (error === null) done({ kind: 'ended', code: 0, stdout, stderr });
        else if (typeof error.code === 'number') done({ kind: 'ended', code: error.code, stdout, stderr });
        else if (error.killed)
          done({ kind: 'took too long', why: `${options.timeoutSeconds} s were not enough` });
        else done({ kind: 'never started', why: error.code ?? error.message });
      },
    );
    child.stdin?.end();
    // Whoever leaves in the middle of a build does not leave the build behind.
    const end = (): void => void child.kill();
    process.once('exit', end);
    child.once('close', () => process.off('exit', end));
  });
}

/** What a person learns from a command that did not end well: its last words, on one line. */
export function lastWords(finished: Finished): string {
  if (finished.kind !== 'ended') return finished.why;
  const lines = `${finished.stdout}\n${finished.stderr}`.split('\n').map((line) => line.trim());
  const last = lines.filter((line) => line !== '').at(-1) ?? 'it said nothing';
  return `exit code ${finished.code}: ${last.slice(0, 200)}`;
}

/** True when `path` is a file that this user may execute. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Every executable file called one of `names` in the folders of `PATH`, in their order. */
export async function onPath(host: Host, names: readonly string[]): Promise<readonly string[]> {
  const suffix = host.platform === 'win32' ? '.exe' : '';
  const folders = (host.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const found: string[] = [];
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, `${name}${suffix}`);
      if (!found.includes(path) && (await isExecutable(path))) found.push(path);
    }
  }
  return found;
}
