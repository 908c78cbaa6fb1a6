import { statSync } from 'node:fs';
import { join } from 'node:path';
import { orNone } from '../kernel/basics/errors.ts';
import { parsedJson } from '../kernel/basics/json.ts';
import type { Shape } from '../kernel/basics/shape.ts';
import { troubleText } from '../kernel/basics/shape.ts';
import { readRegularFile } from '../kernel/basics/user-files.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import { runRecord } from '../kernel/findings/record.ts';
import { ReportError } from './files.ts';

/** A kind of JSON file that this program reads back, and the contract that it keeps. */
interface Contract<T> {
  /** Its name in the folder of a run. */
  readonly fileName: string;
  readonly shape: Shape<T>;
  /** What it is, as in "is not a report of load". */
  readonly what: string;
  /** What to name instead, as a sentence. */
  readonly advice: string;
}

/**
 * @param path the file, or the folder that holds it.
 * @throws {ReportError} when it cannot be read, is not JSON or breaks the contract.
 */
export function readContract<T>(path: string, { fileName, shape, what, advice }: Contract<T>): T {
  const isFolder = orNone(() => statSync(path).isDirectory()) === true;
  const file = isFolder ? join(path, fileName) : path;
  const text = orNone(() => readRegularFile(file, 'The report'));
  if (text === undefined) throw new ReportError(`${file} cannot be read. ${advice}`);
  const value = parsedJson(text);
  if (value === undefined) throw new ReportError(`${file} is not JSON. ${advice}`);
  if (shape.is(value)) return value;
  throw new ReportError(`${file} is not ${what}: ${troubleText(value, shape)}. ${advice}`);
}

/**
 * @param path the folder of a run of any kind, or its `report.json`.
 * @throws {ReportError} when it is none, or cannot be read.
 */
export const readReport = (path: string): RunRecord =>
  readContract(path, {
    fileName: 'report.json',
    shape: runRecord,
    what: 'a report of a run',
    advice: 'Name the folder of a run of certify, certify-client or load, which contains report.json.',
  });
