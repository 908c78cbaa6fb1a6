import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { AppSettings, RunningApp } from './app.ts';
import { ANONYMOUS_LIMIT } from './app.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Whether Python has Flask, and whether there is Go. */
export const hasFlask = (): boolean => spawnSync('python3', ['-c', 'import flask']).status === 0;
export const hasGo = (): boolean => spawnSync('go', ['version']).status === 0;

/** Starts the app on Flask. @param fault a cause, or nothing. */
export const startFlask = (settings: AppSettings, fault = 'none'): Promise<RunningApp> =>
  started('python3', [fileOf('./flask-app.py')], { ...settings, fault });

/** Builds the app on Go's net/http and starts it. @param fault a cause, or nothing. */
export async function startGo(settings: AppSettings, fault = 'none'): Promise<RunningApp> {
  const folder = mkdtempSync(join(tmpdir(), 'fixes-go-'));
  const program = join(folder, 'app');
  execFileSync('go', ['build', '-o', program, fileOf('./net-http-app.go')]);
  const app = await started(program, [], { ...settings, fault });
  return {
    ...app,
    async close() {
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Starts an app that reads its settings from standard input, so that no process list shows its keys, and prints its port. */
async function started(
  command: string,
  args: readonly string[],
  settings: AppSettings & Readonly<Record<string, unknown>>,
): Promise<RunningApp> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(`${JSON.stringify({ ...settings, anonymousLimit: ANONYMOUS_LIMIT })}\n`);
  const ended = once(child, 'close');
  const [port] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`${command} ended with ${code} before it listened`))),
  ]);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async close() {
      child.kill();
      await ended;
    },
  };
}
