import { join } from 'node:path';
import { timeStamp } from '../../reports/earlier-files.ts';
import type { RunFolder } from '../../reports/run-folder.ts';
import type { Terminal } from './terminal.ts';

/** The path of the folder for the files of a run: that of `--out`, or one in `out`, named by the time and this name. */
export const runFolder = (out: string | undefined, name: string, now: Date): string =>
  out ?? join('out', `${timeStamp(now)}-${name}`);

/** The folder of a run at a path; a line on standard error says where earlier files are. */
export const folderAt = (path: string, { err }: Terminal): RunFolder => ({
  path,
  input: '--out',
  report: (sentence) => void err.write(`${sentence}\n`),
});
