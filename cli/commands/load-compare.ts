import { Command } from 'commander';
import type { EndWith } from '../exit-code.ts';
import type { CompareOptions } from '../load/compare-runs.ts';
import type { Terminal } from '../terminal.ts';

/** `load compare`: two load runs side by side. */
export function compareCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('compare')
    .description('compare two load runs of the same profile')
    .argument('<first>', 'folder of the first run')
    .argument('<second>', 'folder of the second run')
    .option('--tolerance <percent>', 'how much worse a figure may be, in percent', '10')
    .option('--json', 'print the comparison as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (first: string, second: string, _options: CompareOptions, command: Command) => {
      const { compareRuns } = await import('../load/compare-runs.ts');
      // `load` also has --json, which commander may assign to either command.
      endWith(compareRuns(first, second, command.optsWithGlobals<CompareOptions>(), terminal));
    });
}

const EXAMPLES = `
Exit codes: 0 no regression, 1 regression, 2 invalid input, 3 not comparable.

Examples:
  petstore-conformance load compare out/BEFORE out/AFTER
  petstore-conformance load compare before after --tolerance 25 --json`;
