import { createReadStream, statSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { fileTrouble } from '../../../kernel/basics/file-trouble.ts';

/** Reads a file of samples line by line, compressed or not. */
export interface PartReader {
  /** Is called with each complete line. */
  readonly onLine: (line: string) => void;
  /** Is called with what is wrong with the file, as the end of a sentence: "… is cut". */
  readonly onDamage: (problem: string) => void;
}

const PIECE_BYTES = 1 << 20;

/** Characters that a record never has; a compressed file may hold a line without an end. */
const MOST_LINE = 1 << 20;

/** Reads a part to its end, or as far as it goes. What is wrong is reported, never thrown: the rest of a run can still be judged. */
export async function readPart(path: string, { onLine, onDamage }: PartReader): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return onDamage('is not a file');
  let rest = '';
  try {
    const file = createReadStream(path, { highWaterMark: PIECE_BYTES });
    const bytes = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
    file.on('error', (error) => bytes.destroy(error));
    bytes.setEncoding('utf8');
    for await (const piece of bytes as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
      if (rest.length > MOST_LINE) return onDamage('has a line that is longer than any record');
    }
  } catch (error) {
    return onDamage(`cannot be read to its end: ${fileTrouble(error)}`);
  }
  if (rest !== '') onDamage('is cut in its last line');
}
