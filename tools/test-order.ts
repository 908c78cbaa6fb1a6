import { run } from 'node:test';
import { spec } from 'node:test/reporters';

// node test-order.ts FILE…: runs test files with node's runner, in this order. The command line
// `node --test` would sort them by name, and the longest would start near the end. Each file is a
// process of its own with the options of this one. Its own output comes when all files before it
// have ended, so a line every half a minute says how far the run is.

/** Test files that run at a time: two more than cores of the smallest machine, because slow ones wait for half of their time. */
const AT_A_TIME = 4;

/** After this many milliseconds a file hangs, and its name is worth more than waiting on. A busy machine takes half an hour for the processes that files share. */
const TIMEOUT_MS = 3_600_000;

/** How often a line of progress is printed, in milliseconds. */
const PROGRESS_MS = 30_000;

const files = process.argv.slice(2);
const started = new Set<string>();
const began = performance.now();
setInterval(() => {
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.error(`… ${started.size} of ${files.length} test files started after ${minutes} min`);
}, PROGRESS_MS).unref();

const events = run({ files, concurrency: AT_A_TIME, timeout: TIMEOUT_MS });
events.on('test:dequeue', ({ name, nesting }) => {
  if (nesting === 0 && files.includes(name)) started.add(name);
});
events.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1;
});
events.compose(new spec()).pipe(process.stdout);
