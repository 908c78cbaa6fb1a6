import { jsonFields } from '../kernel/basics/json.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import { readContract } from './read-contract.ts';

const SERVICE = new URL('./schema/report.schema.json', import.meta.url);
const CLIENT = new URL('./schema/client-report.schema.json', import.meta.url);

/**
 * Reads the record of a certification run, of a service or of a client.
 * @param path the folder of the run, or its `report.json`.
 * @throws {ReportError} when the file cannot be read or is not such a report.
 */
export const readReport = (path: string): RunRecord =>
  readContract(path, {
    fileName: 'report.json',
    schema: (value) => (jsonFields(value)['subject'] === 'client' ? CLIENT : SERVICE),
    referred: [SERVICE],
    what: 'a report of a certification run',
    advice: 'Name the folder of a run of certify or certify-client, which contains report.json.',
  });
