import { Command } from 'commander';
import type { EndWith } from '../exit-code.ts';
import { makeFolder } from '../folder.ts';
import type { Terminal } from '../terminal.ts';

/** `load judge`: judges the samples of a load run again, offline. */
export function judgeLoadCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('judge')
    .description('judge the samples of a load run again, also of a run that was killed')
    .argument('<folder>', 'folder of the run')
    .option('--out <dir>', 'folder for the reports (default: the folder of the run)')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, _options: { readonly out?: string }, command: Command) => {
      const { judgeFolder } = await import('../../load/run/judge-folder.ts');
      const { writeAndPrint } = await import('../load/report-load.ts');
      // `load` also has --out, which commander may assign to either command.
      const { out = folder } = command.optsWithGlobals<{ readonly out?: string }>();
      const judged = await judgeFolder(folder);
      makeFolder(out);
      endWith(await writeAndPrint({ ...judged, folder: out }, terminal));
    });
}

const EXAMPLES = `
Exit codes: 0 pass, 1 fail, 2 invalid input, 3 inconclusive.

Example:
  petstore-conformance load judge out/RUN`;
