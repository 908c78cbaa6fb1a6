import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { outFolder } from './suites/playwright/settings.ts';

/**
 * The Playwright face: `PETSTORE_TARGET=… PETSTORE_API_KEY=… npx playwright test`. No browser is needed. The tests
 * report on one recorded run, so there are no retries and no parallel workers: a second run at the same time would use
 * the quota of the same key.
 */
export default defineConfig({
  testDir: 'suites/playwright',
  workers: 1,
  fullyParallel: false,
  retries: 0,
  reporter: [
    ['./suites/playwright/selection-reporter.ts'],
    ['list'],
    ['html', { open: 'never', noCopyPrompt: true }],
    ['junit', { outputFile: join(outFolder(process.env), 'junit.xml') }],
  ],
  projects: [
    { name: 'run', testMatch: '**/run.setup.ts' },
    { name: 'requirements', testMatch: '**/*.spec.ts', dependencies: ['run'] },
  ],
});
