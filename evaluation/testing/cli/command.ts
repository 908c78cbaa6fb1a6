import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { endingOf } from '../../../interfaces/command/exit-code.ts';
import { runProgram } from '../../../interfaces/command/program.ts';
import { plansOf } from '../../over-http.ts';
import { filesIn, temporaryFolder } from '../tools/folder.ts';
import { serveReference } from './target.ts';

/** The command as a clone starts it: from its source. */
export const SOURCE = fileURLToPath(new URL('../../../cli/petstore-conformance.js', import.meta.url));

/**
 * The folder of the programs that tests start. Compiled, they start in a third of the time, so `npm run test:unit`
 * compiles them once and names their folder in this variable; a test file that is run alone starts the source.
 */
const COMPILED = process.env['PETSTORE_TEST_PROGRAMS'];

/** The command that tests start. */
export const ENTRY =
  COMPILED === undefined ? SOURCE : join(COMPILED, 'evaluation', 'testing', 'cli', 'start-command.mjs');

/** The modules of the Playwright interface that projects of others import in tests. */
export const PLAYWRIGHT_INTERFACE = { index: inPlaywright('index'), reporter: inPlaywright('reporter') };

function inPlaywright(name: string): string {
  return COMPILED === undefined
    ? fileURLToPath(new URL(`../../../interfaces/playwright/${name}.ts`, import.meta.url))
    : join(COMPILED, 'interfaces', 'playwright', `${name}.mjs`);
}

/** What a command printed, and how it ended. */
export interface EndedCommand {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Settles when no command runs: environment and folder belong to the process, so one runs at a time. */
let idle: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, for commands that neither wait nor handle signals: the start of a process costs
 * more than what they do. It ends as `interfaces/command/main.ts` ends it.
 */
export function runHere(args: readonly string[], options: CommandOptions = {}): Promise<EndedCommand> {
  const called = idle.then(() => surrounded(args, options));
  idle = called.catch(() => undefined);
  return called;
}

/** Signals for which a command listens until its process ends. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

async function surrounded(
  args: readonly string[],
  { cwd = tmpdir(), env = {} }: CommandOptions,
): Promise<EndedCommand> {
  const [outer, folder] = [process.env, process.cwd()];
  const listening = new Set(SIGNALS.flatMap((signal) => process.listeners(signal)));
  process.env = environmentWith(env);
  process.chdir(cwd);
  try {
    return await ended(args);
  } finally {
    process.env = outer;
    process.chdir(folder);
    for (const signal of SIGNALS)
      for (const one of process.listeners(signal)) if (!listening.has(one)) process.off(signal, one);
  }
}

async function ended(args: readonly string[]): Promise<EndedCommand> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const printed = [text(out), text(err)] as const;
  const asTerminal = (stream: unknown) => stream as NodeJS.WriteStream;
  const terminal = { out: asTerminal(out), err: asTerminal(err), colour: false, live: false, width: 100 };
  const code = await runProgram(terminal, args).catch((error: unknown) => {
    const { sentence, code: ending } = endingOf(error);
    if (sentence !== undefined) err.write(`petstore-conformance: ${sentence.replaceAll(/\s+/g, ' ')}\n`);
    return ending;
  });
  out.end();
  err.end();
  return { code, out: await printed[0], err: await printed[1] };
}

/** How a process ended, and what it printed: both streams in the order in which they came. */
export async function endOf(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly printed: string }> {
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const [code] = await once(child, 'close');
  return { code, printed };
}

/** The longest that a command of these tests may take, in milliseconds, even on a busy machine. */
const MOST_MS = 60_000;

/** The folder of the command's state between runs; each test file has its own. */
const STATE = mkdtempSync(join(tmpdir(), 'petstore-state-'));
process.once('exit', () => rmSync(STATE, { recursive: true, force: true }));

type Environment = Readonly<Record<string, string>>;

/** How to start a command. */
export interface CommandOptions {
  readonly cwd?: string;
  /** Added to an environment without variables of proxies, keys and build servers. */
  readonly env?: Environment;
  /** A shell script that runs the command as `"$@"`; without it, the command is started directly. */
  readonly script?: string;
  /** The command to start; `ENTRY` unless a test is about how the source starts. */
  readonly entry?: string;
}

export type RunningCommand = ReturnType<typeof start>;

const environmentWith = (env: Environment): Environment => ({
  PATH: process.env['PATH'] ?? '',
  HOME: tmpdir(),
  XDG_STATE_HOME: STATE,
  ...env,
});

/** Starts the command. If it is still running when the test ends, it is killed. */
export function start(
  t: TestContext,
  args: readonly string[],
  { cwd, env = {}, script, entry = ENTRY }: CommandOptions = {},
) {
  const command = [process.execPath, entry, ...args];
  const [program = '', ...rest] = script === undefined ? command : ['sh', '-c', script, 'sh', ...command];
  const child = spawn(program, rest, {
    cwd: cwd ?? tmpdir(),
    env: environmentWith(env),
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
    /** Its output so far. */
    printed: () => ({ out, err }),
    /** Resolves when either stream contains this text; rejects if the command ends before. */
    until: (text: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (out.includes(text) || err.includes(text)) resolve();
        };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', check);
        child.once('close', () => reject(new Error(`it ended without printing "${text}":\n${out}\n${err}`)));
        check();
      }),
    async ended(): Promise<EndedCommand> {
      await closed;
      return { code: child.exitCode, out, err };
    },
  };
}

