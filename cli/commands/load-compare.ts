import { Command } from 'commander';
import type { Comparison } from '../../load/compare/compare.ts';
import { compareLoads } from '../../load/compare/compare.ts';
import { readLoadReport, tame } from '../../reports/index.ts';
import { UserError } from '../../words/user-error.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

interface CompareOptions {
  readonly tolerance: string;
  readonly json?: boolean;
}

/** `load compare`: two load runs side by side. */
export function compareCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('compare')
    .description('compare two load runs of one profile, the second with the first')
    .argument('<first>', 'folder of a run')
    .argument('<second>', 'folder of a later run')
    .option('--tolerance <percent>', 'by how much a figure may be worse', '10')
    .option('--json', 'as JSON')
    .addHelpText('after', EXAMPLES)
    .action((first: string, second: string, _options: CompareOptions, command: Command) => {
      // `load` has a --json of its own, which commander would give to either.
      const { tolerance, json } = command.optsWithGlobals<CompareOptions>();
      const compared = compareLoads(readLoadReport(first), readLoadReport(second), share(tolerance));
      if (json === true) print(terminal, JSON.stringify(compared, null, 2));
      else print(terminal, ...comparisonLines(compared));
      endWith(CODES[compared.outcome]);
    });
}

const CODES = {
  none: EXIT.conforms,
  regression: EXIT.violates,
  inconclusive: EXIT.incomplete,
} as const satisfies Record<Comparison['outcome'], ExitCode>;

function share(text: string): number {
  const [, percent] = /^(\d{1,4}(?:\.\d{1,3})?) ?%?$/.exec(text) ?? [];
  if (percent !== undefined) return Number(percent) / 100;
  throw new UserError(`--tolerance is "${text}", where a number of percent belongs, for example 10.`);
}

function comparisonLines({ figures, remarks, outcome, tolerance }: Comparison): readonly string[] {
  const rows = figures.map(({ what, a, b, change, because }) => [
    what,
    a,
    b,
    because === '' ? change : `${change}: ${because}`,
  ]);
  const percent = `${Number((tolerance * 100).toFixed(3))} %`;
  const closing = {
    none: `✓ No regression: nothing is worse by more than ${percent}.`,
    regression: `✗ A regression: ${figures
      .filter(({ change }) => change === 'worse')
      .map(({ what }) => what)
      .join(', ')}.`,
    inconclusive: '? Not comparable: nothing is worse, but not everything could be compared.',
  }[outcome];
  return [
    ...columns([['FIGURE', 'FIRST', 'SECOND', 'CHANGE'], ...rows]),
    '',
    ...remarks.map((remark) => `· ${tame(remark)}`),
    closing,
  ];
}

const EXAMPLES = `
Exit codes: 0 no regression, 1 a regression, 2 bad input, 3 not comparable.

Examples:
  petstore-conformance load compare out/BEFORE out/AFTER
  petstore-conformance load compare before after --tolerance 25 --json`;
