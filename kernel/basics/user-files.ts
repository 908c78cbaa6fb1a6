import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { UserError } from './errors.ts';

/** The code of an error of the file system, such as `ENOENT`; empty where it has none. */
export const fileErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** An error of the file system, in words for the user. */
export function fileTrouble(error: unknown): string {
  return FILE_TROUBLES[fileErrorCode(error)] ?? (error instanceof Error ? error.message : String(error));
}

const FILE_TROUBLES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ERR_FS_EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file has that name',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is exhausted',
  EFBIG: 'the file size limit is reached (ulimit -f)',
  EIO: 'the disk reports an error',
};

/** @param what it is, at the beginning of a sentence: `The keys file`. @throws {UserError} when it cannot be read. */
export function readUserFile(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(`${what} ${path} cannot be read: ${fileTrouble(error)}.`);
  }
}

/** No report or attestation of a run is larger, in bytes. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The same of a file that a program wrote: a pipe or a device in its place would never end. */
export function readRegularFile(path: string, what: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile())
    throw new UserError(`${what} ${path} cannot be read: it is not a file.`);
  if (found !== undefined && found.size > MOST_BYTES)
    throw new UserError(`${what} ${path} cannot be read: it has more than ${MOST_BYTES / 1024 / 1024} MiB.`);
  return readUserFile(path, what);
}

/** What decides where a user's files are kept on a machine. */
export interface UserPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In the words of Node (`linux`, `darwin`, `win32`). */
  readonly platform: string;
  readonly home: string;
}

export function thisUserPlace(): UserPlace {
  // Minimal machines set HOME to the empty string; the user's system entry then names the real folder.
  const home = process.env['HOME'] || homedir() || userInfo().homedir;
  return { env: process.env, platform: process.platform, home };
}

/** What a folder holds: files that can be recreated, files the user writes, and records this program keeps. */
type FolderUse = 'cache' | 'config' | 'state';

const XDG: Readonly<Record<FolderUse, string>> = {
  cache: '.cache',
  config: '.config',
  state: join('.local', 'state'),
};

/** This program's folder for one use, where the user's system keeps such files; it may not exist yet. */
export function userFolder(use: FolderUse, { env, platform, home }: UserPlace): string {
  const base = (): string => {
    const configured = env[`XDG_${use.toUpperCase()}_HOME`];
    // "All paths set in these environment variables must be absolute": a relative one is to be ignored.
    if (configured !== undefined && isAbsolute(configured)) return configured;
    if (platform === 'darwin')
      return join(home, 'Library', use === 'cache' ? 'Caches' : 'Application Support');
    if (platform !== 'win32') return join(home, XDG[use]);
    const [variable, folder] = use === 'config' ? ['APPDATA', 'Roaming'] : ['LOCALAPPDATA', 'Local'];
    return env[variable] ?? join(home, 'AppData', folder);
  };
  return join(base(), 'petstore-conformance');
}

/** Makes a folder and its missing parents: Node's recursive option hangs where the kernel denies new files, as below /proc. */
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

/** Makes the folder that a user named by this input, such as `--out`. @throws {UserError} when that cannot be done. */
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

const PIECE_BYTES = 1 << 20;

/** The hexadecimal SHA-256 of a file; undefined where it cannot be read. It may be larger than memory, so it is read in pieces. */
export function fileDigest(path: string): string | undefined {
  let file: number | undefined;
  try {
    // A pipe would have nothing to read a second time, and opening it would wait.
    if (!statSync(path).isFile()) return undefined;
    file = openSync(path, 'r');
    const hash = createHash('sha256');
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      hash.update(piece.subarray(0, read));
    }
    return hash.digest('hex');
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
