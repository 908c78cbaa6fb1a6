import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter';
import { storeSelection } from './selection.ts';

/**
 * Reports nothing. It is the only part of Playwright that sees the selected tests before the first worker starts, and
 * the workers inherit the environment that it changes. So `--grep RETRY` sends the requests that the chapter RETRY
 * needs and no others. Where `--reporter` replaces the reporters of the configuration, every probe runs.
 */
// biome-ignore lint/style/noDefaultExport: Playwright loads a reporter by its default export.
export default class SelectionReporter implements Reporter {
  onBegin(_config: FullConfig, suite: Suite): void {
    storeSelection(
      suite.allTests().map(({ title }) => title),
      process.env,
    );
  }

  printsToStdio(): boolean {
    return false;
  }
}
