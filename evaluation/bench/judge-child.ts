import { loadSpecification } from '../../spec/specification.ts';
import { judge, readJournal } from '../../suites/index.ts';
import { tell } from './child.ts';

/** What reading and judging a journal cost. */
export interface Judged {
  readonly exchanges: number;
  readonly seconds: number;
  /** The most that the process ever held resident, in MB of 2^20 bytes; the runtime included. */
  readonly megabytes: number;
}

const specification = await loadSpecification();
const started = performance.now();
const record = judge(readJournal(process.env['JOURNAL'] ?? ''), specification, { strict: false });
const judged: Judged = {
  exchanges: record.requests.total,
  seconds: (performance.now() - started) / 1000,
  megabytes: process.resourceUsage().maxRSS / 1024,
};
tell(judged);
