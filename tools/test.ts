import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

// npm test: `npm run provision`, which waits for the network or compiles k6, then every test, and beside both
// `npm run check`, which keeps one core busy while tests wait. The output of the check comes when it has ended.
// Ends with 1 when one of them failed.

const shell = process.platform === 'win32';

/** Starts a script of package.json. */
const start = (script: string, output: 'inherit' | 'pipe', args: readonly string[] = []): ChildProcess =>
  spawn('npm', ['run', script, '--', ...args], { stdio: ['ignore', output, output], shell });

const succeeds = async (child: ChildProcess): Promise<boolean> => (await once(child, 'close'))[0] === 0;

/** Checks, and then prints what the check found and how long it took. */
async function passesCheck(): Promise<boolean> {
  const child = start('check', 'pipe');
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const passes = await succeeds(child);
  process.stdout.write(Buffer.concat(chunks));
  console.log(`The check ${passes ? 'passed' : 'FAILED'} after ${(performance.now() / 1000).toFixed(0)} s.`);
  return passes;
}

const checking = passesCheck();
const isProvided = await succeeds(start('provision', 'inherit'));
const isTested = await succeeds(start('test:unit', 'inherit', process.argv.slice(2)));
const isChecked = await checking;
// The summary of the tests stays the last that is printed where everything passed.
if (!isChecked) console.error('npm run check failed; its output stands above.');
process.exitCode = isProvided && isTested && isChecked ? 0 : 1;
