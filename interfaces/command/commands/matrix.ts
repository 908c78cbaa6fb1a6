import { Command, Option } from 'commander';
import type { Terminal } from '../terminal.ts';

interface MatrixOptions {
  readonly format: string;
  readonly out?: string;
}

/** `matrix`: several certification reports in one table. */
export function matrixCommand(terminal: Terminal): Command {
  return new Command('matrix')
    .argument(
      '<report...>',
      'report.json or the folder of a run; NAME=PATH names its column, which is else the address of the target',
    )
    .addOption(
      new Option('--format <format>', 'format of the table')
        .choices(['markdown', 'html', 'json'])
        .default('markdown'),
    )
    .option('--out <file>', 'file for the table, which must not exist (default: standard output)')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], { format, out }: MatrixOptions) => {
      const { writeMatrix } = await import('../reports/write-matrix.ts');
      writeMatrix(paths, format, out, terminal);
    });
}

const EXAMPLES = `
Examples:
  petstore-conformance matrix go=out/GO rust=out/RUST
  petstore-conformance matrix v1=v1/report.json v2=v2/report.json --format html --out versions.html`;
