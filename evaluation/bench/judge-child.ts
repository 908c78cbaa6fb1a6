import { loadSpecification } from '../../spec/specification.ts';
import { judge } from '../../suites/service/judge/judge.ts';
import { readJournal } from '../../suites/service/wire/journal.ts';
import { cpuSecondsSince, tell } from './child.ts';

/** What reading and judging a journal cost. */
export interface Judged {
  readonly exchanges: number;
  /** Seconds of a processor: they do not depend on what else runs. */
  readonly seconds: number;
  /** The most memory that the process ever held, the runtime included, in bytes. */
  readonly peakBytes: number;
}

const specification = await loadSpecification();
const before = process.cpuUsage();
const record = judge(readJournal(process.env['JOURNAL'] ?? ''), specification, { strict: false });
const judged: Judged = {
  exchanges: record.requests.total,
  seconds: cpuSecondsSince(before),
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
tell(judged);
