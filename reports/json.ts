import type { RunRecord } from '../kernel/findings/record.ts';
import { visibleJson } from './foreign-text.ts';

/** `report.json`: the whole record, for programs. Its contract is `schema/report.schema.json`. */
export const renderJson = (record: RunRecord): string => jsonText(record);

/** A record as the text of a JSON file, in which nothing unseen can mislead a reader. */
export const jsonText = (record: object): string => `${visibleJson(JSON.stringify(record, null, 2))}\n`;
