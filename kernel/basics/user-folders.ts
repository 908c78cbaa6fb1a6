import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileTrouble } from './file-trouble.ts';
import { UserError } from './user-error.ts';

/** What decides where a user's files are kept on a machine. */
export interface UserPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In the words of Node (`linux`, `darwin`, `win32`). */
  readonly platform: string;
  /** Home folder of the user, absolute. */
  readonly home: string;
}

/** The user and machine that this process runs for. */
export function thisUserPlace(): UserPlace {
  // Minimal machines set HOME to the empty string; the user's system entry then names the real folder.
  const home = process.env['HOME'] || homedir() || userInfo().homedir;
  return { env: process.env, platform: process.platform, home };
}

/** What a folder holds: files that can be recreated, files the user writes, and records this program keeps. */
export type FolderUse = 'cache' | 'config' | 'state';

const USES = {
  cache: { xdg: 'XDG_CACHE_HOME', home: ['.cache'], windows: 'LOCALAPPDATA', mac: ['Library', 'Caches'] },
  config: {
    xdg: 'XDG_CONFIG_HOME',
    home: ['.config'],
    windows: 'APPDATA',
    mac: ['Library', 'Application Support'],
  },
  state: {
    xdg: 'XDG_STATE_HOME',
    home: ['.local', 'state'],
    windows: 'LOCALAPPDATA',
    mac: ['Library', 'Application Support'],
  },
} as const;

/**
 * This program's folder for one use, outside the working tree: where the user's system keeps such
 * files, according to the XDG Base Directory Specification, macOS or Windows. It may not exist yet.
 */
export function userFolder(use: FolderUse, { env, platform, home }: UserPlace): string {
  const { xdg, home: linux, windows, mac } = USES[use];
  const configured = env[xdg];
  const base = (): string => {
    // "All paths set in these environment variables must be absolute": a relative one is to be ignored.
    if (configured !== undefined && isAbsolute(configured)) return configured;
    if (platform === 'win32')
      return env[windows] ?? join(home, 'AppData', use === 'config' ? 'Roaming' : 'Local');
    return join(home, ...(platform === 'darwin' ? mac : linux));
  };
  return join(base(), 'petstore-conformance');
}

/**
 * Makes a folder and its missing parents one by one: Node's own recursive option never
 * returns where the kernel denies new files, for example below /proc.
 * @param mode permissions of the folders that are made.
 * @throws {Error} of Node when a folder cannot be made.
 */
export function makeFolders(path: string, mode?: number): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolders(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!isFolder(path)) throw error;
  }
}

/**
 * Makes the folder that a user named, and its missing parents.
 * @param input what the user names it with, such as `--out`.
 * @throws {UserError} when that cannot be done.
 */
export function makeOutputFolder(path: string, input: string): void {
  try {
    makeFolders(path);
  } catch (error) {
    throw new UserError(
      `The folder ${path} cannot be made: ${fileTrouble(error)}; choose another one with ${input}.`,
    );
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
