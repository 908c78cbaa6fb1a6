import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter';
import { UserError } from '../../kernel/basics/errors.ts';
import { writeBaseline } from '../../reports/baseline.ts';
import { reportsLine, writeRunFolder } from '../../reports/write.ts';
import type { JudgingSettings } from './settings.ts';
import { storeSelection, TAG } from './settings.ts';
import { beginInvocation, statesIn } from './shared-run.ts';
import { judgedRun } from './verdicts.ts';

/**
 * Before the tests: gives the workers the requirements that are selected, so that `--grep RETRY` sends what RETRY
 * needs and no more. No other part of Playwright sees the selected tests before the first worker starts. Afterwards:
 * writes the reports of each run. Where `--reporter` replaces it, every probe runs and no reports are written.
 */
// biome-ignore lint/style/noDefaultExport: Playwright loads a reporter by its default export.
export default class PetstoreReporter implements Reporter {
  #outputFolders: ReadonlySet<string> = new Set();

  onBegin({ projects }: FullConfig, suite: Suite): void {
    this.#outputFolders = new Set(projects.map(({ outputDir }) => outputDir));
    const own = suite.allTests().filter(({ tags }) => tags.includes(TAG));
    beginInvocation(process.env);
    storeSelection(
      own.map(({ title }) => title),
      process.env,
    );
  }

  async onEnd(): Promise<void> {
    for (const state of [...this.#outputFolders].flatMap((folder) => statesIn(folder, process.env))) {
      if (state.state === 'recording' || (state.state === 'failed' && !state.judgeable)) continue;
      try {
        await writeRunReports(state, print);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        print(error.message);
      }
    }
  }

  printsToStdio(): boolean {
    return false;
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Judges the journal of a run and writes its reports, and a copy of the journal, into the folder of the run. Other
 * reports in it are moved and not overwritten.
 * @param print gets sentences that say what was written, and where earlier files are.
 * @throws {UserError} when a file cannot be read, moved or written.
 */
async function writeRunReports(settings: JudgingSettings, print: (sentence: string) => void): Promise<void> {
  const { folder, journal, baselineWrite } = settings;
  const record = await judgedRun(settings);
  await writeRunFolder(
    record,
    { journal },
    { path: folder, input: 'PETSTORE_OUT or petstore.out', report: print },
  );
  if (baselineWrite !== undefined) print(writeBaseline(record, baselineWrite));
  print(`Report: ${reportsLine(folder)}`);
}
