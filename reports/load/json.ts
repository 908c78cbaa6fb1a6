import type { LoadRecord } from '../../load/model/record.ts';
import { jsonText } from '../json.ts';

/** `load-report.json`: the complete record, for programs. Its contract is `schema/load-report.schema.json`. */
export const renderLoadJson = (record: LoadRecord): string => jsonText(record);
