import { readProduct } from '../../kernel/basics/product.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import { recordToFile } from '../../suites/service/run/record-to-file.ts';
import type { RunSurroundings, SettledRun, TargetAccess } from '../../suites/service/run/run-settings.ts';
import { settleRun } from '../../suites/service/run/run-settings.ts';
import { furtherKeysIn } from '../../suites/service/wire/keyring.ts';
import type { Names } from '../options/command-line.ts';
import type { OptionValues } from '../options/table.ts';
import type { Surroundings } from './line.ts';
import { watched } from './line.ts';
import { CertificationSoFar } from './service-progress.ts';

/** A run that tests a service of the user, settled before anything is sent. */
export interface SettledService {
  readonly target: TargetAccess;
  readonly run: SettledRun;
  /** What the user calls the inputs. */
  readonly names: Names;
}

/**
 * Settles a run against a target.
 * @throws {UserError | PlanFileError} when an option is wrong.
 */
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

/**
 * Records a settled run in a journal and shows its progress.
 * @throws what `recordToFile` throws.
 */
export const recordService = (
  { run, target, names }: SettledService,
  path: string,
  around: Omit<Surroundings<JournalLine>, 'print'>,
): Promise<void> =>
  watched(around, new CertificationSoFar(run.plan), (observe) =>
    recordToFile(run, target, { path, names, observe, report: around.report, signal: around.signal }),
  );
