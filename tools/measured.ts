import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Imported before every test file by tools/run-tests.ts: notes how long the process took and what it computed, with the
// processes that it started, in the file that this variable names.

const FILE = process.env['PETSTORE_TEST_COSTS'];

/** Linux counts computing time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Computing time of the processes that have ended, in seconds; 0 where the system does not show it. */
function ofChildren(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  // After the name of the program, which may contain blanks, these are the fields 16 and 17 of proc(5).
  const fields = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

if (FILE !== undefined && isMainThread) {
  process.once('exit', () => {
    const { user, system } = process.cpuUsage();
    const cpuSeconds = (user + system) / 1e6 + ofChildren();
    appendFileSync(FILE, `${process.argv[1]}\t${process.uptime().toFixed(1)}\t${cpuSeconds.toFixed(1)}\n`);
  });
}
