import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

function contract(name: string, ...referredTo: readonly string[]): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
  addFormats.default(ajv);
  for (const other of referredTo) ajv.addSchema(schemaOf(other), other);
  return ajv.compile(schemaOf(name));
}

const schemaOf = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../../../reports/schema/${name}`, import.meta.url), 'utf8'));

/** The published contract of a `report.json` about a service. */
export const reportContract = contract('report.schema.json');

/** The published contract of a `report.json` about a client. */
export const clientReportContract = contract('client-report.schema.json', 'report.schema.json');

/** The published contract of a `report.json` about a load run. */
export const loadReportContract = contract('load-report.schema.json', 'report.schema.json');

/** The published contract of one line of `journal.ndjson`. */
export const journalContract = contract('journal.schema.json');

/** The violations of a schema by a value, one line each; empty for a valid value. */
export function breaches(keeps: ValidateFunction, value: unknown): readonly string[] {
  if (keeps(value)) return [];
  return (keeps.errors ?? []).map((one) => `${one.instancePath} ${one.message ?? one.keyword}`);
}
