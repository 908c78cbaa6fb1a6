import { closeSync, openSync, readSync } from 'node:fs';
import { cpuSecondsSince, tell } from './child.ts';

/** What reading the lines of a file and parsing each as JSON cost. */
export interface Parsed {
  readonly lines: number;
  /** Seconds of a processor: they do not depend on what else runs. */
  readonly seconds: number;
}

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/** Parses every line and keeps none, because all lines of a long journal do not fit into memory. */
function parseLines(path: string): number {
  const descriptor = openSync(path, 'r');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let lines = 0;
  for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
    const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      JSON.parse(bytes.toString('utf8', start, end));
      lines += 1;
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  closeSync(descriptor);
  return lines;
}

const before = process.cpuUsage();
const lines = parseLines(process.env['JOURNAL'] ?? '');
const parsed: Parsed = { lines, seconds: cpuSecondsSince(before) };
tell(parsed);
