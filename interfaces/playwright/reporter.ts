import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter';
import { UserError } from '../../kernel/basics/user-error.ts';
import { beginInvocation, statesIn } from './run-state.ts';
import { storeSelection, TAG } from './selection.ts';
import { writeRunReports } from './write-run-reports.ts';

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
