import { performance } from 'node:perf_hooks';
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
  let last = performance.now();
  const timer = setInterval(() => {
    const mono = performance.now();
    const milliseconds = mono - last - INTERVAL;
    last = mono;
    if (milliseconds >= SHORTEST_STALL)
      record({ kind: 'stall', at: { wall: Date.now(), mono }, milliseconds });
  }, INTERVAL);
  return () => clearInterval(timer);
}
