import { defineConfig } from '@playwright/test';

/**
 * The Playwright interface in this project: `PETSTORE_TARGET=… PETSTORE_API_KEY=… npm run suite`. No browser is needed.
 */
export default defineConfig({
  testDir: 'interfaces/playwright',
  workers: 1,
  reporter: [
    ['list'],
    ['html', { open: 'never', noCopyPrompt: true }],
    ['./interfaces/playwright/reporter.ts'],
  ],
  projects: [{ name: 'requirements', testMatch: '**/*.spec.ts' }],
});
