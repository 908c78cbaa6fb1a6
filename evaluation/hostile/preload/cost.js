/**
 * Loaded before a program under examination: when it ends, what it cost is written to the file that COST_FILE
 * names: the most memory that it held, in megabytes, and the time of a processor, in seconds. A program that
 * ran out of memory writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const cost = { megabytes: peakBytes() / 1e6, cpuSeconds: (user + system) / 1e6 };
  writeFileSync(process.env.COST_FILE, JSON.stringify(cost));
});

/** Linux counts a parent's memory into what `resourceUsage` says of a child that was forked, and not into VmHWM. */
function peakBytes() {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kibibytes !== undefined) return Number(kibibytes) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
