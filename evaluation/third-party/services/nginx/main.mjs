// The Pet Store Service as a house has it: nginx in front, a service with Hono and its own limiter behind it.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configuration } from './nginx-conf.mjs';
import { backends, settings } from './settings.mjs';

const file = join(settings.scratch, 'nginx.conf');
writeFileSync(file, configuration());
for (const SOCKET of backends) {
  spawn(process.execPath, [join(import.meta.dirname, 'app.mjs')], {
    stdio: 'inherit',
    env: { ...process.env, SOCKET },
  });
  while (!existsSync(join(settings.scratch, SOCKET))) await sleep(30);
}
spawn('nginx', ['-p', settings.scratch, '-c', file, '-e', '/dev/null'], { stdio: 'inherit' });
