import { spawnSync } from 'node:child_process';
import { testFiles } from './files.ts';

// npm run test:unit [-- FOLDER_OR_FILE…]: node's own runner over every *.test.ts.
// The files are listed here because Node 20 takes no pattern, and because a
// runner that is given nothing to run must not end in green.

const wanted = process.argv.slice(2);
const files = testFiles(process.cwd(), wanted);
if (files.length === 0) {
  console.error(
    wanted.length === 0 ? 'No *.test.ts was found.' : `No *.test.ts lies in ${wanted.join(', ')}.`,
  );
  process.exit(2);
}
// A file has ten minutes: it hangs then, and its name is worth more than waiting on.
const args = [
  '--import',
  'tsx',
  '--import',
  new URL('../evaluation/testing/tools/seeded.ts', import.meta.url).href,
  '--test',
  '--test-reporter=spec',
  '--test-timeout=600000',
  '--test-concurrency=2',
];
const { status } = spawnSync(process.execPath, [...args, ...files], { stdio: 'inherit' });
process.exit(status ?? 2);
