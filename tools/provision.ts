import { findK6, K6BinError } from '../load/k6/find.ts';
import { findChromium } from './chromium.ts';
import type { DaemonName } from './daemons.ts';
import { findDaemon } from './daemons.ts';
import type { Missing } from './finding.ts';
import { findFlaskLimiter } from './flask-limiter.ts';
import { findOperatorCheck } from './operator-check.ts';
import { findSchemathesis } from './schemathesis.ts';

// npm run provision: finds or installs the tools that are not npm
// packages, and says on one line each what it did and how long it took. A tool
// that is not to be had is said and is no failure: what needs it says so again.

/** What became of one tool: where it is, or one line with what to do. */
interface Provisioned {
  readonly there: boolean;
  readonly text: string;
}

const say = (line: string) => console.log(`  … ${line}`);

type Provide = () => Promise<Provisioned>;

/** What may have to be built from source with Go. */
const built: Readonly<Record<string, Provide>> = {
  k6: async () => {
    const k6 = await findK6({ say });
    if (k6.kind === 'found') return { there: true, text: `${k6.version} at ${k6.path}. ${k6.because}` };
    return missing({ tried: k6.tried.map(({ source, why }) => `${source}: ${why}`), advice: k6.advice });
  },
  'operator-check': async () => {
    const check = await findOperatorCheck({ install: true, say });
    return check.kind === 'found' ? { there: true, text: `at ${check.path}` } : missing(check);
  },
};

/** What is installed as others built it. */
const installed: Readonly<Record<string, Provide>> = {
  chromium: async () => {
    const browser = await findChromium({ install: true, say });
    if (browser.kind === 'found') return { there: true, text: `${browser.version} at ${browser.path}` };
    return missing(browser);
  },
  schemathesis: async () => {
    const tool = await findSchemathesis({ install: true, say });
    if (tool.kind === 'found') return { there: true, text: `${tool.version} at ${tool.command}` };
    return missing(tool);
  },
  'flask-limiter': async () => {
    const tool = await findFlaskLimiter({ install: true, say });
    if (tool.kind === 'found') return { there: true, text: `${tool.version} at ${tool.python}` };
    return missing(tool);
  },
  redis: () => provideDaemon('redis-server'),
  prometheus: () => provideDaemon('prometheus'),
};

async function provideDaemon(name: DaemonName): Promise<Provisioned> {
  const daemon = await findDaemon(name, { install: true, say });
  if (daemon.kind === 'found') return { there: true, text: `${daemon.version} at ${daemon.path}` };
  return missing(daemon);
}

function missing({ tried, advice }: Pick<Missing, 'tried' | 'advice'>): Provisioned {
  return { there: false, text: `not to be had. ${advice} Tried: ${tried.join('; ')}.` };
}

/** Runs one of them and says what became of it. */
async function provision([name, provide]: [string, Provide]): Promise<void> {
  const began = performance.now();
  try {
    const { there, text } = await provide();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${there ? '✔' : '✘'} ${name}: ${text} (${seconds} s)`);
  } catch (error) {
    if (!(error instanceof K6BinError)) throw error;
    console.error(`✘ ${name}: ${error.message}`);
    process.exitCode = 2;
  }
}

/** The operator's types are made of packages of k6, which Go then has compiled already. */
async function buildInTurn(): Promise<void> {
  for (const tool of Object.entries(built)) await provision(tool);
}

// Side by side: one waits for the network while another computes.
await Promise.all([buildInTurn(), ...Object.entries(installed).map(provision)]);
