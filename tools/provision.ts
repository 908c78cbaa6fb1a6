import { UserError } from '../kernel/basics/errors.ts';
import { findK6 } from '../load/k6/find.ts';
import { findChromium } from './chromium.ts';
import type { FoundTool, MissingTool } from './finding.ts';
import { findOperatorCheck } from './operator-check.ts';
import { findPrometheus } from './prometheus.ts';
import { findPythonTool } from './python-environment.ts';
import { sampleName } from './sample.ts';
import { isToolOfDay } from './test-groups.ts';

// npm run provision: finds or installs the tools that are not npm packages, and
// prints one line for each with the result and the duration. A missing tool is
// not an error here; the tests that need it are skipped and say so. Beside k6
// these are the tools of the day; TEST_SAMPLE=all has all of them.

const onProgress = (line: string) => console.log(`  … ${line}`);
const SEARCH = { install: true, onProgress };

/** Finds or installs a tool. */
type Provide = () => Promise<FoundTool | MissingTool>;

/** The tools that may have to be built from source with Go. */
const built: Readonly<Record<string, Provide>> = {
  async k6() {
    const k6 = await findK6({ report: onProgress });
    if (k6.kind === 'found') {
      onProgress(`k6: ${k6.because}`);
      return k6;
    }
    return { ...k6, tried: k6.tried.map(({ source, why }) => `${source}: ${why}`) };
  },
  'operator-check': () => findOperatorCheck(SEARCH),
};

/** The tools that are installed as binaries or packages. */
const installed: Readonly<Record<string, Provide>> = {
  chromium: () => findChromium(SEARCH),
  schemathesis: () => findPythonTool('schemathesis', SEARCH),
  'in-toto': () => findPythonTool('in-toto', SEARCH),
  prometheus: () => findPrometheus(SEARCH),
};

/** Provides one tool and prints the result. */
async function provision([name, provide]: [string, Provide]): Promise<void> {
  const began = performance.now();
  try {
    const tool = await provide();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const text =
      tool.kind === 'found'
        ? `✔ ${name}: ${tool.version} at ${tool.path}`
        : `✘ ${name}: not available. ${tool.advice} Tried: ${tool.tried.join('; ')}.`;
    console.log(`${text} (${seconds} s)`);
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
