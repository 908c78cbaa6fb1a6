import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';

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
