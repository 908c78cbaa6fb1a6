/**
 * The Playwright interface: one test for each requirement in an existing Playwright project.
 * `import { conformance } from 'petstore-conformance/playwright'; conformance();`
 */
export { conformance } from './conformance.ts';
export type { PetstoreOptions, PetstoreUse } from './options.ts';
