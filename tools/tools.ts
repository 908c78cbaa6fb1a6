import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium as playwright } from '@playwright/test';
import { isExecutable, lastLineOf, onPath, thisHost } from '../load/k6/host.ts';
import type { Software } from './provide.ts';
import { PYTHON_STEPS, placeOf, provide } from './provide.ts';

/** A program that some tests need and no npm package brings. */
interface Tool {
  /** Its path, where it is on this machine and works. */
  readonly find: () => Promise<string | undefined>;
  /** Each installs it, or resolves to why it cannot; the next one is for that case. */
  readonly installers: readonly (() => Promise<string | undefined>)[];
  readonly advice: string;
}

const host = thisHost();

/** Runs a command. @returns why it failed; undefined if it succeeded. */
async function failureOf(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const done = await host.run(command, args, { timeoutSeconds: 600, env });
  if (done.kind === 'ended' && done.code === 0) return undefined;
  // After an error, Node prints where it was thrown.
  const error = done.kind === 'ended' ? /^Error: (.+)$/m.exec(done.stderr)?.[1] : undefined;
  return `${[command, ...args.slice(0, 1)].map((one) => basename(one)).join(' ')}: ${error ?? lastLineOf(done)}`;
}

/** The first of these programs that states its version: a name on `PATH` may be a script that only says how to install it. */
async function firstThatStarts(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths)
    if ((await isExecutable(path)) && (await failureOf(path, ['--version'])) === undefined) return path;
  return undefined;
}

/** Installs a package of Debian or Ubuntu, as root. With this run level it does not start its services; the tests start them. */
const withApt = (name: string) => async (): Promise<string | undefined> => {
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return (
    (await failureOf('apt-get', ['update', '-qq'], env)) ??
    (await failureOf('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], env))
  );
};

const withPlaywright = (): Promise<string | undefined> => {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const env = { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' };
  return failureOf(process.execPath, [cli, 'install', 'chromium'], env);
};

/**
 * A tool that is built in the tool cache.
 * @param program its path in the folder where it was built, and what it is started with to see whether it still works
 */
const built = (
  software: Software,
  [program, ...args]: readonly [string, ...string[]],
  advice: string,
): Tool => ({
  async find() {
    const path = join(await placeOf(software), program);
    const works = args.length === 0 ? await isExecutable(path) : (await failureOf(path, args)) === undefined;
    return works ? path : undefined;
  },
  installers: [
    async () => {
      // What is there does not work.
      await rm(await placeOf(software), { recursive: true, force: true });
      const done = await provide(software);
      return done.kind === 'missing' ? done.why : undefined;
    },
  ],
  advice,
});

/** A Python that has the packages which a file in `tools/python` pins. */
const inPython = (name: string): Tool =>
  built(
    { sources: `tools/python/${name}`, steps: PYTHON_STEPS },
    // It has no pip where the Python of this machine is now another one than it was made with.
    ['env/bin/python', '-m', 'pip', '--version'],
    'Install Python 3.10 or newer with its venv module.',
  );

const CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const OPERATOR_CHECK = {
  sources: 'load/operator/check',
  steps: [
    ['go', 'version'],
    // Compiled as k6 is, so that Go compiles what both use once. The types of Kubernetes are most of the code: without
    // optimization that takes half the time.
    [
      'sh',
      '-c',
      "CGO_ENABLED=0 GOWORK=off go build -trimpath -buildvcs=false '-gcflags=k8s.io/...=-N -l' -o check .",
    ],
  ],
} as const;

const tools = {
  chromium: {
    find: async () =>
      firstThatStarts([
        process.env['CHROMIUM_BIN'] ?? '',
        playwright.executablePath(),
        ...(await onPath(host, CHROMIUMS)),
      ]),
    installers: [withPlaywright, withApt('chromium')],
    advice: 'Run "npx playwright install chromium", or set CHROMIUM_BIN to the path of a Chromium or Chrome.',
  },
  schemathesis: inPython('schemathesis'),
  'in-toto': inPython('in-toto'),
  prometheus: {
    find: async () => firstThatStarts(await onPath(host, ['prometheus'])),
    installers: [withApt('prometheus')],
    advice: 'Install prometheus.',
  },
  'operator-check': built(
    OPERATOR_CHECK,
    ['check'],
    'Install Go 1.25: without it, manifests are not checked against the operator’s types.',
  ),
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof tools;

/** Where a tool is on this machine, and why the tests that need it are skipped: false where it is there. */
export async function findTool(name: ToolName) {
  const path = (await tools[name].find()) ?? '';
  const skip = path === '' && `${name} is not installed; see npm run provision. ${tools[name].advice}`;
  return { path, skip };
}

/** Finds a tool, or installs it. @returns its path, or why it cannot be there, for a person. */
export async function provideTool(name: ToolName): Promise<{ readonly path: string } | string> {
  const failures: string[] = [];
  let { path, skip } = await findTool(name);
  for (const install of tools[name].installers) {
    if (skip === false) break;
    const failure = await install();
    if (failure !== undefined) failures.push(failure);
    ({ path, skip } = await findTool(name));
  }
  return skip === false ? { path } : `${tools[name].advice} Tried: ${failures.join('; ')}.`;
}
