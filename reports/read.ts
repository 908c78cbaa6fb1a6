import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../kernel/findings/record.ts';
import { runRecord } from '../kernel/findings/record.ts';
import { ReportError } from './files.ts';
import { readContract } from './read-contract.ts';

/** The report of a load run of an earlier version, which has another vocabulary. */
const EARLIER = 'load-report.json';

/**
 * Reads the record of a run, of a service, of a client or of load.
 * @param path the folder of the run, or its `report.json`.
 * @throws {ReportError} when the file cannot be read or is not such a report.
 */
export function readReport(path: string): RunRecord {
  const isEarlier =
    path.endsWith(EARLIER) || (existsSync(join(path, EARLIER)) && !existsSync(join(path, 'report.json')));
  if (isEarlier)
    throw new ReportError(
      `${path} has the report of an earlier version: write a new one with "petstore-conformance judge" and the folder of the run.`,
    );
  return readContract(path, {
    fileName: 'report.json',
    shape: runRecord,
    what: 'a report of a run',
    advice: 'Name the folder of a run of certify, certify-client or load, which contains report.json.',
  });
}
