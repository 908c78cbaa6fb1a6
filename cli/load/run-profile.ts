import { UserError } from '../../suites/given/user-error.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { enter } from './guarding.ts';
import { reachingLoad } from './reach.ts';
import type { LoadSettings } from './settings.ts';

/**
 * Runs a settled profile: enters it into the ledger, reaches what it loads,
 * and tells the ledger what was sent.
 * @throws {GuardError} when it may not begin.
 */
export async function runProfile(settings: LoadSettings, _terminal: Terminal): Promise<ExitCode> {
  const admission = enter(settings, Date.now());
  return reachingLoad(settings, async () => {
    admission.settle({}, Date.now());
    throw new UserError('Profiles cannot be run yet: --dry-run says what they would send.');
  });
}
