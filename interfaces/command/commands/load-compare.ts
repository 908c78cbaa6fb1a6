import { Command } from 'commander';
import type { EndWith } from '../exit-code.ts';
import type { CompareOptions } from '../load/compare-runs.ts';
import type { Terminal } from '../terminal.ts';

/** `load compare`: two sets of load runs side by side. */
export function compareCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('compare')
    .description('compare two sets of load runs of the same profile')
    .argument('<first>', 'folder of a repeated profile or of a run, or several of them separated by commas')
    .argument('<second>', 'the same of the second set')
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
Sets of runs, made with "load PROFILE --target A --against B --repeat 8", can gate a
pipeline: two tests report a regression for at most 1 in 100 pairs of equal sets. Latencies
decide only where the runs of both sets were recorded in turn. Where the data cannot decide,
the comparison states about how many more repetitions would. Of two single runs, only
changed verdicts decide: latencies differ by noise.

Exit codes: 0 no regression, 1 regression, 2 invalid input, 3 undecided or not comparable.

Examples:
  petstore-conformance load compare out/target out/against
  petstore-conformance load compare before after --tolerance 25 --json
  petstore-conformance load compare monday,tuesday wednesday`;
