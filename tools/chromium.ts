import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import type { Host } from '../load/k6/host.ts';
import { isExecutable, lastLineOf, onPath } from '../load/k6/host.ts';
import { aptInstall } from './apt.ts';
import type { Missing, Say, Search } from './finding.ts';
import { search } from './finding.ts';

/** A browser that answered with its version, or why there is none. */
export type Chromium =
  | {
      readonly kind: 'found';
      /** For Playwright's `executablePath`. */
      readonly path: string;
      /** For Playwright's `args`. */
      readonly args: readonly string[];
      /** What it says of itself, such as `Chromium 156.0.8078.73`. */
      readonly version: string;
    }
  | Missing;

/** How to look for a browser. All of it has a default. */
export interface ChromiumOptions extends Partial<Search> {
  /** Where Playwright keeps its own Chromium, there or not. */
  readonly playwrights?: string;
}

const PLAYWRIGHT = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const MACS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const ADVICE =
  'Run "npx playwright install chromium", or name a Chromium or Chrome of your own in CHROMIUM_BIN.';

/** A browser under test calls nobody but the page it is shown. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
];

/**
 * Finds a Chromium or Chrome: `CHROMIUM_BIN`, Playwright's own, one of the system;
 * with `install` also installs one, by Playwright or else by apt as root.
 */
export async function findChromium(options: ChromiumOptions = {}): Promise<Chromium> {
  const { host, install, say } = search(options);
  const playwrights = options.playwrights ?? chromium.executablePath();
  const tried: string[] = [];

  const present = await look(host, playwrights, tried);
  if (present !== undefined) return present;
  if (install) {
    for (const installer of [playwright, apt]) {
      const failure = await installer(host, say);
      if (failure !== undefined) tried.push(failure);
      const now = failure === undefined ? await look(host, playwrights, tried) : undefined;
      if (now !== undefined) return now;
    }
  }
  return { kind: 'missing', tried, advice: ADVICE };
}

async function look(host: Host, playwrights: string, tried: string[]): Promise<Chromium | undefined> {
  const named = host.env['CHROMIUM_BIN'];
  const system = host.platform === 'darwin' ? MACS : await onPath(host, NAMES);
  const candidates = named === undefined || named === '' ? [playwrights, ...system] : [named];
  for (const path of candidates) {
    if (!(await isExecutable(path))) {
      tried.push(`nothing to execute at ${path}`);
      continue;
    }
    const answer = await host.run(path, ['--version'], { timeoutSeconds: 30 });
    const version =
      answer.kind === 'ended' ? /(?:Chromium|Chrome)[^\d]*[\d.]+/.exec(answer.stdout)?.[0] : undefined;
    // Chromium refuses its sandbox to root, and only then is it given up.
    const args = host.root ? [...QUIET, '--no-sandbox'] : QUIET;
    if (version !== undefined) return { kind: 'found', path, args, version };
    tried.push(`${path}: ${lastLineOf(answer)}`);
  }
  return undefined;
}

type Installer = (host: Host, say: Say) => Promise<string | undefined>;

const playwright: Installer = async (host, say) => {
  say('chromium: downloading the one of Playwright');
  const done = await host.run(process.execPath, [PLAYWRIGHT, 'install', 'chromium'], {
    timeoutSeconds: 300,
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
  });
  if (done.kind === 'ended' && done.code === 0) return undefined;
  const reason = `playwright install chromium: ${reasonOf(done)}`;
  say(`chromium: that did not work (${reason})`);
  return reason;
};

/** Playwright closes with a stack; the line that says what happened begins with `Error:`. */
function reasonOf(done: Awaited<ReturnType<Host['run']>>): string {
  const said =
    done.kind === 'ended' ? /^Error: (.+)$/m.exec(`${done.stderr}\n${done.stdout}`)?.[1] : undefined;
  return said ?? lastLineOf(done);
}

const apt: Installer = (host, say) => aptInstall(host, say, 'chromium');