/** Commands that start no process and end by themselves. */
const ALONE: ReadonlySet<string> = new Set([
  ...['certify', 'explain', 'init', 'completion', 'help'],
  ...['judge', 'compare', 'matrix', 'badge', 'attest', 'verify'],
]);

/** Runs the command to its end: in this process where it can, because a start takes longer than most commands. */
export function run(
  t: TestContext,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<EndedCommand> {
  const { env = {}, script, entry } = options;
  const isProcess = script !== undefined || entry !== undefined || 'NODE_OPTIONS' in env;
  const [command = '', first] = args;
  const isAlone =
    ALONE.has(command) ||
    ['compare', 'manifest'].includes(first ?? '') ||
    args.some((arg) => /^--(?:dry-run|help|list|template)$/.test(arg));
  return isAlone && !isProcess ? runHere(args, options) : start(t, args, options).ended();
}

/** Runs the command to its end, which has to have this exit code. */
export async function exits(code: number, ...called: Parameters<typeof run>): Promise<EndedCommand> {
  const ended = await run(...called);
  assert.equal(ended.code, code, ended.out + ended.err);
  return ended;
}

/** A command line as a person writes it, or its words. */
type Line = string | readonly string[];

/** The words of a command line, as a shell reads them. */
export const wordsOf = (line: Line): readonly string[] =>
  typeof line === 'string'
    ? (line.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) => word.replaceAll("'", ''))
    : line;

/** The command in a folder of its own, with these variables. */
export function commandIn(t: TestContext, env: Environment = {}, folder = temporaryFolder(t)) {
  const options = ({ env: further = {}, ...more }: CommandOptions = {}) => ({
    cwd: folder,
    ...more,
    env: { ...env, ...further },
  });
  const path = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(path(name), 'utf8');
  const json = (name: string) => JSON.parse(read(name));
  return {
    folder,
    path,
    run: (line: Line, more?: CommandOptions) => run(t, wordsOf(line), options(more)),
    exits: (code: number, line: Line, more?: CommandOptions) => exits(code, t, wordsOf(line), options(more)),
    start: (line: Line, more?: CommandOptions) => start(t, wordsOf(line), options(more)),
    /** Writes a file: a text as it is, anything else as JSON. */
    write: (name: string, content: unknown) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content));
    },
    read,
    json,
    /** The verdict on a requirement in the report of the folder `run`. */
    verdict: (id: string): string | undefined =>
      json('run/report.json').requirements.find((one: { readonly id: string }) => one.id === id)?.verdict,
    /** The lines of its journal. */
    journal: () =>
      read('run/journal.ndjson')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    /** The texts of all its files, decompressed if necessary. */
    texts: () =>
      filesIn(path('run')).map((name) => {
        const bytes = readFileSync(name);
        return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
      }),
    /** Writes `plansOf` into `plans.json`. */
    plans: (minuteSeconds: number) => void plansFile(folder, minuteSeconds),
    names: (name = '.'): readonly string[] => readdirSync(path(name)).sort(),
  };
}

/** The same beside a reference server with a window of this many seconds, whose plans are in `plans.json`. The first of its keys is under test. */
export async function commandBeside(t: TestContext, minuteSeconds: number, env: Environment = {}) {
  const { baseUrl, keys } = await serveReference(t, minuteSeconds);
  const [key = '', other = ''] = keys.free;
  const here = commandIn(t, { PETSTORE_API_KEY: key, ...env });
  here.plans(minuteSeconds);
  return { ...here, baseUrl, key, other };
}

/** Writes `plansOf` into a folder; returns the path. */
export function plansFile(folder: string, minuteSeconds: number): string {
  const path = join(folder, 'plans.json');
  writeFileSync(path, JSON.stringify(plansOf(minuteSeconds)));
  return path;
}
