import { subjectById, tallyRuns } from './tally.ts';

/** Runs of one subject, from the first. */
export interface Batch {
  readonly subject: string;
  readonly seed: number;
  readonly runs: number;
}

// A process of its own, because Node 20 cannot run TypeScript in a worker thread.
process.on('message', ({ subject: id, seed, runs }: Batch) => {
  const subject = subjectById(id);
  if (subject === undefined) throw new RangeError(`There is no subject "${id}".`);
  void tallyRuns(subject, seed, runs).then((tally) => process.send?.(tally));
});
