import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import type { Host } from '../load/k6/host.ts';
import { isExecutable, lastLineOf, onPath } from '../load/k6/host.ts';
import type { FoundTool, MissingTool, OnProgress, ToolSearch } from './finding.ts';
import { aptInstall, findOrInstall, toolSearch } from './finding.ts';

/** A browser, with its own version text, for example `Chromium 156.0.8078.73`. */
export interface Chromium extends FoundTool {
  /** For Playwright's `args`. */
  readonly args: readonly string[];
}

/** How to find a browser. All fields have a default. */
export interface ChromiumOptions extends Partial<ToolSearch> {
  /** The path of Playwright's Chromium, whether it exists or not. */
  readonly playwrightPath?: string;
}

const PLAYWRIGHT = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const MACS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const ADVICE =
  'Run "npx playwright install chromium", or set CHROMIUM_BIN to the path of a Chromium or Chrome.';

/** Disables all requests of the browser except those of the page. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
];

/**
 * Finds a Chromium or Chrome: `CHROMIUM_BIN`, Playwright's, or one of the system.
 * With `install` it installs one if necessary, with Playwright or with apt as root.
 */
export async function findChromium(options: ChromiumOptions = {}): Promise<Chromium | MissingTool> {
  const { host, install, onProgress } = toolSearch(options);
  const playwrightPath = options.playwrightPath ?? chromium.executablePath();
  return findOrInstall(install, {
    present: (tried) => findInstalled(host, playwrightPath, tried),
    installers: [
      () => installWithPlaywright(host, onProgress),
      () => aptInstall(host, onProgress, 'chromium'),
    ],
    advice: ADVICE,
  });
}

async function findInstalled(
  host: Host,
  playwrightPath: string,
  tried: string[],
): Promise<Chromium | undefined> {
  const named = host.env['CHROMIUM_BIN'];
  const system = host.platform === 'darwin' ? MACS : await onPath(host, NAMES);
  const candidates = named === undefined || named === '' ? [playwrightPath, ...system] : [named];
  for (const path of candidates) {
    if (!(await isExecutable(path))) {
      tried.push(`there is no executable at ${path}`);
      continue;
    }
    const answer = await host.run(path, ['--version'], { timeoutSeconds: 30 });
    const version =
      answer.kind === 'ended' ? /(?:Chromium|Chrome)[^\d]*[\d.]+/.exec(answer.stdout)?.[0] : undefined;
    // Chromium cannot run its sandbox as root, so only then is it disabled.
    const args = host.root ? [...QUIET, '--no-sandbox'] : QUIET;
    if (version !== undefined) return { kind: 'found', path, args, version };
    tried.push(`${path}: ${lastLineOf(answer)}`);
  }
  return undefined;
}

async function installWithPlaywright(host: Host, onProgress: OnProgress): Promise<string | undefined> {
  onProgress('chromium: downloading Playwright’s Chromium');
  const done = await host.run(process.execPath, [PLAYWRIGHT, 'install', 'chromium'], {
    timeoutSeconds: 300,
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
  });
  if (done.kind === 'ended' && done.code === 0) return undefined;
  const reason = `playwright install chromium: ${reasonOf(done)}`;
  onProgress(`chromium: the download failed (${reason})`);
  return reason;
}

/** The line of Playwright's output that begins with `Error:`, since the last lines are a stack trace. */
function reasonOf(done: Awaited<ReturnType<Host['run']>>): string {
  const errorLine =
    done.kind === 'ended' ? /^Error: (.+)$/m.exec(`${done.stderr}\n${done.stdout}`)?.[1] : undefined;
  return errorLine ?? lastLineOf(done);
}
