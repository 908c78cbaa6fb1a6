import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { readReport } from '../../../reports/read.ts';

/** The folder of a repetition, within the folder of a repeated profile. @param run from 1. */
export const repetitionFolder = (folder: string, run: number): string => join(folder, `run-${run}`);

/** The folders of both sets, within the folder of a profile that runs against two targets. */
export const setFolders = (folder: string): readonly [target: string, against: string] => [
  join(folder, 'target'),
  join(folder, 'against'),
];

const REPETITION = /^run-(\d{1,4})$/;

/** The names of the repetitions with a report in a folder, in the order of their numbers. */
export const repetitionsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => REPETITION.test(name) && existsSync(join(folder, name, 'report.json')))
    .sort((a, b) => Number(REPETITION.exec(a)?.[1]) - Number(REPETITION.exec(b)?.[1]));

/**
 * Reads runs: the folder or the report of one run, the folder of a repeated load profile, or several of these, separated
 * by commas.
 * @throws {ReportError} when one of them cannot be read.
 */
export const readRuns = (text: string): readonly RunRecord[] =>
  (existsSync(text) ? [text] : text.split(',').map((part) => part.trim())).flatMap(runsAt).map(readReport);

/** The repetitions in a folder that has no report of its own; otherwise the path itself. */
function runsAt(path: string): readonly string[] {
  if (!existsSync(path) || !statSync(path).isDirectory() || existsSync(join(path, 'report.json')))
    return [path];
  const names = repetitionsIn(path);
  return names.length === 0 ? [path] : names.map((name) => join(path, name));
}
