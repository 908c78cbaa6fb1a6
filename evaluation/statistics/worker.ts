import { subjects } from './subjects.ts';
import { tally } from './tally.ts';

/** A piece of the proof: some runs of one subject. */
export interface Piece {
  readonly subject: string;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
}

const byId = new Map(subjects.map((subject) => [subject.id, subject]));

// Its own process: Node 20 runs no TypeScript in a thread.
process.on('message', ({ subject, seed, from, to }: Piece) => {
  const found = byId.get(subject);
  if (found === undefined) throw new RangeError(`There is no subject "${subject}".`);
  void tally(found, seed, from, to).then((sum) => process.send?.(sum));
});
