import { subjects } from './subjects.ts';
import { tallyRuns } from './tally.ts';

/** Consecutive runs of one subject: from run `from` to before run `to`. */
export interface Batch {
  readonly subject: string;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
}

const byId = new Map(subjects.map((subject) => [subject.id, subject]));

// A process of its own, because Node 20 cannot run TypeScript in a worker thread.
process.on('message', ({ subject: id, seed, from, to }: Batch) => {
  const subject = byId.get(id);
  if (subject === undefined) throw new RangeError(`There is no subject "${id}".`);
  void tallyRuns(subject, seed, from, to).then((tally) => process.send?.(tally));
});
