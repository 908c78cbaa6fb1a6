import { Command, Option } from 'commander';
import { UserError } from '../../../kernel/basics/errors.ts';
import type { Terminal } from '../terminal.ts';

interface MatrixOptions {
  readonly format: string;
  readonly out?: string;
  readonly keys?: string;
}

/** `matrix`: several certification reports in one table, or several certificates in a listing. */
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
    .option(
      '--keys <dir>',
      'verify the certificate of each folder with the public keys of this folder (*.pem), judge its journal again, and list it (--format html)',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], { format, out, keys }: MatrixOptions) => {
      const { writeListing, writeMatrix } = await import('../reports/write-matrix.ts');
      if (keys === undefined) return writeMatrix(paths, format, out, terminal);
      if (format !== 'html') throw new UserError('--keys lists certificates on a page: add --format html.');
      await writeListing(paths, keys, out, terminal);
    });
}

const EXAMPLES = `
Examples:
  petstore-conformance matrix go=out/GO rust=out/RUST
  petstore-conformance matrix v1=v1/report.json v2=v2/report.json --format html --out versions.html
  petstore-conformance matrix certificates/* --keys keys --format html --out listing.html`;
