import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { AppSettings, RunningApp } from './third-party.ts';
import { ANONYMOUS_LIMIT } from './third-party.ts';

const APP = fileURLToPath(new URL('./flask-limiter-app.py', import.meta.url));

/** Starts the Flask app with this interpreter. The keys are sent over standard input, so that no process list shows them. */
export async function startFlaskLimiter(
  python: string,
  settings: AppSettings,
  configured: boolean,
): Promise<RunningApp> {
  const child = spawn(python, [APP], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${JSON.stringify({ ...settings, configured, anonymousLimit: ANONYMOUS_LIMIT })}\n`);
  const ended = once(child, 'close');
  const [port] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) =>
      Promise.reject(new Error(`the Flask app ended with exit code ${code} before it listened`)),
    ),
  ]);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async close() {
      child.kill();
      await ended;
    },
  };
}
