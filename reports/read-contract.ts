import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parsedJson } from '../kernel/basics/json.ts';
import { readRegularFile } from '../kernel/basics/user-file.ts';
import { ReportError } from './files.ts';

/** A kind of JSON file that this program reads back, and the contract that it keeps. */
export interface Contract {
  /** Its name in the folder of a run. */
  readonly fileName: string;
  /** Its JSON Schema, which may depend on what the file says of itself. */
  readonly schema: URL | ((value: unknown) => URL);
  /** Schemas that it refers to. */
  readonly referred?: readonly URL[];
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
export function readContract<T>(
  path: string,
  { fileName, schema, referred = [], what, advice }: Contract,
): T {
  const file = isFolder(path) ? join(path, fileName) : path;
  const value = parsed(file, advice);
  const keeps = compiled<T>(schema instanceof URL ? schema : schema(value), referred);
  if (keeps(value)) return value;
  const [first] = keeps.errors ?? [];
  const where =
    first === undefined ? '' : `: ${first.instancePath || 'the file'} ${first.message ?? 'is invalid'}`;
  throw new ReportError(`${file} is not ${what}${where}. ${advice}`);
}

function compiled<T>(schema: URL, referred: readonly URL[]) {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
  addFormats.default(ajv);
  for (const other of referred)
    if (other.href !== schema.href) ajv.addSchema(schemaIn(other), basename(other.pathname));
  return ajv.compile<T>(schemaIn(schema));
}

const schemaIn = (file: URL) => JSON.parse(readFileSync(file, 'utf8'));

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
    text = readRegularFile(file, 'The report');
  } catch {
    throw new ReportError(`${file} cannot be read. ${advice}`);
  }
  const value = parsedJson(text);
  if (value === undefined) throw new ReportError(`${file} is not JSON. ${advice}`);
  return value;
}
