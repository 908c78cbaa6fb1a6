/**
 * The Playwright interface: one test for each requirement in an existing Playwright project.
 * `import { conformance } from 'petstore-conformance/playwright'; conformance();`
 */
export type { PetstoreOptions } from '../options/table.ts';
export { conformance, type PetstoreUse } from './conformance.ts';
