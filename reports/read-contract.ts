import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ReportError } from './files.ts';

/** A kind of JSON file that this program reads back, and the contract that it keeps. */
export interface Contract {
  /** Its name in the folder of a run. */
  readonly fileName: string;
  /** Its JSON Schema. */
  readonly schema: URL;
  /** What it is, as in "is not a report of load". */
  readonly what: string;
  /** What to name instead, as a sentence. */
  readonly advice: string;
}

/**
 * Reads a file that keeps a contract.
 * @param path the file, or the folder that holds it.
 * @throws {ReportError} when it cannot be read, is not JSON or breaks the contract.
 */
export function readContract<T>(path: string, { fileName, schema, what, advice }: Contract): T {
  const file = isFolder(path) ? join(path, fileName) : path;
  const value = parsed(file, advice);
  const keeps = compiled<T>(schema);
  if (keeps(value)) return value;
  const [first] = keeps.errors ?? [];
  const where =
    first === undefined ? '' : `: ${first.instancePath || 'the file'} ${first.message ?? 'is invalid'}`;
  throw new ReportError(`${file} is not ${what}${where}. ${advice}`);
}

function compiled<T>(schema: URL) {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
  addFormats.default(ajv);
  return ajv.compile<T>(JSON.parse(readFileSync(schema, 'utf8')));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function parsed(file: string, advice: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new ReportError(`${file} cannot be read. ${advice}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ReportError(`${file} is not JSON. ${advice}`);
  }
}
