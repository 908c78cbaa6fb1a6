import { readFileSync } from 'node:fs';
import { cpuSecondsSince, tell } from './child.ts';

/** What work cost, and what came of it. */
export interface Worked {
  /** How many lines or exchanges there were, or the outcome of a load run. */
  readonly found: number | string;
  /** Seconds of a processor: they do not depend on what else runs. */
  readonly seconds: number;
  /** The most memory that the process ever held, the runtime included, in bytes. */
  readonly peakBytes: number;
}

const LINE_FEED = 10;

/** Parses every line and keeps none. */
function parseLines(path: string): number {
  const bytes = readFileSync(path);
  let [lines, start] = [0, 0];
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
    JSON.parse(bytes.toString('utf8', start, end));
    lines += 1;
    start = end + 1;
  }
  return lines;
}

type Worker = (path: string) => Worked['found'] | Promise<Worked['found']>;

/** What is done with a file or a folder. Each loads only what it needs, before anything is measured. */
const workers = {
  parsing: async (): Promise<Worker> => parseLines,
  async judging(): Promise<Worker> {
    const { loadSpecification } = await import('../../spec/specification.ts');
    const { judge } = await import('../../suites/service/judge/judge.ts');
    const { readJournal } = await import('../../suites/service/wire/journal.ts');
    const specification = await loadSpecification();
    return (path) => judge(readJournal(path), specification, { strict: false }).requests.total;
  },
  /** Judges a load run, and writes its reports. */
  async judgingLoad(): Promise<Worker> {
    const { judgeParts } = await import('../../load/run/judge-folder.ts');
    const { writeReports } = await import('../../reports/write.ts');
    const { JUDGING } = await import('../testing/load/runs.ts');
    return async (folder) => {
      const { record, trace } = await judgeParts([folder], JUDGING);
      await writeReports(record, folder, trace);
      return record.outcome;
    };
  },
};

export type Work = keyof typeof workers;

const work = await workers[process.env['WORK'] as Work]();
const before = process.cpuUsage();
const found = await work(process.env['PLACE'] ?? '');
const worked: Worked = {
  found,
  seconds: cpuSecondsSince(before),
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
tell(worked);
