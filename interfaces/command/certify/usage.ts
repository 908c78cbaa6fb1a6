import { isLoopback } from '../../../kernel/exchanges/loopback.ts';
import { dayUsageOf } from '../../../kernel/usage-ledger/day-usage.ts';
import { GuardError } from '../../../kernel/usage-ledger/guard-error.ts';
import { dayUsageText } from '../../../kernel/usage-ledger/sentences.ts';
import { obstacleToFullDay } from '../../../kernel/usage-ledger/unused-day.ts';
import { userLedger } from '../../../kernel/usage-ledger/user-ledger.ts';
import { requestsOfDay } from '../../../suites/service/run/plan.ts';
import type { CertifySettings } from './settings.ts';

/**
 * What the key has used of its day, for the preview; undefined for the bundled server, for
 * loopback and where nothing was used.
 * @param now milliseconds since the Unix epoch.
 */
export function dayUsageBefore({ subject, run }: CertifySettings, now: number): string | undefined {
  if (subject.kind === 'bundled' || isLoopback(subject.access.baseUrl)) return undefined;
  const { keys, baseUrl } = subject.access;
  const { limits } = run.plan.inputs;
  try {
    const usage = dayUsageOf(userLedger().historyOf(keys.key, baseUrl.origin).runs, limits, now);
    return usage.used === 0 ? undefined : dayUsageText(usage, limits, now);
  } catch (error) {
    if (error instanceof GuardError) return error.message;
    throw error;
  }
}

/**
 * Checks that the ledger shows an unused day where the run uses all of it. The bundled server is started for the run.
 * @param now milliseconds since the Unix epoch.
 * @throws {GuardError} when some of the day is used, or the ledger cannot show whether it is.
 */
export function checkUnusedDay({ subject, run }: CertifySettings, now: number): void {
  if (subject.kind === 'bundled' || requestsOfDay(run.plan) === undefined) return;
  const { keys, baseUrl } = subject.access;
  const ledger = userLedger();
  const history = ledger.historyOf(keys.key, baseUrl.origin);
  const obstacle = obstacleToFullDay(
    history,
    { limits: run.plan.inputs.limits, folder: ledger.folder, key: 'the key' },
    now,
  );
  if (obstacle !== undefined) throw new GuardError(obstacle);
}
