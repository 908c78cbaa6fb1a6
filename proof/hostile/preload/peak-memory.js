/**
 * Loaded before a program under examination: when it ends, the most memory that it held, in bytes, is
 * written to the file that PEAK_MEMORY_FILE names. A program that ran out of memory writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(process.env.PEAK_MEMORY_FILE, String(peakBytes())));

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
