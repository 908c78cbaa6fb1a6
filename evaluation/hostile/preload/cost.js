/**
 * Loaded before the program that is measured. When the program ends, this writes its peak memory in megabytes
 * and its CPU time in seconds to the file in COST_FILE. A program that runs out of memory writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const cost = { megabytes: peakBytes() / 1e6, cpuSeconds: (user + system) / 1e6 };
  writeFileSync(process.env.COST_FILE, JSON.stringify(cost));
});

/** On Linux `resourceUsage` of a forked child includes memory of its parent; VmHWM does not. */
function peakBytes() {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kibibytes !== undefined) return Number(kibibytes) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
