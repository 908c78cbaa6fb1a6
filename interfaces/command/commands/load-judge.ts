import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command } from 'commander';
import type { EndWith } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

/** `load judge`: judges the samples of a load run again, offline. */
export function judgeLoadCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('judge')
    .description(
      'judge the samples of a load run again, also of a run that was killed, or of several runners',
    )
    .argument('<part...>', 'folder of the run; or the folders and files of its runners and its manifests')
    .option(
      '--out <dir>',
      'folder for the reports; other reports there are moved (default: the first folder)',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (parts: readonly string[], _options: { readonly out?: string }, command: Command) => {
      const { judgeParts } = await import('../../../load/run/judge-folder.ts');
      const { writeAndPrint } = await import('../load/report-load.ts');
      const { ownSpecification } = await import('../../../spec/specification.ts');
      const { SUITE } = await import('../../../kernel/findings/suite.ts');
      const judged = await judgeParts(parts, { suite: SUITE, spec: await ownSpecification() });
      // `load` also has --out, which commander may assign to either command.
      const { out = folderOf(parts[0] ?? '.') } = command.optsWithGlobals<{ readonly out?: string }>();
      const { differingNames } = await import('../../../reports/earlier-files.ts');
      const { loadReportTexts } = await import('../../../reports/load/write.ts');
      const { makeRunFolder } = await import('../run-folder.ts');
      const others = differingNames(out, loadReportTexts(judged.record, judged.trace));
      makeRunFolder(out, others, terminal);
      endWith(await writeAndPrint({ ...judged, folder: out }, terminal));
    });
}

const folderOf = (path: string): string => (statSync(path).isDirectory() ? path : dirname(path));

const EXAMPLES = `
The samples of several runners are judged together: one verdict, one report. A part that is
missing or cut is named, and what rests on it is inconclusive; judge again when it has arrived.
A part that is given twice counts once. A run of several runners needs the load-run.json that
"load manifest" wrote.

Exit codes: 0 pass, 1 fail, 2 invalid input, 3 inconclusive.

Examples:
  petstore-conformance load judge out/RUN
  petstore-conformance load judge k8s samples --out out/RUN`;
