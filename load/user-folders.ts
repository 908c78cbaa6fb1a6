import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** What of a machine decides where a user's files lie. */
export interface UserPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
}

/** What a folder is for: what can be made anew, what the user writes, and what this program remembers. */
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
 * This program's folder of one use, outside the tree: where the user's system keeps such
 * files, as the XDG Base Directory Specification, macOS and Windows each have it. It may not exist yet.
 */
export function userFolder(use: FolderUse, { env, platform, home }: UserPlace): string {
  const { xdg, home: usual, windows, mac } = USES[use];
  const named = env[xdg];
  const base = (): string => {
    // "All paths set in these environment variables must be absolute": a relative one is to be ignored.
    if (named !== undefined && isAbsolute(named)) return named;
    if (platform === 'win32')
      return env[windows] ?? join(home, 'AppData', use === 'config' ? 'Roaming' : 'Local');
    return join(home, ...(platform === 'darwin' ? mac : usual));
  };
  return join(base(), 'petstore-conformance');
}

/**
 * Makes a folder and those that it lies in, where they are missing, one by one: Node's own recursive way never
 * returns where the kernel refuses new files, as below /proc.
 * @throws {Error} of Node when that cannot be done.
 */
export function makeFolders(path: string, mode?: number): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolders(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
