import { Command, Option } from 'commander';
import type { EndWith } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

/** `compare`: two certification reports side by side. */
export function compareCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('compare')
    .argument('<first>', 'report.json of the first run, or its folder')
    .argument('<second>', 'report.json of the second run, or its folder')
    .addOption(
      new Option('--format <format>', 'how it is printed')
        .choices(['console', 'markdown', 'json'])
        .default('console'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (first: string, second: string, { format }: { readonly format: string }) => {
      const { compareReports } = await import('../reports/compare-reports.ts');
      endWith(compareReports(first, second, format, terminal));
    });
}

const EXAMPLES = `
Exit codes:
  0  the second report is not worse, in what its run was to test
  1  a requirement is worse than before, or fails and was not decided before
  2  an option or a file cannot be used, or a report says that no run was possible
  3  nothing is worse, but the second report lost a verdict

Examples:
  petstore-conformance compare out/BEFORE out/AFTER
  petstore-conformance compare main/report.json report.json --format markdown >> "$GITHUB_STEP_SUMMARY"`;
