import { UserError } from '../kernel/basics/errors.ts';
import { findK6 } from '../load/k6/find.ts';
import { findChromium } from './chromium.ts';
import { findDaemon } from './daemons.ts';
import type { MissingTool } from './finding.ts';
import { findOperatorCheck } from './operator-check.ts';
import { findFlaskLimiter, findInToto, findSchemathesis } from './python-environment.ts';
import { sampleName } from './sample.ts';
import { isToolOfDay } from './test-groups.ts';

// npm run provision: finds or installs the tools that are not npm packages, and
// prints one line for each with the result and the duration. A missing tool is
// not an error here; the tests that need it are skipped and say so. Beside k6
// these are the tools of the day; TEST_SAMPLE=all has all of them.

/** Whether a tool is available, and where it is or what to do, in one line. */
interface Provisioned {
  readonly available: boolean;
  readonly text: string;
}

const onProgress = (line: string) => console.log(`  … ${line}`);
const SEARCH = { install: true, onProgress };

type Provide = () => Promise<Provisioned>;

/** The tools that may have to be built from source with Go. */
const built: Readonly<Record<string, Provide>> = {
  k6: async () => {
    const k6 = await findK6({ report: onProgress });
    if (k6.kind === 'found') return { available: true, text: `${k6.version} at ${k6.path}. ${k6.because}` };
    return missing({ tried: k6.tried.map(({ source, why }) => `${source}: ${why}`), advice: k6.advice });
  },
  'operator-check': async () => {
    const check = await findOperatorCheck(SEARCH);
    return check.kind === 'found' ? { available: true, text: `at ${check.path}` } : missing(check);
  },
};

/** The tools that are installed as binaries or packages. */
const installed: Readonly<Record<string, Provide>> = {
  chromium: async () => provided(await findChromium(SEARCH), ({ path }) => path),
  schemathesis: async () => provided(await findSchemathesis(SEARCH), ({ command }) => command),
  'flask-limiter': async () => provided(await findFlaskLimiter(SEARCH), ({ python }) => python),
  'in-toto': async () => provided(await findInToto(SEARCH), ({ python }) => python),
  redis: async () => provided(await findDaemon('redis-server', SEARCH), ({ path }) => path),
  prometheus: async () => provided(await findDaemon('prometheus', SEARCH), ({ path }) => path),
};

function provided<Found extends { readonly kind: 'found'; readonly version: string }>(
  tool: Found | MissingTool,
  placeOf: (found: Found) => string,
): Provisioned {
  if (tool.kind === 'missing') return missing(tool);
  return { available: true, text: `${tool.version} at ${placeOf(tool)}` };
}

function missing({ tried, advice }: Pick<MissingTool, 'tried' | 'advice'>): Provisioned {
  return { available: false, text: `not available. ${advice} Tried: ${tried.join('; ')}.` };
}

/** Provides one tool and prints the result. */
async function provision([name, provide]: [string, Provide]): Promise<void> {
  const began = performance.now();
  try {
    const { available, text } = await provide();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${available ? '✔' : '✘'} ${name}: ${text} (${seconds} s)`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(`✘ ${name}: ${error.message}`);
    process.exitCode = 2;
  }
}

const wanted = (tools: Readonly<Record<string, Provide>>): readonly [string, Provide][] =>
  Object.entries(tools).filter(([name]) => name === 'k6' || isToolOfDay(name));

/** One after another, because the operator check uses packages of k6, which Go has compiled by then. */
async function buildOneByOne(): Promise<void> {
  for (const tool of wanted(built)) await provision(tool);
}

console.log(`k6, and the tools of ${sampleName}:`);
// In parallel, because some wait for the network while others compile.
await Promise.all([buildOneByOne(), ...wanted(installed).map(provision)]);
