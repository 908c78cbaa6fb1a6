import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { outFolder } from './suites/playwright/settings.ts';

/**
 * The Playwright face of the examination: `PETSTORE_TARGET=… PETSTORE_API_KEY=… npx playwright test`.
 * No browser is needed. A finding is about what was recorded, so there is nothing to retry and nothing to
 * run at the same time: a second examination beside the first would spend the limit of the same key.
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
    { name: 'examination', testMatch: '**/examination.setup.ts' },
    { name: 'requirements', testMatch: '**/*.spec.ts', dependencies: ['examination'] },
  ],
});
