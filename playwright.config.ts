import { defineConfig } from '@playwright/test';

/**
 * The Playwright interface in this project: `PETSTORE_TARGET=… PETSTORE_API_KEY=… npm run suite`. No browser is needed.
 */
export default defineConfig({
  testDir: 'suites/playwright',
  workers: 1,
  reporter: [['list'], ['html', { open: 'never', noCopyPrompt: true }], ['./suites/playwright/reporter.ts']],
  projects: [{ name: 'requirements', testMatch: '**/*.spec.ts' }],
});
