import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Program } from '../service.ts';
import { startService } from '../service.ts';
import type { AppSettings, RunningApp } from './app.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Whether Python has Flask, and whether there is Go. */
export const hasFlask = (): boolean => spawnSync('python3', ['-c', 'import flask']).status === 0;
export const hasGo = (): boolean => spawnSync('go', ['version']).status === 0;

/** An app that reads its settings from the environment, as services do. Its fault is a cause, or nothing. */
const startedBy =
  (...start: Program['start']) =>
  async ({ keys, perMinute, windowSeconds }: AppSettings, broken = ''): Promise<RunningApp> => {
    const settings = { KEYS: keys.join(), PER_MINUTE: String(perMinute) };
    const program = { folder: FOLDER, start };
    const { baseUrl, stop } = await startService(program, { broken, minuteSeconds: windowSeconds, settings });
    return { baseUrl, close: stop };
  };

export const startFlask = startedBy('python3', 'flask-app.py');
export const startGo = startedBy('go', 'run', 'net-http-app.go');
