import { UserError } from '../kernel/basics/errors.ts';
import { findK6 } from '../load/k6/find.ts';
import { sampleName } from './sample.ts';
import { toolsOfDay } from './test-groups.ts';
import { provideTool } from './tools.ts';

// npm run provision: finds or installs the tools that are not npm packages, and prints one line for each with the result
// and the duration. A missing tool is not an error here; the tests that need it are skipped and say so. Beside k6 these
// are the tools of the day; TEST_SAMPLE=all has all of them.

/** Finds k6, or installs it. @returns its path, or why it cannot be there. */
async function provideK6(): Promise<{ readonly path: string } | string> {
  const k6 = await findK6({ report: (line) => console.log(`  … ${line}`) });
  if (k6.kind === 'found') return k6;
  return `${k6.advice} Tried: ${k6.tried.map(({ source, why }) => `${source}: ${why}`).join('; ')}.`;
}

console.log(`k6, and the tools of ${sampleName}:`);
// One after another: apt fails while another process holds its lock, and Go has compiled packages of k6 for the next.
for (const name of ['k6', ...toolsOfDay] as const) {
  try {
    const began = performance.now();
    const tool = await (name === 'k6' ? provideK6() : provideTool(name));
    const text = typeof tool === 'string' ? `✘ ${name}: not available. ${tool}` : `✔ ${name}: ${tool.path}`;
    console.log(`${text} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(`✘ ${name}: ${error.message}`);
    process.exitCode = 2;
  }
}
