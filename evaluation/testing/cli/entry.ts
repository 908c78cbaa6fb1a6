import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command as a clone starts it: from its source. */
export const SOURCE = fileURLToPath(new URL('../../../cli/petstore-conformance.js', import.meta.url));

/**
 * The folder of the programs that tests start. Compiled, they start in a third of the time, so `npm run test:unit`
 * compiles them once and names their folder in this variable; a test file that is run alone starts the source.
 */
const COMPILED = process.env['PETSTORE_TEST_PROGRAMS'];

/** The command that tests start. */
export const ENTRY =
  COMPILED === undefined ? SOURCE : join(COMPILED, 'evaluation', 'testing', 'cli', 'start-command.mjs');

/** The modules of the Playwright interface that projects of others import in tests. */
export const PLAYWRIGHT_INTERFACE = { index: inPlaywright('index'), reporter: inPlaywright('reporter') };

function inPlaywright(name: string): string {
  return COMPILED === undefined
    ? fileURLToPath(new URL(`../../../interfaces/playwright/${name}.ts`, import.meta.url))
    : join(COMPILED, 'interfaces', 'playwright', `${name}.mjs`);
}
