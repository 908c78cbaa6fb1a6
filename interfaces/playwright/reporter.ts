import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter';
import { storeSelection, TAG } from './settings.ts';
import { beginInvocation } from './shared-run.ts';

/**
 * Gives the workers the requirements that are selected, so that `--grep RETRY` sends what RETRY needs and no more. No
 * other part of Playwright sees the selected tests before the first worker starts. Where `--reporter` replaces it, every
 * probe runs.
 */
// biome-ignore lint/style/noDefaultExport: Playwright loads a reporter by its default export.
export default class PetstoreReporter implements Reporter {
  onBegin(_config: FullConfig, suite: Suite): void {
    const own = suite.allTests().filter(({ tags }) => tags.includes(TAG));
    beginInvocation(process.env);
    storeSelection(
      own.map(({ title }) => title),
      process.env,
    );
  }

  printsToStdio(): boolean {
    return false;
  }
}
