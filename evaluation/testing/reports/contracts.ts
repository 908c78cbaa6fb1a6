import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Shape } from '../../../kernel/basics/shape.ts';
import { schemaOf } from '../../../kernel/basics/shape.ts';
import { clientRecord, loadRecord, serviceRecord } from '../../../kernel/findings/record.ts';

/** The published contract of a format, as others read it. */
export function contractOf(format: Shape<unknown>): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(schemaOf('a contract', format));
}

/** The published contract of a `report.json` about a service. */
export const reportContract = contractOf(serviceRecord);

/** The published contract of a `report.json` about a client. */
export const clientReportContract = contractOf(clientRecord);

/** The published contract of a `report.json` about a load run. */
export const loadReportContract = contractOf(loadRecord);

/** The violations of a schema by a value, one line each; empty for a valid value. */
export function breaches(keeps: ValidateFunction, value: unknown): readonly string[] {
  if (keeps(value)) return [];
  return (keeps.errors ?? []).map((one) => `${one.instancePath} ${one.message ?? one.keyword}`);
}
