/** What the operating system said about a file, in words for the user. */
export function fileTrouble(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return FILE_TROUBLES[code] ?? (error instanceof Error ? error.message : String(error));
}

const FILE_TROUBLES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file has that name',
  EACCES: 'this user may not open it',
  EPERM: 'this user may not open it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'this user may not store any more there',
  EFBIG: 'files may not become any larger there (ulimit -f)',
  EIO: 'the disk reports an error',
};
