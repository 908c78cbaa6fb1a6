import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

test('a command does not outlive the program that ran it', {
  skip: process.platform === 'win32',
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-host-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const script = `
    import { existsSync } from 'node:fs';
    import { thisHost } from '${new URL('host.ts', import.meta.url)}';
    void thisHost().run('sh', ['-c', 'echo $$ > pid.part; mv pid.part pid; exec sleep 30'], {
      cwd: process.env.FOLDER, timeoutSeconds: 60,
    });
    setInterval(() => existsSync(process.env.FOLDER + '/pid') && process.exit(0), 10);`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const program = spawn(process.execPath, args, { env: { ...process.env, FOLDER: folder }, stdio: 'ignore' });
  assert.deepEqual(await once(program, 'exit'), [0, null]);
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  for (let tries = 0; runs(pid) && tries < 200; tries += 1) await delay(10);
  assert.equal(runs(pid), false);
});

/** Whether a process with this id exists. */
function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
