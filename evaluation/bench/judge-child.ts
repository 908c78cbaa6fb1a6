import { loadSpecification } from '../../spec/specification.ts';
import { judge, readJournal } from '../../suites/index.ts';
import { tell } from './child.ts';

/** What reading and judging a journal cost. */
export interface Judged {
  readonly exchanges: number;
  readonly seconds: number;
  /** The most memory that the process ever held, the runtime included, in bytes. */
  readonly peakBytes: number;
}

const specification = await loadSpecification();
const started = performance.now();
const record = judge(readJournal(process.env['JOURNAL'] ?? ''), specification, { strict: false });
const judged: Judged = {
  exchanges: record.requests.total,
  seconds: (performance.now() - started) / 1000,
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
tell(judged);
