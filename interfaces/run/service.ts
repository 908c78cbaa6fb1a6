import { readProduct } from '../../kernel/basics/product.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import type { RunPlan } from '../../suites/service/run/plan.ts';
import { requestsOf } from '../../suites/service/run/plan.ts';
import { recordToFile } from '../../suites/service/run/record-to-file.ts';
import type { RunSurroundings, SettledRun, TargetAccess } from '../../suites/service/run/run-settings.ts';
import { settleRun } from '../../suites/service/run/run-settings.ts';
import { furtherKeysIn } from '../../suites/service/wire/keyring.ts';
import type { Names } from '../options/command-line.ts';
import type { OptionValues } from '../options/table.ts';
import type { RunSoFar, Surroundings } from './progress.ts';
import { waitText, watched } from './progress.ts';

/** A certification run so far: its requests, and the current probe or wait. News are each probe that sends something, and each wait. */
function certificationSoFar({ probes, total }: RunPlan): RunSoFar<JournalLine> {
  const planned = requestsOf(total);
  let sent = 0;
  let probe = '';
  let activity = (): string => probe;
  /** Whether the current probe has sent nothing yet: many send nothing to a conforming service. */
  let hasBegun = false;
  return {
    update(line) {
      if (line.kind === 'end') return 'ended';
      if (line.kind === 'wait') {
        const until = performance.now() + line.seconds * 1000;
        activity = () => waitText(until - performance.now(), line.because);
        return 'news';
      }
      if (line.kind !== 'probe' && line.kind !== 'exchange') return undefined;
      activity = () => probe;
      const isNews = hasBegun;
      hasBegun = line.kind === 'probe';
      if (line.kind === 'probe') {
        probe = `${line.id}: ${probes.find((one) => one.probe.id === line.id)?.probe.description ?? ''}`;
        return undefined;
      }
      sent += 1;
      return isNews ? 'news' : 'goes on';
    },
    responds: (line) => line.kind === 'exchange' && line.outcome.kind === 'answer',
    // A non-conforming target may need more requests than planned.
    text: () => `${sent}/${Math.max(planned, sent)} requests · ${activity()}`,
  };
}

export interface SettledService {
  readonly target: TargetAccess;
  readonly run: SettledRun;
  /** What the user calls the inputs. */
  readonly names: Names;
}

/** Settles a run against a target. @throws {UserError} when an option is wrong. */
export function settleService(
  values: OptionValues,
  target: TargetAccess,
  around: Pick<RunSurroundings, 'env' | 'selected' | 'wrapProbe'> & { readonly names: Names },
): SettledService {
  const run = settleRun(values, {
    plans: typeof values.plans === 'object' ? values.plans : loadPlans(values.plans),
    furtherKeys: furtherKeysIn(target.keys),
    product: readProduct(values.product),
    ...around,
  });
  return { target, run, names: around.names };
}

/** Records a settled run in a journal and shows its progress. @throws what `recordToFile` throws. */
export const recordService = (
  { run, target, names }: SettledService,
  path: string,
  around: Omit<Surroundings<JournalLine>, 'print'>,
): Promise<void> =>
  watched(around, certificationSoFar(run.plan), (observe) =>
    recordToFile(run, target, { path, names, observe, report: around.report, signal: around.signal }),
  );
