import { Command } from 'commander';
import type { K6 } from '../../../load/k6/find.ts';
import type { EndWith } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

/** `k6`: prints which k6 a load run uses and why; with `--install`, installs one where none is found. */
export function k6Command(terminal: Terminal, endWith: EndWith): Command {
  return new Command('k6')
    .option('--install', 'install the pinned release if none is found')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ install, json }: { readonly install?: boolean; readonly json?: boolean }) => {
      const { findK6 } = await import('../../../load/k6/find.ts');
      const log = (line: string): void => void terminal.err.write(`${line}\n`);
      const k6 = await findK6({ install: install === true, report: log });
      if (json === true) print(terminal, JSON.stringify(k6, null, 2));
      else print(terminal, ...linesOf(k6));
      endWith(k6.kind === 'found' ? EXIT.conforms : EXIT['no-run']);
    });
}

function linesOf(k6: K6): readonly string[] {
  if (k6.kind === 'found') {
    return columns([
      ['k6', k6.version],
      ['Path', k6.path],
      ['Found', `${k6.source}: ${k6.because}`],
    ]);
  }
  const tried = k6.tried.map(({ source, why }) => ['', `${source}: ${why}`]);
  return [
    'No usable k6 was found.',
    ...columns(tried),
    `${k6.advice} Install the pinned release with: petstore-conformance k6 --install`,
  ];
}

const EXAMPLES = `
The search order is: the variable K6_BIN, PATH, the tool cache; with --install
(and before a load run) then the pinned release, whose SHA-256 is checked, and a
build from source with Go.

Examples:
  petstore-conformance k6
  petstore-conformance k6 --install
  K6_BIN=/opt/k6/k6 petstore-conformance k6 --json

Exit codes:
  0  a k6 was found        2  none was found, or K6_BIN does not name one`;
