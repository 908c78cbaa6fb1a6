import { Command, Option } from 'commander';
import type { EndWith } from '../exit-code.ts';
import type { CompareOptions } from '../reports/compare-runs.ts';
import type { Terminal } from '../terminal.ts';

/** `compare`: two reports, or two sets of load runs, side by side. */
export function compareCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('compare')
    .argument(
      '<first>',
      'report.json of the first run, or its folder; of load also the folder of a repeated profile, or several of these separated by commas',
    )
    .argument('<second>', 'the same of the second run, or set of load runs')
    .addOption(
      new Option('--format <format>', 'how it is printed')
        .choices(['console', 'markdown', 'json'])
        .default('console'),
    )
    .option('--tolerance <percent>', 'how much worse a figure of a load run may be, in percent', '10')
    .addHelpText('after', EXAMPLES)
    .action(async (first: string, second: string, options: CompareOptions) => {
      const { compareRuns } = await import('../reports/compare-runs.ts');
      endWith(await compareRuns(first, second, options, terminal));
    });
}

const EXAMPLES = `
Sets of load runs, made with "load PROFILE --target A --against B --repeat 8", can gate a
pipeline: if nothing changed, it raises a false alarm in at most 1 of 100 comparisons. Latencies
decide only where the runs of both sets were recorded in turn. Where the data cannot decide,
the comparison states about how many more repetitions would. Of two single load runs, only
changed verdicts decide: latencies differ by noise.

Exit codes:
  0  the second run is not worse, in what it was to test
  1  a requirement or a figure is worse than before, or fails and was not decided before
  2  an option or a file cannot be used, or a report says that no run was possible
  3  nothing is worse, but the second report lost a verdict, or load runs are not comparable

Examples:
  petstore-conformance compare out/BEFORE out/AFTER
  petstore-conformance compare main/report.json report.json --format markdown >> "$GITHUB_STEP_SUMMARY"
  petstore-conformance compare out/target out/against --tolerance 25 --format json
  petstore-conformance compare monday,tuesday wednesday`;
