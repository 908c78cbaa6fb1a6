import type { K6 } from '../../../load/k6/find.ts';
import { findK6 } from '../../../load/k6/find.ts';
import type { CommandOptions } from '../../options/table.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

/** Prints which k6 a load run uses and why; unless it is a dry run, installs the pinned one where none is found. */
export async function installK6(
  { dryRun, json }: CommandOptions<'load'>,
  terminal: Terminal,
): Promise<ExitCode> {
  const k6 = await findK6({
    install: dryRun !== true,
    report: (line) => void terminal.err.write(`${line}\n`),
  });
  if (json === true) print(terminal, JSON.stringify(k6, null, 2));
  else print(terminal, ...linesOf(k6));
  return k6.kind === 'found' ? EXIT.conforms : EXIT['no-run'];
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
    `${k6.advice} Install the pinned release with: petstore-conformance load --install`,
  ];
}
