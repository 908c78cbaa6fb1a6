import type { RunRecord } from '../suites/model/record.ts';
import { readContract } from './read-contract.ts';

/**
 * Reads the record of a certification run.
 * @param path the folder of the run, or its `report.json`.
 * @throws {ReportError} when the file cannot be read or is not such a report.
 */
export const readReport = (path: string): RunRecord =>
  readContract(path, {
    fileName: 'report.json',
    schema: new URL('./schema/report.schema.json', import.meta.url),
    what: 'a report of a certification run',
    advice: 'Name the folder of a run of certify, which contains report.json.',
  });
