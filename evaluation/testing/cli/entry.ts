import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command as a clone starts it: from its source. */
export const SOURCE = fileURLToPath(new URL('../../../cli/petstore-conformance.js', import.meta.url));

/**
 * The command that tests start. Compiled, it starts in a third of the time, so `npm run test:unit` compiles it once and
 * names it in this variable; a test file that is run alone starts the source.
 */
export const ENTRY = process.env['PETSTORE_TEST_COMMAND'] ?? SOURCE;

/** The modules of the Playwright interface, compiled where the command is: as projects of others import it. */
export const PLAYWRIGHT_INTERFACE =
  ENTRY === SOURCE
    ? { index: inPlaywright('index.ts'), reporter: inPlaywright('reporter.ts') }
    : { index: inPlaywright('index.js'), reporter: inPlaywright('reporter.js') };

function inPlaywright(file: string): string {
  return join(dirname(ENTRY), '..', 'suites', 'playwright', file);
}
