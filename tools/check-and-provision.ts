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

const check = start('check', 'inherit');
const provision = start('provision', 'pipe');
const provisioned = once(provision, 'close');
await once(check, 'close');
provision.stdout?.pipe(process.stdout);
provision.stderr?.pipe(process.stderr);
await provisioned;
process.exitCode = check.exitCode === 0 && provision.exitCode === 0 ? 0 : 1;
