import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter';
import { select } from './selection.ts';

/**
 * Reports nothing: it is the only part of a run that sees the selected tests before the first worker starts,
 * and what it writes into the environment reaches the workers. So `--grep RETRY` sends what the chapter RETRY
 * needs and no more. Where `--reporter` replaces the reporters of the configuration, everything is asked.
 */
// biome-ignore lint/style/noDefaultExport: Playwright loads a reporter by its default export.
export default class SelectionReporter implements Reporter {
  onBegin(_config: FullConfig, suite: Suite): void {
    select(
      suite.allTests().map(({ title }) => title),
      process.env,
    );
  }

  printsToStdio(): boolean {
    return false;
  }
}
