import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const BIN = fileURLToPath(new URL('../../../cli/petstore-conformance.js', import.meta.url));

/** No command of these tests takes longer, in milliseconds, however busy the machine is. */
const MOST_MS = 60_000;

/** What the command remembers from one run to the next, so that no test finds what another one left. */
const STATE = mkdtempSync(join(tmpdir(), 'petstore-state-'));
process.once('exit', () => rmSync(STATE, { recursive: true, force: true }));

type Environment = Readonly<Record<string, string>>;

/** How a command is started. */
export interface How {
  readonly cwd?: string;
  /** Added to an environment that knows nothing of proxies, keys and build servers. */
  readonly env?: Environment;
  /** A shell script that runs the command as `"$@"`; without one it is started as it is. */
  readonly script?: string;
}

/** A command that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A command that runs. */
export interface Running {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  printed(): { readonly out: string; readonly err: string };
  /** Resolves when it has printed this to either stream; rejects when it ends before. */
  until(text: string): Promise<void>;
  ended(): Promise<Ended>;
}

/** Starts the command; it is killed when the test ends, should it still run. */
export function start(t: TestContext, args: readonly string[], { cwd, env = {}, script }: How = {}): Running {
  const command = [process.execPath, BIN, ...args];
  const [program = '', ...rest] = script === undefined ? command : ['sh', '-c', script, 'sh', ...command];
  const child = spawn(program, rest, {
    cwd: cwd ?? tmpdir(),
    env: { PATH: process.env['PATH'], HOME: tmpdir(), XDG_STATE_HOME: STATE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
  t.after(() => child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const closed = once(child, 'close').finally(() => clearTimeout(timer));
  return {
    child,
    printed: () => ({ out, err }),
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (out.includes(text) || err.includes(text)) resolve();
        };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
        child.once('close', () => reject(new Error(`it ended without printing "${text}":\n${out}\n${err}`)));
        look();
      }),
    async ended() {
      await closed;
      return { code: child.exitCode, out, err };
    },
  };
}

/** Runs the command to its end. */
export const run = (t: TestContext, args: readonly string[], how?: How): Promise<Ended> =>
  start(t, args, how).ended();

/** A folder for one test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-cli-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The plans of the specification with a minute of this many seconds. */
export const plansOf = (minuteSeconds: number) => ({
  minuteSeconds,
  daySeconds: 86_400,
  plans: {
    free: { perMinute: 60, perDay: 1000 },
    pro: { perMinute: 300, perDay: 10_000 },
    business: { perMinute: 1000, perDay: 100_000 },
    enterprise: null,
  },
});

/** Writes `plansOf` into a folder; returns the path. */
export function plansFile(folder: string, minuteSeconds: number): string {
  const path = join(folder, 'plans.json');
  writeFileSync(path, JSON.stringify(plansOf(minuteSeconds)));
  return path;
}

/** The command lines of all processes, where the system shows them. */
export function commandLines(): readonly string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(join('/proc', pid, 'cmdline'), 'utf8');
      } catch {
        return '';
      }
    });
}

/** What stands in the files of a folder, unpacked where they are packed. */
export const textsOf = (folder: string): readonly string[] =>
  readdirSync(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
  });
