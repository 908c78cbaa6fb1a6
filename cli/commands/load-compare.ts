import { Command } from 'commander';
import type { EndWith } from '../exit-code.ts';
import type { CompareOptions } from '../load/compare-runs.ts';
import type { Terminal } from '../terminal.ts';

/** `load compare`: two load runs side by side. */
export function compareCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('compare')
    .description('compare two load runs of one profile, the second with the first')
    .argument('<first>', 'folder of a run')
    .argument('<second>', 'folder of a later run')
    .option('--tolerance <percent>', 'by how much a figure may be worse', '10')
    .option('--json', 'as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (first: string, second: string, _options: CompareOptions, command: Command) => {
      const { compareRuns } = await import('../load/compare-runs.ts');
      // `load` has a --json of its own, which commander would give to either.
      endWith(compareRuns(first, second, command.optsWithGlobals<CompareOptions>(), terminal));
    });
}

const EXAMPLES = `
Exit codes: 0 no regression, 1 a regression, 2 bad input, 3 not comparable.

Examples:
  petstore-conformance load compare out/BEFORE out/AFTER
  petstore-conformance load compare before after --tolerance 25 --json`;
