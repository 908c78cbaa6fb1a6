import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

// The two things that `npm test` does before the tests, side by side: `npm run check` keeps one core busy for most of
// its time, and `npm run provision` waits for the network or compiles k6. The output of provisioning comes after that
// of the check. Ends with 1 when one of them failed.

/** Starts a script of package.json. */
const start = (script: string, output: 'inherit' | 'pipe'): ChildProcess =>
  spawn('npm', ['run', script], {
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32',
  });

/** Seconds until the process has ended and its output is read. */
async function secondsOf(child: ChildProcess): Promise<string> {
  const began = performance.now();
  await once(child, 'close');
  return ((performance.now() - began) / 1000).toFixed(0);
}

const check = start('check', 'inherit');
const provision = start('provision', 'pipe');
const [checking, provisioning] = [secondsOf(check), secondsOf(provision)];
await checking;
provision.stdout?.pipe(process.stdout);
provision.stderr?.pipe(process.stderr);
console.log(`The check took ${await checking} s, and beside it provisioning ${await provisioning} s.`);
process.exitCode = check.exitCode === 0 && provision.exitCode === 0 ? 0 : 1;
