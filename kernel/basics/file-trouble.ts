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
