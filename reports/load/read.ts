import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { LoadRecord } from '../../load/model/record.ts';
import { ReportError } from '../files.ts';

/** The name of the report that `load compare` reads, in the folder of a run. */
export const LOAD_REPORT = 'load-report.json';

const SCHEMA = new URL('../schema/load-report.schema.json', import.meta.url);

/**
 * Reads the record of a load run.
 * @param path the folder of the run, or its `load-report.json`.
 * @throws {ReportError} when the file cannot be read or is not a load report.
 */
export function readLoadReport(path: string): LoadRecord {
  const file = isFolder(path) ? join(path, LOAD_REPORT) : path;
  const value = parsed(file);
  const isLoadRecord = compiledContract();
  if (isLoadRecord(value)) return value;
  const [first] = isLoadRecord.errors ?? [];
  const where =
    first === undefined ? '' : `: ${first.instancePath || 'the file'} ${first.message ?? 'is invalid'}`;
  throw new ReportError(`${file} is not a report of load${where}. Name the folder of a load run.`);
}

function compiledContract() {
  const ajv = new Ajv2020({ strict: true, strictTypes: false });
  addFormats.default(ajv);
  return ajv.compile<LoadRecord>(JSON.parse(readFileSync(SCHEMA, 'utf8')));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function parsed(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new ReportError(
      `${file} cannot be read. Name the folder of a load run, which contains load-report.json.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ReportError(
      `${file} is not JSON. Name the folder of a load run, which contains load-report.json.`,
    );
  }
}
