import { judgeParts } from '../../load/run/judge-folder.ts';
import { writeReports } from '../../reports/write.ts';
import { JUDGING } from '../testing/load/runs.ts';
import { cpuSecondsSince, tell } from './child.ts';

/** What judging a load run and writing its reports cost. */
export interface JudgedLoad {
  readonly outcome: string;
  /** Seconds of a processor: they do not depend on what else runs. */
  readonly seconds: number;
  /** The most memory that the process ever held, the runtime included, in bytes. */
  readonly peakBytes: number;
}

const folder = process.env['FOLDER'] ?? '';
const before = process.cpuUsage();
const { record, trace } = await judgeParts([folder], JUDGING);
await writeReports(record, folder, trace);
const judged: JudgedLoad = {
  outcome: record.outcome,
  seconds: cpuSecondsSince(before),
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
tell(judged);
