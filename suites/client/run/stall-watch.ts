import { now } from '../../../kernel/recording/now.ts';
import type { StallLine } from '../model/journal.ts';

/** How often it is seen whether this program runs, in milliseconds. */
const INTERVAL = 50;
/** A timer that is later than this (milliseconds) is a stall; less is what a busy machine does all the time. */
const SHORTEST_STALL = 200;

/**
 * Records when this program itself does not run, because the machine gives its time to others: judges leave out what
 * such a moment may have changed. Returns what ends it.
 */
export function watchStalls(record: (line: StallLine) => void): () => void {
  let last = now().mono;
  const timer = setInterval(() => {
    const at = now();
    const milliseconds = at.mono - last - INTERVAL;
    last = at.mono;
    if (milliseconds >= SHORTEST_STALL) record({ kind: 'stall', at, milliseconds });
  }, INTERVAL);
  return () => clearInterval(timer);
}
