import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadRecord } from '../../load/model/record.ts';
import { LOAD_REPORT, readLoadReport } from '../../reports/index.ts';

/** The folder of a repetition, within the folder of a repeated profile. @param run from 1. */
export const repetitionFolder = (folder: string, run: number): string => join(folder, `run-${run}`);

const REPETITION = /^run-(\d{1,4})$/;

/**
 * Reads a set of load runs: the folder or the report of one run, the folder of a repeated profile, or several of
 * these, separated by commas.
 * @throws {ReportError} when one of them cannot be read.
 */
export const readLoadSet = (text: string): readonly LoadRecord[] =>
  (existsSync(text) ? [text] : text.split(',').map((part) => part.trim()))
    .flatMap(repetitionsIn)
    .map(readLoadReport);

/** The repetitions in a folder that has no report of its own; otherwise the path itself. */
function repetitionsIn(path: string): readonly string[] {
  if (!existsSync(path) || !statSync(path).isDirectory() || existsSync(join(path, LOAD_REPORT)))
    return [path];
  const runs = readdirSync(path)
    .flatMap((name) => {
      const run = REPETITION.exec(name)?.[1];
      return run === undefined || !existsSync(join(path, name, LOAD_REPORT)) ? [] : [Number(run)];
    })
    .sort((a, b) => a - b);
  return runs.length === 0 ? [path] : runs.map((run) => repetitionFolder(path, run));
}
