import type { LoadRecord } from '../../load/model/record.ts';
import { readContract } from '../read-contract.ts';

/** The name of the report that `load compare` reads, in the folder of a run. */
export const LOAD_REPORT = 'load-report.json';

/**
 * Reads the record of a load run.
 * @param path the folder of the run, or its `load-report.json`.
 * @throws {ReportError} when the file cannot be read or is not a load report.
 */
export const readLoadReport = (path: string): LoadRecord =>
  readContract(path, {
    fileName: LOAD_REPORT,
    schema: new URL('../schema/load-report.schema.json', import.meta.url),
    what: 'a report of load',
    advice: 'Name the folder of a load run, which contains load-report.json.',
  });
