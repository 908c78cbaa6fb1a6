import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { LoadRecord } from '../../load/model/record.ts';
import { ReportError } from '../files.ts';

const SCHEMA = new URL('../schema/load-report.schema.json', import.meta.url);

/**
 * Reads the record of a load run.
 * @param path its folder, or `load-report.json` itself.
 * @throws {ReportError} when it cannot be read or is no load report.
 */
export function readLoadReport(path: string): LoadRecord {
  const file = isFolder(path) ? join(path, 'load-report.json') : path;
  const value = parsed(file);
  const isLoadRecord = contract();
  if (isLoadRecord(value)) return value;
  const [first] = isLoadRecord.errors ?? [];
  const where =
    first === undefined ? '' : `: ${first.instancePath || 'the file'} ${first.message ?? 'is wrong'}`;
  throw new ReportError(`${file} is not the report of a load run${where}. Give the folder of a run of load.`);
}

function contract() {
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
      `${file} cannot be read. Give the folder of a run of load, with its load-report.json.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ReportError(
      `${file} is not JSON. Give the folder of a run of load, with its load-report.json.`,
    );
  }
}
